// Mutual exclusion by the algorithm of Peterson, for N processes. A process climbs N - 1 levels. On
// each it becomes the last to have come there, and waits until somebody else is, or nobody else is on
// this level or above. That is asked in one step: all processes are looked at, none in particular, so
// they can be exchanged. Their names are 1 to N; 0 is nobody.
// Follows: [001 ch. 6, section 5.1], from the description.
// expect: verdict holds
// expect: errors 0
// expect: stored 3407
// expect: matched 5367
// expect: transitions 8774
// expect: atomic 12
// expect: depth 1017
// spin: spin -o1 -o2 -o3 -a peterson.pml && gcc -DNOREDUCE -DSAFETY -DNOCLAIM -o pan pan.c && ./pan -m1000000 -c0
#ifndef N
#define N 3
#endif

#define LOW(j) (j == me || level[j] < k)
#if N == 2
#define ALONE (LOW(1) && LOW(2))
#elif N == 3
#define ALONE (LOW(1) && LOW(2) && LOW(3))
#elif N == 4
#define ALONE (LOW(1) && LOW(2) && LOW(3) && LOW(4))
#elif N == 5
#define ALONE (LOW(1) && LOW(2) && LOW(3) && LOW(4) && LOW(5))
#elif N == 6
#define ALONE (LOW(1) && LOW(2) && LOW(3) && LOW(4) && LOW(5) && LOW(6))
#else
#define ALONE (LOW(1) && LOW(2) && LOW(3) && LOW(4) && LOW(5) && LOW(6) && LOW(7))
#endif

byte level[N + 1];
byte last[N];
byte inside;

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
