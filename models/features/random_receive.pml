// q ?? m takes the first message that matches, wherever it is in the queue.
// expect: verdict holds
// expect: errors 0
// expect: stored 97
// expect: matched 89
// expect: transitions 186
// expect: atomic 0
// expect: depth 10
// spin: spin -o1 -o2 -o3 -a random_receive.pml && gcc -DNOREDUCE -DSAFETY -DNOCLAIM -o pan pan.c && ./pan -m1000000 -c0

mtype = { red, blue };
chan q = [3] of { mtype, byte };

active proctype Sender()
{
  q ! red, 1;
  q ! blue, 2;
  q ! red, 3
}

active [2] proctype Picker()
{
  byte n;

  if
  :: q ?? blue, n -> assert(n == 2)
  :: q ?? red, n -> assert(n == 1 || n == 3)
  :: q ?? n, 3 -> assert(n == red)
  fi
}
