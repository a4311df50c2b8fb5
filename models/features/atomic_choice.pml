// Inside an atomic sequence no state is stored: all paths through its choices
// are followed, and those that end in the same state are matched.
// expect: verdict holds
// expect: errors 0
// expect: stored 110
// expect: matched 164
// expect: transitions 274
// expect: atomic 243
// expect: depth 10
// spin: spin -o1 -o2 -o3 -a atomic_choice.pml && gcc -DNOREDUCE -DSAFETY -DNOCLAIM -o pan pan.c && ./pan -m1000000 -c0

byte a, b;

active [2] proctype Choose()
{
  atomic {
    if
    :: a++
    :: b++
    :: skip
    fi;
    if
    :: a++
    :: b++
    fi
  };
  assert(a + b <= 4)
}
