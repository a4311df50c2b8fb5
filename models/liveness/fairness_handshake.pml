// Two clients of one server, over a rendezvous channel. Whether the second
// client can send depends on where the server is: it waits while the server
// tidies up. So it is not enabled all the time, and weak fairness does not
// help it to its first request. Strong fairness does.
// Follows: [001, ch. 3, Fig. 8], where a reduction that leaves out the state in
// which the server is busy gives the wrong answer.
// expect: verdict holds
// expect: errors 0
// expect: stored 11
// expect: matched 9
// expect: transitions 20
// expect: atomic 0
// expect: depth 11
// expect: ltl served violated
// expect: ltl served weak violated
// expect: ltl served strong holds
// spin: spin -o1 -o2 -o3 -a fairness_handshake.pml && gcc -DNOREDUCE -DSAFETY -DNOCLAIM -o pan pan.c && ./pan -m1000000 -c0

chan request = [0] of { bit };
bool seen;

ltl served { <> seen }

active proctype Greedy()
{
  do
  :: request ! 0
  od
}

active proctype Patient()
{
  do
  :: request ! 1; seen = true
  od
}

active proctype Server()
{
  bit who;

  do
  :: request ? who; who = 0
  od
}
