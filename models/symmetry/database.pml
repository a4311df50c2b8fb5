// N managers of copies of a data base. One at a time changes its copy and tells all others; each
// takes its message, changes its own copy and answers, and the first one goes on when all have.
// Follows: [001 ch. 6, section 5.2], from the description.
// expect: verdict holds
// expect: errors 0
// expect: stored 881
// expect: matched 945
// expect: transitions 1826
// expect: atomic 2671
// expect: depth 250
// spin: spin -o1 -o2 -o3 -a database.pml && gcc -DNOREDUCE -DSAFETY -DNOCLAIM -o pan pan.c && ./pan -m1000000 -c0
#ifndef N
#define N 4
#endif

mtype = { idle, sent, received, answered };

// What there is for each manager. Their names are 1 to N; 0 is nobody.
mtype mail[N + 1] = idle;
bool busy;

#define DONE(j) (j == me || mail[j] == answered)
#define UP2 (DONE(1) && DONE(2))
#define UP3 (UP2 && DONE(3))
#define UP4 (UP3 && DONE(4))
#define UP5 (UP4 && DONE(5))
#define UP6 (UP5 && DONE(6))
#define UP7 (UP6 && DONE(7))
#define UP8 (UP7 && DONE(8))
#define UP9 (UP8 && DONE(9))
#define UP10 (UP9 && DONE(10))
#define UP11 (UP10 && DONE(11))
#define UP12 (UP11 && DONE(12))
#if N == 2
#define ALL UP2
#elif N == 3
#define ALL UP3
#elif N == 4
#define ALL UP4
#elif N == 5
#define ALL UP5
#elif N == 6
#define ALL UP6
#elif N == 7
#define ALL UP7
#elif N == 8
#define ALL UP8
#elif N == 9
#define ALL UP9
#elif N == 10
#define ALL UP10
#elif N == 11
#define ALL UP11
#else
#define ALL UP12
#endif

proctype Manager(byte me)
{
  byte j;

  do
  :: atomic {
       !busy ->
       busy = true;
       for (j : 1 .. N) {
         if
         :: j != me -> mail[j] = sent
         :: else
         fi
       }
     };
     atomic {
       ALL ->
       for (j : 1 .. N) {
         mail[j] = idle
       };
       busy = false
     }
  :: atomic {
       mail[me] == sent -> mail[me] = received
     };
     mail[me] = answered
  od
}

init {
  byte i;

  atomic {
    for (i : 1 .. N) {
      run Manager(i)
    }
  }
}
