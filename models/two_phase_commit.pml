// Two-phase commit. A coordinator asks the participants for their vote and
// commits only if all of them say yes. A participant may vote no, or crash
// before it votes; the coordinator notices silence by a timeout and aborts.
// No participant commits while another one aborts.
// expect: verdict holds
// expect: errors 0
// expect: stored 24680
// expect: matched 57737
// expect: transitions 82417
// expect: atomic 0
// expect: depth 55
// spin: spin -o1 -o2 -o3 -a two_phase_commit.pml && gcc -DNOREDUCE -DSAFETY -DNOCLAIM -o pan pan.c && ./pan -m1000000 -c0

#define N 3

mtype = { prepare, yes, no, commit, abort };

chan to[N] = [2] of { mtype };
chan votes = [N] of { mtype };

byte committed, aborted;

active [N] proctype Participant()
{
  to[_pid] ? prepare;
  if
  :: votes ! yes                          // prepared: bound by the decision
  :: votes ! no; aborted++; goto done
  :: aborted++; goto crash                // down, undone at the restart
  fi;

  if
  :: to[_pid] ? commit -> committed++
  :: to[_pid] ? abort  -> aborted++
  fi;
  assert(committed == 0 || aborted == 0);
  goto done;

crash:
  skip;
done:
  skip
}

active proctype Coordinator()
{
  byte i;
  byte ayes;
  mtype decision = abort;

  for (i : 0 .. N - 1) {
    to[i] ! prepare
  };

  do
  :: votes ? yes ->
     ayes++;
     if
     :: ayes == N -> decision = commit; break
     :: ayes < N
     fi
  :: votes ? no -> break
  :: timeout -> break                     // somebody does not answer
  od;

  for (i : 0 .. N - 1) {
    to[i] ! decision
  };
  assert(decision == abort || aborted == 0)
}
