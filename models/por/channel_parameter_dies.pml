// A channel that is a parameter is forgotten when its process does not need it any
// more. With b == 0, Watcher comes late, when Sender has forgotten its channel; with
// b == 1 it comes early. What is known about the processes in the first case is less
// than in the second one, and both speak of states in which the channel is forgotten:
// what was found out from one point of view must not be told from the other.
// expect: verdict violated
// expect: errors 2
// expect: stored 243
// expect: matched 242
// expect: transitions 485
// expect: atomic 70
// expect: depth 22
// spin: spin -o1 -o2 -o3 -a channel_parameter_dies.pml && gcc -DNOREDUCE -DSAFETY -DNOCLAIM -o pan pan.c && ./pan -m1000000 -c0

chan x = [4] of { byte };
chan y = [4] of { byte };
byte b, begun, halt, sent, first, second, open;

proctype Sender(chan out)
{
  if
  :: b == 0
  :: begun == 1
  fi;
  if
  :: skip
  :: out ! 1
  fi;
  sent = 1
}

proctype Late()
{
  begun == 1;
  if
  :: skip
  :: x ! 1
  fi;
endlate:
  atomic { sent == 1 && (b == 1 || first == 0) -> second = 1 };
  y ! 1
}

proctype Reader()
{
endreader:
  begun == 1 && (b == 0 || open == 1);
  if
  :: nempty(x) && nempty(y) -> assert(b == 0)
  :: skip
  fi;
  y ! 2
}

proctype Gate()
{
  begun == 1;
endgate:
  if
  :: atomic { b == 0 && second == 0 -> first = 1 }
  :: atomic { b == 1 && second == 1 -> open = 1 }
  fi;
endstop:
  halt == 1
}

proctype Watcher()
{
  begun = 1;
endwatcher:
  halt == 1
}

init
{
  if
  :: b = 0
  :: b = 1
  fi;
  atomic { run Sender(x); run Late(); run Reader(); run Gate() };
  if
  :: b == 0 && sent == 1
  :: b == 1
  fi;
  run Watcher()
}
