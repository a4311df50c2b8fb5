// Leader election on a one-way ring, after Chang and Roberts. Every node sends
// its number around; a node passes on higher numbers only. The number that
// comes back to its owner is the highest one, and its owner is the leader.
// The numbers are dealt out in every possible order.
// expect: verdict holds
// expect: errors 0
// expect: stored 8505
// expect: matched 12659
// expect: transitions 21164
// expect: atomic 410
// expect: depth 80
// spin: spin -o1 -o2 -o3 -a leader_ring.pml && gcc -DNOREDUCE -DSAFETY -DNOCLAIM -o pan pan.c && ./pan -m1000000 -c0

#define N 4

mtype = { candidate, leader };

chan link[N] = [N] of { mtype, byte };
byte leaders;                     // nodes that consider themselves elected
byte elected;                     // the number of the leader

proctype Node(byte place; byte number)
{
  chan in  = link[place];
  chan out = link[(place + 1) % N];
  byte n;

  out ! candidate, number;
  do
  :: in ? candidate, n ->
     if
     :: n > number -> out ! candidate, n
     :: n == number ->
        leaders++;
        assert(leaders == 1);
        elected = number;
        out ! leader, number
     :: n < number                // swallowed
     fi
  :: in ? leader, n ->
     assert(n == N && n == elected);
     if
     :: n != number -> out ! leader, n
     :: else                      // the news went all the way round
     fi;
     break
  od
}

init {
  byte place;
  byte number;
  bool dealt[N + 1];

  atomic {
    for (place : 0 .. N - 1) {
      if                          // any number that is still free
      :: !dealt[1] -> number = 1
      :: !dealt[2] -> number = 2
      :: !dealt[3] -> number = 3
      :: !dealt[4] -> number = 4
      fi;
      dealt[number] = true;
      run Node(place, number)
    }
  }
}
