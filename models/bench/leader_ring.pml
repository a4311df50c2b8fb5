// Leader election on a one-way ring, after Chang and Roberts. A node that wakes
// up sends its number around; a node passes on higher numbers only. The number
// that comes back to its owner is the highest one, and its owner is the leader,
// who sends the news around. N is odd, and the numbers go up by two from node to
// node, twice around the ring.
// expect: verdict holds
// expect: errors 0
// expect: stored 5033
// expect: matched 13582
// expect: transitions 18615
// expect: atomic 18
// expect: depth 92
// spin: spin -o1 -o2 -o3 -a leader_ring.pml && gcc -DNOREDUCE -DSAFETY -DNOCLAIM -o pan pan.c && ./pan -m1000000 -c0

#ifndef N
#define N 5
#endif

mtype = { candidate, leader };

chan link[N] = [N] of { mtype, byte };
byte leaders;                     // nodes that consider themselves elected
byte elected;                     // the number of the leader

proctype Node(byte place; byte number)
{
  chan in  = link[place];
  chan out = link[(place + 1) % N];
  byte n;
  byte highest;                   // the highest number seen

  out ! candidate, number;
  highest = number;
  do
  :: in ? candidate, n ->
     if
     :: n > highest ->
        highest = n;
        out ! candidate, n
     :: n == number ->
        leaders++;
        assert(leaders == 1);
        elected = number;
        out ! leader, number
     :: n <= highest && n != number       // swallowed
     fi
  :: in ? leader, n ->
     assert(n == N && n == elected);
     if
     :: n != number -> out ! leader, n
     :: else                              // the news went all the way round
     fi;
     break
  od
}

init {
  byte i;

  atomic {
    for (i : 0 .. N - 1) {
      run Node(i, (2 * i) % N + 1)
    }
  }
}
