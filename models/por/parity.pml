// A tree that computes the parity of bits. Each of N leaves writes a bit and
// waits until it was taken; a node takes the bits of its two children, passes
// their parity up and lets them go on; the root takes what comes out.
// Follows: [001, ch. 2, Fig. 3 and Table 2], from the description.

#ifndef N
#define N 4
#endif

// The nodes of a heap: node 1 is at the top, nodes N to 2N - 1 are the leaves.
byte request[2 * N];                // 0 none, 1 an even bit, 2 an odd one
bool taken[2 * N];

proctype Leaf(byte me)
{
  do
  :: if
     :: request[me] = 1
     :: request[me] = 2
     fi;
     taken[me];
     taken[me] = false
  od
}

proctype Join(byte me)
{
  byte sum;

  do
  :: request[2 * me] > 0 && request[2 * me + 1] > 0;
     sum = 1 + (request[2 * me] + request[2 * me + 1]) % 2;
     d_step { request[2 * me] = 0; request[2 * me + 1] = 0 };
     request[me] = sum;
     taken[2 * me] = true;
     taken[2 * me + 1] = true;
     taken[me];
     taken[me] = false;
     sum = 0
  od
}

proctype Root()
{
  do
  :: request[1] > 0;
     request[1] = 0;
     taken[1] = true
  od
}

init
{
  byte i;

  atomic {
    run Root();
    for (i : 1 .. N - 1) {
      run Join(i)
    }
    for (i : N .. 2 * N - 1) {
      run Leaf(i)
    }
    i = 0
  }
}
