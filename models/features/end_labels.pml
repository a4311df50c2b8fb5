// A process may stop at a label that begins with "end" as well as at its end.
// The second server has no such label where it waits.
// expect: verdict violated
// expect: errors 1
// expect: stored 21
// expect: matched 17
// expect: transitions 38
// expect: atomic 0
// expect: depth 6
// spin: spin -o1 -o2 -o3 -a end_labels.pml && gcc -DNOREDUCE -DSAFETY -DNOCLAIM -o pan pan.c && ./pan -m1000000 -c0

chan q = [1] of { byte };
chan r = [1] of { byte };

active proctype Good()
{
endless:
  do
  :: q ? _
  od
}

active proctype Bad()
{
  do
  :: r ? _
  :: r ? 1; break
  od
}

active proctype Client()
{
  q ! 1;
  if
  :: r ! 1
  :: r ! 2
  fi
}
