// Jumps inside, out of, and to the last statement of an atomic sequence.
// expect: verdict holds
// expect: errors 0
// expect: stored 13
// expect: matched 6
// expect: transitions 19
// expect: atomic 21
// expect: depth 12
// spin: spin -o1 -o2 -o3 -a atomic_goto.pml && gcc -DNOREDUCE -DSAFETY -DNOCLAIM -o pan pan.c && ./pan -m1000000 -c0

byte x;

active [2] proctype Jumps()
{
again:
  atomic {
    x++;
    if
    :: x == 1 -> goto last
    :: x == 2 -> goto again
    :: x > 2 -> x = x - 2; goto out
    fi;
    x = 9;
last:
    x = x + 2
  };
out:
  assert(x < 5)
}
