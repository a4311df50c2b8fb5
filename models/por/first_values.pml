// A variable gets its first value when its process is started: what that depends on matters to the one
// who starts it.
// expect: verdict violated
// expect: errors 6
// expect: stored 103
// expect: matched 73
// expect: transitions 176
// expect: atomic 0
// expect: depth 10
// spin: spin -o1 -o2 -o3 -a first_values.pml && gcc -DNOREDUCE -DSAFETY -DNOCLAIM -o pan pan.c && ./pan -m1000000 -c0

chan c = [1] of { byte };
byte shared, empty_seen, full_seen;

proctype Child()
{
  byte messages = len(c), copy = shared;

  if
  :: messages == 0 && copy == 0 -> empty_seen = 1
  :: messages == 0 && copy == 1 -> assert(false)
  :: messages == 1 -> full_seen = 1
  fi
}

active proctype Parent() { run Child() }

active proctype Sender() { c ! 1; shared = 1 }

active proctype Writer() { shared = 1 }
