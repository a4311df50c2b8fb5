// A tree that computes the parity of bits. Each of N leaves writes a bit where
// its parent finds it, again and again; a node with a bit from each of its two
// children, and room for one, passes their parity up and asks for the next; the
// root takes what comes out.
// Follows: [001, ch. 2, Fig. 3 and Table 2], from the description.
// expect: verdict holds
// expect: errors 0
// expect: stored 2188
// expect: matched 6076
// expect: transitions 8264
// expect: atomic 26
// expect: depth 725
// spin: spin -o1 -o2 -o3 -a parity.pml && gcc -DNOREDUCE -DSAFETY -DNOCLAIM -o pan pan.c && ./pan -m1000000 -c0

#ifndef N
#define N 4
#endif

// The nodes of a heap: node 1 is at the top, nodes N to 2N - 1 are the leaves.
byte bits[2 * N];                   // 0 none, 1 an even bit, 2 an odd one

proctype Leaf(byte me)
{
end:
  do
  :: d_step { bits[me] == 0 -> bits[me] = 1 }
  :: d_step { bits[me] == 0 -> bits[me] = 2 }
  od
}

proctype Join(byte me; byte left; byte right)
{
end:
  do
  :: d_step {
       bits[left] > 0 && bits[right] > 0 && bits[me] == 0 ->
       bits[me] = 1 + (bits[left] + bits[right]) % 2;
       bits[left] = 0;
       bits[right] = 0
     }
  od
}

proctype Root()
{
end:
  do
  :: d_step { bits[1] > 0 -> bits[1] = 0 }
  od
}

init
{
  byte i;

  atomic {
    // Whoever takes comes behind those who give.
    for (i : 1 .. N) {
      run Leaf(2 * N - i)
    }
    for (i : 1 .. N - 1) {
      run Join(N - i, 2 * (N - i), 2 * (N - i) + 1)
    }
    run Root();
    i = 0
  }
}
