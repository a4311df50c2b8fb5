// A listens on c as long as nobody listens on d, where it would rather send. So O, which only ever
// receives from d, decides whether B can send to c.
// expect: verdict violated
// expect: errors 2
// expect: stored 19
// expect: matched 5
// expect: transitions 24
// expect: atomic 0
// expect: depth 11
// spin: spin -o1 -o2 -o3 -a escape_closes.pml && gcc -DNOREDUCE -DSAFETY -DNOCLAIM -o pan pan.c && ./pan -m1000000 -c0
chan c = [0] of { bit };
chan d = [0] of { bit };
bool late;

active proctype A()
{
  c ? 1 unless { d ! 1 }
}

active proctype O()
{
  late;
  d ? 1
}

active proctype T()
{
  late = true
}

active proctype B()
{
  late;
  if
  :: c ! 1
  :: else -> assert(false)
  fi
}
