// Two offices hire in any order, and the number of a desk travels as a message. Nobody asks who was
// hired first, and those who have desks are hired by one alone, so that the order makes no difference.
// expect: verdict holds
// expect: errors 0
// expect: stored 11287
// expect: matched 20276
// expect: transitions 31563
// expect: atomic 0
// expect: depth 355
// spin: spin -o1 -o2 -o3 -a travelling.pml && gcc -DNOREDUCE -DSAFETY -DNOCLAIM -o pan pan.c && ./pan -m1000000 -c0

chan hall = [1] of { chan };
byte hired_first, hired_last;

proctype Clerk() {
  chan desk = [1] of { bit };

  hall ! desk;
  do
  :: desk ? _
  od
}

proctype Messenger(bit paper) {
  chan where;

  do
  :: hall ? where; where ! paper; hall ! where
  od
}

active proctype Upper() {
  run Clerk();
  hired_first = run Messenger(0);
  run Clerk()
}

active proctype Lower() {
  hired_last = run Messenger(1);
  run Messenger(1)
}
