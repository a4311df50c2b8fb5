// Fischer's mutual exclusion with timers as plain counters. A process that sees
// the lock free writes its own number within DELAY ticks, then waits longer
// than that before it looks again. Time passes for everybody at once, and not
// beyond the deadline of a process that is about to write. With WAIT <= DELAY
// the algorithm is wrong.
// expect: verdict holds
// expect: errors 0
// expect: stored 46189
// expect: matched 129951
// expect: transitions 176140
// expect: atomic 1525635
// expect: depth 44390
// spin: spin -o1 -o2 -o3 -a fischer.pml && gcc -DNOREDUCE -DSAFETY -DNOCLAIM -o pan pan.c && ./pan -m1000000 -c0

#ifndef N
#define N      5
#endif
#define DELAY  2                  // the latest tick for the write
#define WAIT   3                  // the first tick for the second look
#define OFF    255

byte lock;                        // 0: free, otherwise 1 + process number
byte deadline[N] = OFF;           // ticks left for the write
byte pause[N];                    // ticks left until the second look
byte inside;

active [N] proctype Process()
{
  do
  :: atomic { lock == 0 -> deadline[_pid] = DELAY };
     d_step {
       lock = _pid + 1;
       deadline[_pid] = OFF;
       pause[_pid] = WAIT
     };
     pause[_pid] == 0;
     if
     :: lock == _pid + 1 ->
        inside++;
        assert(inside == 1);
        inside--;
        lock = 0
     :: lock != _pid + 1          // somebody was later: try again
     fi
  od
}

active proctype Tick()
{
  byte i;
  bool late;

  do
  :: atomic {
       late = false;
       for (i : 0 .. N - 1) {
         late = late || deadline[i] == 0
       }
       i = 0;
       if
       :: late -> late = false
       :: else ->
          for (i : 0 .. N - 1) {
            deadline[i] = (deadline[i] == OFF -> OFF : deadline[i] - 1);
            pause[i] = (pause[i] == 0 -> 0 : pause[i] - 1)
          }
          i = 0
       fi
     }
  od
}
