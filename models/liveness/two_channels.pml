// Processes with two channels each, one with room for a message and one without. They run for ever, so
// a fair cycle violates the formula; it has to close when processes are renamed along it.
// expect: verdict holds
// expect: errors 0
// expect: stored 16
// expect: matched 31
// expect: transitions 47
// expect: atomic 12
// expect: depth 24
// expect: ltl seven violated
// expect: ltl seven weak violated
// expect: ltl seven strong violated
// spin: spin -o1 -o2 -o3 -a two_channels.pml && gcc -DNOREDUCE -DSAFETY -DNOCLAIM -o pan pan.c && ./pan -m1000000 -c0
byte x;
chan first[4] = [1] of { bit };
chan second[4] = [0] of { bit };

proctype P(byte i)
{
  do
  :: x = 1;
     x = 2
  :: first[i] ? _
  :: second[i] ? _
  od
}

init {
  byte k;
  atomic {
    for (k : 1 .. 3) {
      run P(k)
    }
    k = 0
  }
}

ltl seven { <> (x == 7) }
