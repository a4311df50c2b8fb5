// Two processes and a lock that is taken in one step. Whoever waits for it is
// enabled again and again, but not all the time: only strong fairness lets
// everybody in. Somebody holds the lock again and again in any case, except
// that without fairness nobody has to leave.
// expect: ltl everybody violated
// expect: ltl everybody weak violated
// expect: ltl everybody strong holds
// expect: ltl somebody holds
// expect: ltl somebody weak holds
// expect: ltl exclusive holds
// expect: ltl exclusive weak holds
// expect: progress violated
// expect: progress weak holds
// expect: progress strong holds

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
     :: else -> progress_too: skip
     fi
  od
}
