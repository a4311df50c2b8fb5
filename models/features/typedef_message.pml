// Structures as message fields: each is sent and received field by field.
// expect: verdict holds
// expect: errors 0
// expect: stored 48
// expect: matched 28
// expect: transitions 76
// expect: atomic 0
// expect: depth 19
// spin: spin -o1 -o2 -o3 -a typedef_message.pml && gcc -DNOREDUCE -DSAFETY -DNOCLAIM -o pan pan.c && ./pan -m1000000 -c0

typedef Order { byte item; bool urgent };

chan shop = [2] of { Order, byte };

active proctype Client()
{
  Order o;

  do
  :: o.item < 3 ->
     o.item++;
     o.urgent = !o.urgent;
     shop ! o, o.item
  :: o.item == 3 -> break
  od
}

active proctype Shop()
{
  Order o;
  byte n;

end:
  do
  :: shop ? o, n -> assert(o.item == n && o.urgent == (n % 2))
  od
}
