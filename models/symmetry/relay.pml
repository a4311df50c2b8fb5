// Stations that send and stations that receive, over one radio channel that a base station gives out.
// A sender asks for it, naming a receiver; the base answers when the channel is free; the receiver
// tells the base that it has the message. There are two families of processes, each with names of
// its own, from 1 on; 0 is nobody. All is in messages.
// Follows: [001 ch. 6, section 5.4, second model], simplified.
// expect: verdict holds
// expect: errors 0
// expect: stored 4866
// expect: matched 6716
// expect: transitions 11582
// expect: atomic 17
// expect: depth 1112
// spin: spin -o1 -o2 -o3 -a relay.pml && gcc -DNOREDUCE -DSAFETY -DNOCLAIM -o pan pan.c && ./pan -m1000000 -c0

#ifndef SENDERS
#define SENDERS 2
#endif
#ifndef RECEIVERS
#define RECEIVERS 2
#endif

chan ask = [2] of { byte, byte };           // who, to whom
chan grant[SENDERS + 1] = [1] of { byte };  // to whom
chan air = [1] of { byte, byte };           // to whom, from whom
chan done = [0] of { byte };                // by whom

active proctype Base()
{
  byte who, whom, last;

  do
  :: ask ? who, whom;
     grant[who] ! whom;
     done ? last;
     assert(last == whom);
     last = 0
  od
}

proctype Sender(byte me)
{
  byte whom;

  do
  :: if
     :: whom = 1
#if RECEIVERS > 1
     :: whom = 2
#endif
#if RECEIVERS > 2
     :: whom = 3
#endif
     fi;
     ask ! me, whom;
     grant[me] ? whom;
     air ! whom, me;
     whom = 0
  od
}

proctype Receiver(byte me)
{
  byte from;

  do
  :: air ? eval(me), from;
     assert(from != 0);
     done ! me
  od
}

init {
  byte i;

  atomic {
    for (i : 1 .. SENDERS) {
      run Sender(i)
    };
    for (i : 1 .. RECEIVERS) {
      run Receiver(i)
    }
  }
}
