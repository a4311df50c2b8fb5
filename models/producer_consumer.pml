// Producers and consumers around a bounded buffer, synchronised with three
// semaphores: free slots, filled slots, and a mutex for the buffer itself.
// Each producer writes its items in order; a consumer checks that the items
// of each producer still come out in that order.
// expect: verdict holds
// expect: errors 0
// expect: stored 65660
// expect: matched 153541
// expect: transitions 219201
// expect: atomic 26792
// expect: depth 23484
// spin: spin -o1 -o2 -o3 -a producer_consumer.pml && gcc -DNOREDUCE -DSAFETY -DNOCLAIM -o pan pan.c && ./pan -m1000000 -c0

#define SLOTS  2
#define PAIRS  2                  // producers, and as many consumers
#define ITEMS  2                  // items of a producer count modulo 2

byte free_slots = SLOTS;
byte filled_slots;
byte mutex = 1;

byte buffer[SLOTS];               // item + 2 * producer
byte head, tail;
byte due[PAIRS];                  // the next item expected of producer i

inline P(s) { atomic { s > 0 -> s-- } }
inline V(s) { s++ }

active [PAIRS] proctype Producer()
{
  byte item;

  do
  :: P(free_slots);
     P(mutex);
     buffer[tail] = item + ITEMS * _pid;
     tail = (tail + 1) % SLOTS;
     V(mutex);
     V(filled_slots);
     item = (item + 1) % ITEMS
  od
}

active [PAIRS] proctype Consumer()
{
  byte got;

  do
  :: P(filled_slots);
     P(mutex);
     d_step { got = buffer[head]; buffer[head] = 0 };
     head = (head + 1) % SLOTS;
     assert(got % ITEMS == due[got / ITEMS]);
     due[got / ITEMS] = (due[got / ITEMS] + 1) % ITEMS;
     V(mutex);
     V(free_slots);
     assert(free_slots + filled_slots <= SLOTS);
     got = 0
  od
}
