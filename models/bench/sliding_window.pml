// A sliding window protocol with selective repeat. Up to WINDOW frames may be
// under way, and the receiver keeps frames that arrive out of order until the
// gap before them is filled. Every frame is acknowledged by its own number.
// Frames and acknowledgements may be lost; when nothing else can happen, the
// oldest frame that is not acknowledged is sent again.
//
// Numbers are taken modulo SPACE; SPACE >= 2 * WINDOW is what makes it correct.
// expect: verdict holds
// expect: errors 0
// expect: stored 34188
// expect: matched 37941
// expect: transitions 72129
// expect: atomic 0
// expect: depth 8585
// spin: spin -o1 -o2 -o3 -a sliding_window.pml && gcc -DNOREDUCE -DSAFETY -DNOCLAIM -o pan pan.c && ./pan -m1000000 -c0

#ifndef WINDOW
#define WINDOW  3
#endif
#ifndef ROOM
#define ROOM    2                     // frames that a channel holds
#endif
#define SPACE   (2 * WINDOW)
#define DATA    (2 * SPACE)           // user data, a multiple of SPACE

chan frames = [ROOM] of { byte, byte };  // sequence number, data
chan acks   = [ROOM] of { byte };

active proctype Sender()
{
  byte base;                          // the oldest data not acknowledged
  byte flying;                        // frames sent beyond it
  bool done[SPACE];                   // acknowledged, by sequence number
  byte seq;

  do
  :: flying < WINDOW ->
     frames ! ((base + flying) % SPACE), ((base + flying) % DATA);
     flying++
  :: acks ? seq ->
     if                               // inside the window?
     :: (seq + SPACE - base % SPACE) % SPACE < flying -> done[seq] = true
     :: else
     fi;
     do                               // move the window
     :: done[base % SPACE] ->
        done[base % SPACE] = false;
        base = (base + 1) % DATA;
        flying--
     :: !done[base % SPACE] -> break
     od
  :: timeout ->
     frames ! (base % SPACE), base
  od
}

active proctype Receiver()
{
  byte expected;                      // the data expected next
  bool kept[SPACE];                   // arrived, by sequence number
  byte held[SPACE];                   // the data that came with it
  byte seq, data;

  do
  :: frames ? seq, data ->
     if
     :: (seq + SPACE - expected % SPACE) % SPACE < WINDOW ->
        held[seq] = data;
        kept[seq] = true
     :: else                          // an old one
     fi;
     do                               // deliver what has no gap before it
     :: kept[expected % SPACE] ->
        assert(held[expected % SPACE] == expected);
        d_step {
          kept[expected % SPACE] = false;
          held[expected % SPACE] = 0;
          expected = (expected + 1) % DATA
        }
     :: !kept[expected % SPACE] -> break
     od;
     acks ! seq;
     d_step { seq = 0; data = 0 }
  od
}

active proctype Loss()
{
end:
  do
  :: frames ? _, _
  :: acks ? _
  od
}
