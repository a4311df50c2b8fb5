// A token ring. Stations stand in a circle and hand a token on to their right;
// a station that has something to say does so while it holds the token, as often
// as it likes. So two stations never speak at the same time, but one of them may
// keep the others waiting for ever.
// expect: verdict holds
// expect: errors 0
// expect: stored 38061
// expect: matched 147581
// expect: transitions 185642
// expect: atomic 0
// expect: depth 6119
// spin: spin -o1 -o2 -o3 -a token_ring.pml && gcc -DNOREDUCE -DSAFETY -DNOCLAIM -o pan pan.c && ./pan -m1000000 -c0

#ifndef N
#define N 6
#endif

chan link[N] = [1] of { bit };
bool waits[N];                    // station i has something to say
byte speaking;

active [N] proctype Station()
{
  if
  :: _pid == 0 -> link[0] ! 1     // the token comes from here
  :: else
  fi;

  do
  :: !waits[_pid] -> waits[_pid] = true
  :: link[_pid] ? 1 ->
     do
     :: waits[_pid] ->
        speaking++;
        assert(speaking == 1);
        speaking--;
        waits[_pid] = false
     :: !waits[_pid] -> waits[_pid] = true
     :: link[(_pid + 1) % N] ! 1 -> break
     od
  od
}
