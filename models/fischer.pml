// Fischer's mutual exclusion with discrete time. A process that sees the lock
// free writes its own number within DELAY ticks, then waits longer than that
// before it looks again. One clock per process counts the ticks; time passes
// for everybody at once, and not beyond the deadline of a process that is
// about to write. With WAIT <= DELAY the algorithm is wrong.
// expect: verdict holds
// expect: errors 0
// expect: stored 578
// expect: matched 933
// expect: transitions 1511
// expect: atomic 1191
// expect: depth 288
// spin: spin -o1 -o2 -o3 -a fischer.pml && gcc -DNOREDUCE -DSAFETY -DNOCLAIM -o pan pan.c && ./pan -m1000000 -c0

#define N      3
#define DELAY  1                  // the latest tick for the write
#define WAIT   2                  // the first tick for the second look

byte lock;                        // 0: free, otherwise 1 + process number
byte clock[N];                    // saturates at WAIT
bool hurry[N];                    // process i has a deadline
byte inside;

active [N] proctype Process()
{
  byte me = _pid + 1;

  do
  :: atomic {
       lock == 0 -> clock[_pid] = 0; hurry[_pid] = true
     };
     atomic {                     // Tick guarantees clock <= DELAY here
       assert(clock[_pid] <= DELAY);
       lock = me;
       clock[_pid] = 0;
       hurry[_pid] = false
     };
     (clock[_pid] >= WAIT);
     if
     :: lock == me ->
        inside++;
        assert(inside == 1);
        inside--;
        lock = 0
     :: lock != me                // somebody was later: try again
     fi
  od
}

active proctype Tick()
{
  byte i;

  do
  :: d_step {
       !(hurry[0] && clock[0] == DELAY) &&
       !(hurry[1] && clock[1] == DELAY) &&
       !(hurry[2] && clock[2] == DELAY) ->
       for (i : 0 .. N - 1) {
         clock[i] = (clock[i] < WAIT -> clock[i] + 1 : WAIT)
       };
       i = 0
     }
  od
}
