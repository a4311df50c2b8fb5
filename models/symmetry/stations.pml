// N mobile stations send each other messages over M radio channels that one base station gives out.
// A station asks for a channel to another one; the base gives it one that is free, or refuses; when
// the receiver has the message, the channel is free again. All is in variables.
// Follows: [001 ch. 6, section 5.4, first model], simplified.
// expect: verdict holds
// expect: errors 0
// expect: stored 818
// expect: matched 1725
// expect: transitions 2543
// expect: atomic 8310
// expect: depth 1561
// spin: spin -o1 -o2 -o3 -a stations.pml && gcc -DNOREDUCE -DSAFETY -DNOCLAIM -o pan pan.c && ./pan -m1000000 -c0

#ifndef N
#define N 3
#endif

#define M 2

// By station: to whom it wants to send, and whether it was given a channel. The names of stations are
// 1 to N; 0 is nobody.
byte wish[N + 1];
bool given[N + 1];
// By channel: who sends, who is to receive, and whether the message is there.
byte sender[M];
byte receiver[M];
bool loaded[M];
// Who asks next.
byte caller;

active proctype Base()
{
  do
  :: atomic {
       caller != 0 ->
       if
       :: sender[0] == 0 -> sender[0] = caller; receiver[0] = wish[caller]; given[caller] = true
       :: sender[0] != 0 && sender[1] == 0 ->
          sender[1] = caller; receiver[1] = wish[caller]; given[caller] = true
       :: else
       fi;
       wish[caller] = 0;
       caller = 0
     }
  od
}

proctype Station(byte me)
{
  byte friend, c;

  do
  :: atomic {
       caller == 0 && !given[me] ->
       if
       :: friend = 1
       :: friend = 2
#if N > 2
       :: friend = 3
#endif
#if N > 3
       :: friend = 4
#endif
       fi;
       if
       :: friend != me -> wish[me] = friend; caller = me
       :: else
       fi;
       friend = 0
     }
  :: atomic { sender[0] == me && !loaded[0] -> loaded[0] = true }
  :: atomic { sender[1] == me && !loaded[1] -> loaded[1] = true }
  :: atomic { receiver[0] == me && loaded[0] -> c = 0 }; goto take
  :: atomic { receiver[1] == me && loaded[1] -> c = 1 };
take:
     atomic {
       assert(receiver[c] == me && sender[c] != me);
       given[sender[c]] = false;
       sender[c] = 0;
       receiver[c] = 0;
       loaded[c] = false;
       c = 0
     }
  od
}

init {
  byte i;

  atomic {
    for (i : 1 .. N) {
      run Station(i)
    }
  }
}
