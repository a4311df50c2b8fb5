// name(args) is another way to write a message whose first field is a name.
// expect: verdict holds
// expect: errors 0
// expect: stored 19
// expect: matched 4
// expect: transitions 23
// expect: atomic 0
// expect: depth 8
// spin: spin -o1 -o2 -o3 -a message_syntax.pml && gcc -DNOREDUCE -DSAFETY -DNOCLAIM -o pan pan.c && ./pan -m1000000 -c0

mtype = { open, close };
chan q = [2] of { mtype, byte, byte };

active proctype Sender()
{
  q ! open(1, 2);
  q ! close, 3, 4
}

active proctype Receiver()
{
  byte a, b;

  do
  :: q ? open(a, b) -> assert(a == 1 && b == 2)
  :: q ? close(a, 4) -> assert(a == 3); break
  :: q ?? close(3, b) -> assert(b == 4)
  :: timeout -> break
  od
}
