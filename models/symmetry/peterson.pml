/* Mutual exclusion by the algorithm of Peterson, for N processes. A process climbs N - 1 levels.
 * On each it becomes the last to have come there, and waits until somebody else is, or nobody else
 * is on this level or above. That is asked for in one step: all processes are looked at, none in
 * particular, so they can be exchanged. Their names are 1 to N; 0 is nobody.
 */
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
