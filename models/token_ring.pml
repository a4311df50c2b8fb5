// A token ring that heals itself, after Dijkstra. Every node holds a counter
// modulo K and compares it with that of its left neighbour: node 0 has the
// privilege when they are equal, any other node when they differ. Whatever the
// state it starts from, the ring is never without a privilege; sooner or later
// it has exactly one, and then keeps exactly one.
// expect: verdict holds
// expect: errors 0
// expect: stored 257
// expect: matched 640
// expect: transitions 897
// expect: atomic 4005
// expect: depth 54
// expect: ltl heals holds
// spin: spin -o1 -o2 -o3 -a token_ring.pml && gcc -DNOREDUCE -DSAFETY -DNOCLAIM -o pan pan.c && ./pan -m1000000 -c0

#define N  4                      // nodes
#define K  4                      // with K < N - 1 it may not heal

byte x[N];
bool stable;                      // there was exactly one privilege once

#define privileges  ((x[0] == x[3]) + (x[1] != x[0]) + (x[2] != x[1]) + (x[3] != x[2]))

ltl heals { <> stable }

inline observe()
{
  assert(privileges >= 1);                 // never stuck
  assert(!stable || privileges == 1);      // closure
  stable = (privileges == 1)
}

proctype First()
{
  do
  :: d_step { x[0] == x[N - 1] -> x[0] = (x[0] + 1) % K; observe() }
  od
}

proctype Node(byte i)
{
  do
  :: d_step { x[i] != x[i - 1] -> x[i] = x[i - 1]; observe() }
  od
}

init {
  byte i, v;

  atomic {
    for (i : 0 .. N - 1) {                 // an arbitrary state
      select (v : 0 .. K - 1);
      x[i] = v
    };
    i = 0;
    v = 0;
    observe();
    run First();
    run Node(1);
    run Node(2);
    run Node(3)
  }
}
