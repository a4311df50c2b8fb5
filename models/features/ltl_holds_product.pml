// A formula about infinite runs that holds; the counts called "product" include
// the automaton of its negation, in the search for acceptance cycles.
// product: spin -o1 -o2 -o3 -a ltl_holds_product.pml && gcc -DNOREDUCE -o pan pan.c && ./pan -a -m1000000 -c0
// expect: verdict holds
// expect: errors 0
// expect: stored 8
// expect: matched 1
// expect: transitions 9
// expect: atomic 0
// expect: depth 7
// expect: ltl returns holds
// expect: product errors 0
// expect: product stored 12
// spin: spin -o1 -o2 -o3 -a ltl_holds_product.pml && gcc -DNOREDUCE -DSAFETY -DNOCLAIM -o pan pan.c && ./pan -m1000000 -c0

byte x;

ltl returns { [] (x == 2 -> <> (x == 0)) }

active [2] proctype Wheel()
{
  do
  :: x % 2 == _pid -> x = (x + 1) % 4
  od
}
