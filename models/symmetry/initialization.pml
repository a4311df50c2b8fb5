// N processes, each with an initial and a main part. None may begin its main part before all have
// finished their initial ones, though nothing is known about the first values of the flags they share.
// A process that has finished clears all flags `set`, so that a flag that is set later was set on
// behalf of a process that has finished, too. Since any process may still clear it, a flag has to be
// set again and again: each process has a companion for that. The two tell each other that they are
// there in the same way, by clearing the flag of the other and setting their own until they see it
// set. There are two families of processes with the same names, 1 to N.
// Follows: [001 ch. 6, section 5.3], from the description; the protocol itself is ours.
// expect: verdict holds
// expect: errors 0
// expect: stored 3832
// expect: matched 11346
// expect: transitions 15178
// expect: atomic 12459
// expect: depth 78
// expect: ltl all_work violated
// expect: ltl all_work weak holds
// expect: ltl all_work strong holds
// spin: spin -o1 -o2 -o3 -a initialization.pml && gcc -DNOREDUCE -DSAFETY -DNOCLAIM -o pan pan.c && ./pan -m1000000 -c0
#ifndef N
#define N 2
#endif

#if N == 2
#define ALL (set[1] && set[2])
#elif N == 3
#define ALL (set[1] && set[2] && set[3])
#elif N == 4
#define ALL (set[1] && set[2] && set[3] && set[4])
#else
#define ALL (set[1] && set[2] && set[3] && set[4] && set[5])
#endif

// Anything at first, and how many processes have chosen.
bool set[N + 1];
bool here[N + 1];
bool there[N + 1];
byte chosen;
// The processes that have finished their initial parts, and those in their main parts.
byte finished;
byte working;

ltl all_work { <> (working == N) }

inline any(flag) {
  if
  :: flag = true
  :: flag = false
  fi
}

proctype Process(byte me)
{
  byte j;

  // What the flags are at first: nobody does anything before it is known.
  atomic {
    any(set[me]);
    any(here[me]);
    any(there[me]);
    chosen++
  };
  chosen == N;
  // The initial part ends.
  atomic {
    finished++;
    there[me] = false
  };
  do
  :: atomic {
       !there[me] -> here[me] = true
     }
  :: atomic {
       there[me] -> here[me] = true;
       break
     }
  od;
  atomic {
    for (j : 1 .. N) {
      set[j] = false
    };
    j = 0
  };
  atomic {
    ALL ->
    assert(finished == N);
    working++
  };
  // The main part.
end:
  do
  :: working > N
  od
}

proctype Companion(byte me)
{
  chosen == N;
  here[me] = false;
  do
  :: atomic {
       !here[me] -> there[me] = true
     }
  :: atomic {
       here[me] -> there[me] = true;
       break
     }
  od;
  do
  :: set[me] = true
  od
}

init {
  byte i;

  atomic {
    for (i : 1 .. N) {
      run Process(i);
      run Companion(i)
    }
  }
}
