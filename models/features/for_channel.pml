// A loop over the messages of a channel: each of them is looked at and goes
// back to the end of the queue.
// expect: verdict holds
// expect: errors 0
// expect: stored 145
// expect: matched 48
// expect: transitions 193
// expect: atomic 0
// expect: depth 33
// spin: spin -o1 -o2 -o3 -a for_channel.pml && gcc -DNOREDUCE -DSAFETY -DNOCLAIM -o pan pan.c && ./pan -m1000000 -c0

typedef Msg { byte x; bit odd };

chan q = [4] of { Msg };
byte sum;

active proctype Fill()
{
  Msg m;

  m.x = 3; m.odd = 1;
  q ! m;
  if
  :: m.x = 4; m.odd = 0; q ! m
  :: skip
  fi;
  m.x = 5; m.odd = 1;
  q ! m
}

active proctype Sum()
{
  Msg m;

  (len(q) > 1);
  for (m in q) {
    assert(m.x % 2 == m.odd);
    sum = sum + m.x
  };
  assert(sum >= 7)
}
