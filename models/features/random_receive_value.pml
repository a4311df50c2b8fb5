// Without a constant or eval in it, ?? takes the head of the queue like ?.
// expect: verdict holds
// expect: errors 0
// expect: stored 66
// expect: matched 75
// expect: transitions 141
// expect: atomic 0
// expect: depth 10
// spin: spin -o1 -o2 -o3 -a random_receive_value.pml && gcc -DNOREDUCE -DSAFETY -DNOCLAIM -o pan pan.c && ./pan -m1000000 -c0

chan q = [3] of { byte };

active proctype Sender()
{
  q ! 3;
  q ! 1;
  q ! 3
}

active [2] proctype Receiver()
{
  byte x = 1;

  if
  :: q ?? x -> assert(x == 3 || x == 1)
  :: q ?? eval(x) -> assert(x == 1)
  fi
}
