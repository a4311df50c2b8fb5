// A number is used as a channel that nobody handed on: the clerk's desk is known to the visitor all the
// same, whose paper may come first.
// expect: verdict violated
// expect: errors 1
// spin: spin -o1 -o2 -o3 -a guessed.pml && gcc -DNOREDUCE -DSAFETY -DNOCLAIM -o pan pan.c && ./pan -m1000000 -c0

proctype Clerk() {
  chan desk = [2] of { byte };
  byte paper;

  desk ! 1;
  desk ? paper;
  assert(paper == 1)
}

proctype Visitor(chan desk) {
  desk ! 2
}

init {
  run Clerk();
  run Visitor(1)
}
