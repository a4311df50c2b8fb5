// Macros with arguments, over several lines, and one macro within another.
// expect: verdict holds
// expect: errors 0
// expect: stored 129
// expect: matched 97
// expect: transitions 226
// expect: atomic 0
// expect: depth 33
// spin: spin -o1 -o2 -o3 -a macro_function.pml && gcc -DNOREDUCE -DSAFETY -DNOCLAIM -o pan pan.c && ./pan -m1000000 -c0

#define max(a, b)     ((a) > (b) -> (a) : (b))
#define clamp(v, hi)  ((v) > (hi) -> (hi) : (v))
#define move(v, d)                         \
  if                                       \
  :: v = clamp(v + d, 5)                   \
  :: v > 0 -> v = v - 1                    \
  fi

byte x, y;

active proctype Walk()
{
  do
  :: move(x, 2)
  :: move(y, 3)
  :: max(x, y) == 5 -> break
  od;
  assert(x == 5 || y == 5)
}
