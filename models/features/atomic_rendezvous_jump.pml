// In an atomic sequence a jump to its last statement is kept as a step. After
// a rendezvous send, where the sender loses control, this step is visible as
// a stored state.
// expect: verdict holds
// expect: errors 0
// expect: stored 26
// expect: matched 8
// expect: transitions 34
// expect: atomic 9
// expect: depth 9
// spin: spin -o1 -o2 -o3 -a atomic_rendezvous_jump.pml && gcc -DNOREDUCE -DSAFETY -DNOCLAIM -o pan pan.c && ./pan -m1000000 -c0

chan c = [0] of { byte };
byte x;

active proctype Sender()
{
  atomic {
    if
    :: c ! 1; goto last
    :: c ! 2; x = 4
    fi;
    x++;
last:
    x++
  };
  x++
}

active proctype Receiver()
{
  byte y;

  c ? y;
  x = x + y
}
