// Formulas about variables of processes, before the proctype and behind it.
// expect: verdict holds
// expect: errors 0
// expect: stored 124
// expect: matched 13
// expect: transitions 137
// expect: atomic 24
// expect: depth 76
// expect: ltl exclusive holds
// expect: ltl after holds
// expect: ltl alternate violated
// spin: spin -o1 -o2 -o3 -a remote_ltl.pml && gcc -DNOREDUCE -DSAFETY -DNOCLAIM -o pan pan.c && ./pan -m1000000 -c0

ltl exclusive { [] !(Worker[0]:inside && Worker[1]:inside) }

bool lock;

active [2] proctype Worker()
{
  bool inside, seen;
  byte rounds;

  do
  :: atomic { !lock -> lock = true };
     inside = true;
     rounds = 1 - rounds;
     inside = false;
     seen = Worker[1 - _pid]:rounds;
     lock = false
  od
}

ltl after { [] (Worker[1]:seen -> (Worker[1]:seen U (Worker[0]:rounds == 0 || lock))) }
ltl alternate { [] (Worker[0]:rounds == 1 -> <> (Worker[1]:rounds == 1)) }
