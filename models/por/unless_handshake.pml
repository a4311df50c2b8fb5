// A guard that gives way to a signal. Before the listener is ready nobody
// takes the signal, so the alarm can go off. Whoever holds that the listener's
// first step matters to nobody, and takes it before all others, misses it.
// Follows: [001, ch. 3, Fig. 2].
// expect: verdict violated
// expect: errors 2
// expect: stored 9
// expect: matched 1
// expect: transitions 10
// expect: atomic 0
// expect: depth 5
// spin: spin -o1 -o2 -o3 -a unless_handshake.pml && gcc -DNOREDUCE -DSAFETY -DNOCLAIM -o pan pan.c && ./pan -m1000000 -c0

chan signal = [0] of { bit };

active proctype Listener()
{
  skip;                             // not ready yet
  signal ? 1
}

active proctype Guard()
{
  assert(false) unless { signal ! 1 }
}
