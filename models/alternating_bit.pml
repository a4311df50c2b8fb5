// The alternating bit protocol over channels that lose messages. The sender
// repeats a frame until its bit is acknowledged; the receiver accepts a frame
// only when its bit is the expected one, and acknowledges every frame.
// The data are consecutive numbers, so the receiver notices a frame that was
// lost or delivered twice.
// expect: verdict holds
// expect: errors 0
// expect: stored 1310
// expect: matched 3038
// expect: transitions 4348
// expect: atomic 0
// expect: depth 289
// spin: spin -o1 -o2 -o3 -a alternating_bit.pml && gcc -DNOREDUCE -DSAFETY -DNOCLAIM -o pan pan.c && ./pan -m1000000 -c0

#define DATA 4                      // the data count modulo this number

chan frames = [2] of { byte, bit }; // data, sequence bit
chan acks   = [2] of { bit };

active proctype Sender()
{
  byte data;
  bit  seq;
  bit  answer;

  do
  :: frames ! data, seq             // send, and send again
  :: acks ? answer ->
     if
     :: answer == seq ->            // delivered: on to the next
        data = (data + 1) % DATA;
        seq = 1 - seq
     :: answer != seq               // an acknowledgement of an old frame
     fi
  od
}

active proctype Receiver()
{
  byte data, expected;
  bit  seq, want;

  do
  :: frames ? data, seq ->
     if
     :: seq == want ->
        assert(data == expected);
        expected = (expected + 1) % DATA;
        want = 1 - want
     :: seq != want                 // a repetition
     fi;
     acks ! seq
  od
}

active proctype Noise()             // the channels lose what they like
{
end:
  do
  :: frames ? _, _
  :: acks ? _
  od
}
