// O opens and closes the way to A for ever. Whether B ever takes its `else` for good depends on O,
// though O uses no channel.
// expect: verdict holds
// expect: errors 0
// expect: stored 18
// expect: matched 37
// expect: transitions 55
// expect: atomic 0
// expect: depth 14
// expect: ltl sends violated
// expect: ltl sends weak violated
// expect: ltl sends strong violated
// expect: ltl gives_up violated
// expect: ltl gives_up weak violated
// expect: ltl gives_up strong violated
// expect: ltl either violated
// expect: ltl either weak violated
// expect: ltl either strong violated
// spin: spin -o1 -o2 -o3 -a provided_opens.pml && gcc -DNOREDUCE -DSAFETY -DNOCLAIM -o pan pan.c && ./pan -m1000000 -c0
chan c = [0] of { bit };
bool open;
byte x;

active proctype A() provided (open)
{
  do
  :: c ? 1
  od
}

active proctype O()
{
  do
  :: open = true
  :: open = false
  od
}

active proctype B()
{
  do
  :: c ! 1 -> x = 1
  :: else -> x = 2
  od
}

ltl sends { <> (x == 1) }
ltl gives_up { <> [] (x != 1) }
ltl either { [] (x == 2 -> <> (x == 1)) }
