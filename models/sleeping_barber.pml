// The sleeping barber. Customers who find a free chair sit down and wait, the
// others leave. The barber sleeps when nobody waits. At most one customer is
// in the barber's chair, and a customer never leaves unshorn from it.
// expect: verdict holds
// expect: errors 0
// expect: stored 262
// expect: matched 357
// expect: transitions 619
// expect: atomic 366
// expect: depth 230
// spin: spin -o1 -o2 -o3 -a sleeping_barber.pml && gcc -DNOREDUCE -DSAFETY -DNOCLAIM -o pan pan.c && ./pan -m1000000 -c0

#define CUSTOMERS 3
#define CHAIRS    2

chan chairs = [CHAIRS] of { pid };        // the waiting room
chan ready  = [0] of { pid };             // come in, please
chan done   = [0] of { pid };             // that's it
byte cutting;                             // customers in the barber's chair

active proctype Barber()
{
  pid who;

end:
  do
  :: chairs ? who ->
     ready ! who;
     done ! who
  od
}

active [CUSTOMERS] proctype Customer()
{
  do
  :: atomic {
       if
       :: nfull(chairs) -> chairs ! _pid
       :: full(chairs)  -> goto outside   // no chair: come back later
       fi
     };
     ready ? eval(_pid);
     cutting++;
     assert(cutting == 1);
     cutting--;
     done ? eval(_pid);
outside:
     skip
  od
}
