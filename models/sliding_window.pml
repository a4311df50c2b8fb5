// A sliding window protocol with go-back-N. Up to WINDOW frames may be under
// way; acknowledgements are cumulative and carry the number of the frame that
// is expected next. Frames and acknowledgements may be lost. After a timeout
// the sender goes back to the oldest frame that is not acknowledged.
//
// Numbers are taken modulo SPACE; SPACE > WINDOW is what makes it correct.
// expect: verdict holds
// expect: errors 0
// expect: stored 3297
// expect: matched 3313
// expect: transitions 6610
// expect: atomic 0
// expect: depth 678
// spin: spin -o1 -o2 -o3 -a sliding_window.pml && gcc -DNOREDUCE -DSAFETY -DNOCLAIM -o pan pan.c && ./pan -m1000000 -c0

#define WINDOW  2
#define SPACE   3
#define DATA    6                     // user data, a multiple of SPACE

chan frames = [2] of { byte, byte };  // sequence number, data
chan acks   = [2] of { byte };

active proctype Sender()
{
  byte base;                          // the oldest data not acknowledged
  byte flying;                        // frames sent beyond it
  byte next;                          // the sequence number acknowledged

  do
  :: flying < WINDOW ->
     frames ! ((base + flying) % SPACE), ((base + flying) % DATA);
     flying++
  :: acks ? next ->
     do                               // advance over what is acknowledged
     :: flying > 0 && base % SPACE != next ->
        base = (base + 1) % DATA;
        flying--
     :: else -> break
     od
  :: timeout -> flying = 0            // go back
  od
}

active proctype Receiver()
{
  byte seq, data;
  byte expected;                      // the data expected next

  do
  :: frames ? seq, data ->
     if
     :: seq == expected % SPACE ->
        assert(data == expected);
        expected = (expected + 1) % DATA
     :: else                          // out of order: drop it
     fi;
     if
     :: acks ! (expected % SPACE)
     :: skip                          // the acknowledgement is lost
     fi
  od
}

active proctype Loss()
{
end:
  do
  :: frames ? _, _
  od
}
