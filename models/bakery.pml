// Lamport's bakery: customers draw increasing tickets and are served in their
// order; equal tickets are ordered by process number. Tickets can grow without
// bound, so here the roll has an end: a customer who would need a number
// beyond it goes away and tries again later.
// expect: verdict holds
// expect: errors 0
// expect: stored 6364
// expect: matched 5898
// expect: transitions 12262
// expect: atomic 0
// expect: depth 1889
// spin: spin -o1 -o2 -o3 -a bakery.pml && gcc -DNOREDUCE -DSAFETY -DNOCLAIM -o pan pan.c && ./pan -m1000000 -c0

#define N      2
#define LIMIT  5     // the last ticket on the roll

bool drawing[N];     // process i is choosing its ticket
byte ticket[N];      // 0: not interested
byte inside;

#define before(a, b)  (ticket[a] < ticket[b] || (ticket[a] == ticket[b] && a < b))

active [N] proctype Customer()
{
  byte k;            // the customer looked at
  byte highest;      // the highest ticket seen so far

  do
  :: drawing[_pid] = true;
     highest = 0;
     for (k : 0 .. N - 1) {
       highest = (ticket[k] > highest -> ticket[k] : highest)
     };

     if
     :: highest == LIMIT -> drawing[_pid] = false; goto later
     :: highest < LIMIT
     fi;
     ticket[_pid] = highest + 1;
     drawing[_pid] = false;

     // let everybody with a lower ticket go first
     for (k : 0 .. N - 1) {
       if
       :: k != _pid ->
          !drawing[k];
          (ticket[k] == 0 || before(_pid, k))
       :: else
       fi
     };

     inside++;
     assert(inside == 1);
     inside--;
     ticket[_pid] = 0;

later:
     k = 0
  od
}
