// A process that starts further processes of its own type.
// expect: verdict holds
// expect: errors 0
// expect: stored 1955
// expect: matched 3903
// expect: transitions 5858
// expect: atomic 0
// expect: depth 33
// spin: spin -o1 -o2 -o3 -a run_recursive.pml && gcc -DNOREDUCE -DSAFETY -DNOCLAIM -o pan pan.c && ./pan -m1000000 -c0

byte depth_reached;

proctype Tree(byte level)
{
  depth_reached = (level > depth_reached -> level : depth_reached);
  if
  :: level < 2 -> run Tree(level + 1); run Tree(level + 1)
  :: level > 0 -> skip
  fi
}

init { run Tree(0) }
