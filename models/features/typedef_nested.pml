// Structures inside structures, reached with dots, also with initialisers.
// expect: verdict holds
// expect: errors 0
// expect: stored 49
// expect: matched 25
// expect: transitions 74
// expect: atomic 0
// expect: depth 13
// spin: spin -o1 -o2 -o3 -a typedef_nested.pml && gcc -DNOREDUCE -DSAFETY -DNOCLAIM -o pan pan.c && ./pan -m1000000 -c0

typedef Point {
  byte x = 1;
  byte y
};

typedef Segment {
  Point from, to;
  bool open
};

Segment s;

active proctype Draw()
{
  assert(s.from.x == 1 && s.to.x == 1 && s.from.y == 0);
  do
  :: s.to.x < 3 -> s.to.x++
  :: s.to.y < 2 -> s.to.y++
  :: s.open = !s.open
  :: s.to.x == 3 && s.to.y == 2 -> break
  od;
  s.from.x = s.to.x
}
