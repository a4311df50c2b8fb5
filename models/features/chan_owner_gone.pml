// A local channel used after its process has disappeared: an error that ends
// the search.
// expect: verdict violated
// expect: errors 1
// spin: spin -o1 -o2 -o3 -a chan_owner_gone.pml && gcc -DNOREDUCE -DSAFETY -DNOCLAIM -o pan pan.c && ./pan -m1000000 -c0

chan names = [1] of { chan };
byte x;

proctype Owner()
{
  chan q = [1] of { byte };

  names ! q
}

init {
  chan c;

  run Owner();
  names ? c;
  if
  :: x = 1
  :: x = 2
  fi;
  (_nr_pr == 1);
  c ! x
}
