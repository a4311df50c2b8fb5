// A failing assertion inside an atomic sequence, reached on several paths.
// expect: verdict violated
// expect: errors 5
// expect: stored 25
// expect: matched 22
// expect: transitions 47
// expect: atomic 66
// expect: depth 8
// spin: spin -o1 -o2 -o3 -a assert_in_atomic.pml && gcc -DNOREDUCE -DSAFETY -DNOCLAIM -o pan pan.c && ./pan -m1000000 -c0

byte x;

active [2] proctype Choose()
{
  atomic {
    if
    :: x++
    :: x = x + 2
    :: x = x + 3
    fi;
    assert(x != 3);
    x++
  }
}
