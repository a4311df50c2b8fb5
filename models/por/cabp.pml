// The concurrent alternating bit protocol: sender, receiver, a process that
// repeats acknowledgements, one that takes them, and two lossy channels.
// Follows: [001, ch. 2, Fig. 4], from the description.
// expect: verdict holds
// expect: errors 0
// expect: stored 5990
// expect: matched 18729
// expect: transitions 24719
// expect: atomic 0
// expect: depth 1978
// spin: spin -o1 -o2 -o3 -a cabp.pml && gcc -DNOREDUCE -DSAFETY -DNOCLAIM -o pan pan.c && ./pan -m1000000 -c0

mtype = { datum, lost };

chan to_k = [0] of { bit, bit };    // data and its bit
chan to_b = [0] of { mtype, bit, bit };
chan to_c = [0] of { bit };
chan to_l = [0] of { bit };
chan to_d = [0] of { mtype, bit };
chan to_a = [0] of { bit };

active proctype A()
{
  bit datum_now, turn, answer;

  do
  :: to_k ! datum_now, turn
  :: to_a ? answer;
     if
     :: answer == turn -> turn = 1 - turn; datum_now = 1 - datum_now
     :: else
     fi;
     answer = 0
  od
}

active proctype K()
{
  bit value, turn;

  do
  :: to_k ? value, turn;
     if
     :: to_b ! datum, value, turn
     :: to_b ! lost, 0, 0
     :: skip
     fi;
     value = 0; turn = 0
  od
}

active proctype B()
{
  bit value, turn, wanted, expected;

  do
  :: to_b ? datum, value, turn;
     if
     :: turn == wanted ->
        assert(value == expected);
        expected = 1 - expected;
        to_c ! wanted;
        wanted = 1 - wanted
     :: else
     fi;
     value = 0; turn = 0
  :: to_b ? lost, value, turn
  od
}

active proctype C()
{
  bit last = 1;

  do
  :: to_l ! last
  :: to_c ? last
  od
}

active proctype L()
{
  bit turn;

  do
  :: to_l ? turn;
     if
     :: to_d ! datum, turn
     :: to_d ! lost, 0
     :: skip
     fi;
     turn = 0
  od
}

active proctype D()
{
  bit turn;

  do
  :: to_d ? datum, turn; to_a ! turn; turn = 0
  :: to_d ? lost, turn
  od
}
