// Firmware with an interrupt. The main loop reads a two-byte counter that the
// interrupt handler updates; the handler may run between any two steps of the
// main program, which in turn stands still until the handler returns. To read
// both bytes in one piece the main program masks the interrupt.
// Without the mask the assertion fails.
// expect: verdict holds
// expect: errors 0
// expect: stored 486
// expect: matched 73
// expect: transitions 559
// expect: atomic 72
// expect: depth 380
// spin: spin -o1 -o2 -o3 -a interrupt.pml && gcc -DNOREDUCE -DSAFETY -DNOCLAIM -o pan pan.c && ./pan -m1000000 -c0

#define BASE 3                            // a byte has few values here

bool busy;                                // the handler runs
bool masked;                              // interrupts are switched off
byte low, high;                           // the counter, shared

inline count_up()
{
  low++;
  if
  :: low == BASE -> low = 0; high = (high + 1) % 2
  :: low != BASE
  fi
}

// The main program gets the processor only while no handler runs.
active proctype Main() provided (!busy)
{
  byte seen_low, seen_high;
  byte before, after;                     // the true value around the read

  do
  :: masked = true;
     before = high * BASE + low;
     seen_high = high;
     seen_low = low;
     after = high * BASE + low;
     masked = false;
     assert(seen_high * BASE + seen_low == before && before == after)
  od
}

active proctype Handler()
{
  do
  :: atomic { !masked -> busy = true };   // the interrupt arrives
     count_up();
     busy = false                         // return from interrupt
  od
}
