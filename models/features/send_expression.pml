// The fields of a send are expressions, evaluated when it is executed.
// expect: verdict holds
// expect: errors 0
// expect: stored 49
// expect: matched 30
// expect: transitions 79
// expect: atomic 0
// expect: depth 11
// spin: spin -o1 -o2 -o3 -a send_expression.pml && gcc -DNOREDUCE -DSAFETY -DNOCLAIM -o pan pan.c && ./pan -m1000000 -c0

chan q = [1] of { byte, bool };
byte x = 3;

active proctype Sender()
{
  q ! x * 2 + 1, x == 3;
  q ! (x > 3 -> 1 : 0), len(q) == 0
}

active proctype Change() { x = 5; x = 3 }

active proctype Receiver()
{
  byte v;
  bool b;

  q ? v, b;
  assert((v == 7) == b);
  q ? v, b;
  assert(v <= 1 && b)
}
