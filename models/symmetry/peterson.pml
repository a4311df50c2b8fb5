// Mutual exclusion by the algorithm of Peterson, for N processes. A process climbs N - 1 levels. On
// each it becomes the last to have come there, and waits until somebody else is, or nobody else is on
// this level or above. That is asked in one step: all processes are looked at, none in particular, so
// they can be exchanged. Their names are 1 to N; 0 is nobody.
// Follows: [001 ch. 6, section 5.1], from the description. [000, Table 1] has a response property that
// does not hold under weak fairness, and does not say which: ours are `empties`, and `enters`, which
// does.
// expect: verdict holds
// expect: errors 0
// expect: stored 3407
// expect: matched 5367
// expect: transitions 8774
// expect: atomic 12
// expect: depth 1017
// expect: ltl empties violated
// expect: ltl empties weak violated
// expect: ltl empties strong violated
// expect: ltl enters holds
// expect: ltl enters weak holds
// expect: ltl enters strong holds
// spin: spin -o1 -o2 -o3 -a peterson.pml && gcc -DNOREDUCE -DSAFETY -DNOCLAIM -o pan pan.c && ./pan -m1000000 -c0
#ifndef N
#define N 3
#endif

#define LOW(j) (j == me || level[j] < k)
#define UP(j) (level[j] > 0)
#if N == 2
#define ALONE (LOW(1) && LOW(2))
#define SOMEBODY (UP(1) || UP(2))
#elif N == 3
#define ALONE (LOW(1) && LOW(2) && LOW(3))
#define SOMEBODY (UP(1) || UP(2) || UP(3))
#elif N == 4
#define ALONE (LOW(1) && LOW(2) && LOW(3) && LOW(4))
#define SOMEBODY (UP(1) || UP(2) || UP(3) || UP(4))
#elif N == 5
#define ALONE (LOW(1) && LOW(2) && LOW(3) && LOW(4) && LOW(5))
#define SOMEBODY (UP(1) || UP(2) || UP(3) || UP(4) || UP(5))
#elif N == 6
#define ALONE (LOW(1) && LOW(2) && LOW(3) && LOW(4) && LOW(5) && LOW(6))
#define SOMEBODY (UP(1) || UP(2) || UP(3) || UP(4) || UP(5) || UP(6))
#else
#define ALONE (LOW(1) && LOW(2) && LOW(3) && LOW(4) && LOW(5) && LOW(6) && LOW(7))
#define SOMEBODY (UP(1) || UP(2) || UP(3) || UP(4) || UP(5) || UP(6) || UP(7))
#endif

byte level[N + 1];
byte last[N];
byte inside;

// A response that need not come: processes may climb one after the other, and there is always somebody
// on some level.
ltl empties { [] (SOMEBODY -> <> !SOMEBODY) }
// One that comes: nobody can go round without being inside, and not all can wait.
ltl enters { [] (SOMEBODY -> <> (inside > 0)) }

proctype P(byte me) {
  byte k;
  do
  :: k = 1;
     do
     :: k < N ->
        level[me] = k;
        last[k] = me;
        (last[k] != me || ALONE);
        k++
     :: else -> break
     od;
     inside++;
     assert(inside == 1);
     inside--;
     level[me] = 0
  od
}

init {
  byte i;
  atomic {
    for (i : 1 .. N) {
      run P(i)
    }
  }
}
