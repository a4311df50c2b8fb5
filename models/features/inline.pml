// An inline is expanded where it is called; its parameters are replaced in its
// text, so they can be assigned to.
// expect: verdict holds
// expect: errors 0
// expect: stored 123
// expect: matched 57
// expect: transitions 180
// expect: atomic 0
// expect: depth 17
// spin: spin -o1 -o2 -o3 -a inline.pml && gcc -DNOREDUCE -DSAFETY -DNOCLAIM -o pan pan.c && ./pan -m1000000 -c0

byte a, b;

inline swap(x, y)
{
  d_step {
    byte t = x;
    x = y;
    y = t;
    t = 0
  }
}

inline increase(x, step) { x < 5 -> x = x + step }

active proctype User()
{
  do
  :: increase(a, 2)
  :: increase(b, 3)
  :: swap(a, b)
  :: a >= 5 && b >= 5 -> break
  od
}
