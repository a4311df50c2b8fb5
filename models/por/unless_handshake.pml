// A guard that gives way to a signal. Before the listener is ready nobody
// takes the signal, so the alarm can go off. Whoever holds that the listener's
// first step matters to nobody, and takes it before all others, misses it.
// Follows: [001, ch. 3, Fig. 2].

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
