// Each process has two channels, one in each of two arrays, and a variable that holds now the one, now
// the other. An exchange of processes turns the first channel of one into the first of the other, and
// the second into the second. Were both turned into the first, `c` would never be seen to hold the second.
// expect: verdict violated
// expect: errors 27
// expect: stored 28
// expect: matched 163
// expect: transitions 191
// expect: atomic 29
// expect: depth 18
// spin: spin -o1 -o2 -o3 -a two_channels.pml && gcc -DNOREDUCE -DSAFETY -DNOCLAIM -o pan pan.c && ./pan -m1000000 -c0
chan first[4] = [1] of { bit };
chan second[4] = [1] of { bit };

proctype P(byte i)
{
  chan c;
  do
  :: atomic { c = first[i] }
  :: atomic { c = second[i] }
  :: atomic { c == second[i] -> assert(false) }
  od
}

init {
  atomic {
    run P(1);
    run P(2);
    run P(3)
  }
}
