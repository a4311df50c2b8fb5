// Two processes and a lock that is taken in one step. Whoever waits for it is
// enabled again and again, but not all the time: only strong fairness lets
// everybody in. Somebody holds the lock again and again in any case. Progress
// is when the first process has been inside.
// expect: verdict holds
// expect: errors 0
// expect: stored 27
// expect: matched 22
// expect: transitions 49
// expect: atomic 6
// expect: depth 25
// expect: ltl everybody violated
// expect: ltl everybody weak violated
// expect: ltl everybody strong holds
// expect: ltl somebody holds
// expect: ltl somebody weak holds
// expect: ltl exclusive holds
// expect: ltl exclusive weak holds
// expect: progress violated
// expect: progress weak violated
// expect: progress strong holds
// spin: spin -o1 -o2 -o3 -a fairness_lock.pml && gcc -DNOREDUCE -DSAFETY -DNOCLAIM -o pan pan.c && ./pan -m1000000 -c0

bool locked;
byte inside;

ltl everybody { [] <> Worker[0]@critical }
ltl somebody { [] <> (inside > 0) }
ltl exclusive { [] (inside <= 1) }

active [2] proctype Worker()
{
  do
  :: atomic { !locked -> locked = true };
     inside++;
critical:
     inside--;
     locked = false;
     if
     :: _pid == 0 -> progress: skip
     :: else -> skip
     fi
  od
}
