// A snooping cache with the MSI protocol: three caches hold one line of memory
// as modified, shared or invalid. A transaction holds the bus while the other
// caches look at it; a cache with the modified line writes it back first.
// The value written is a single bit, enough to notice stale data.
// expect: verdict holds
// expect: errors 0
// expect: stored 12282
// expect: matched 26587
// expect: transitions 38869
// expect: atomic 17814
// expect: depth 4229
// spin: spin -o1 -o2 -o3 -a msi_snoop.pml && gcc -DNOREDUCE -DSAFETY -DNOCLAIM -o pan pan.c && ./pan -m1000000 -c0

#define N 3

mtype:line = { Modified, Shared, Invalid };

mtype:line state[N] = Invalid;
bit  value[N];                    // what cache i holds
bit  memory;
bit  newest;                      // ghost: the value written last
bool bus;                         // true while the bus is taken

inline acquire() { atomic { !bus -> bus = true } }
inline release() { bus = false }

// The other caches react to a transaction; before a write they drop the line.
inline snoop(exclusive)
{
  d_step {
    for (k : 0 .. N - 1) {
      if
      :: k != _pid && state[k] == Modified ->
         memory = value[k];                        // write back
         state[k] = (exclusive -> Invalid : Shared)
      :: k != _pid && state[k] == Shared && exclusive ->
         state[k] = Invalid
      :: else
      fi
    };
    k = 0
  }
}

active [N] proctype Cache()
{
  byte k;

  do
  :: state[_pid] != Invalid ->                     // read hit
     atomic {
       if                                          // still there?
       :: state[_pid] != Invalid -> assert(value[_pid] == newest)
       :: else
       fi
     }

  :: state[_pid] == Invalid ->                     // read miss
     acquire();
     snoop(false);
     d_step { value[_pid] = memory; state[_pid] = Shared };
     release()

  :: atomic {                                      // write hit
       state[_pid] == Modified && !bus ->
       value[_pid] = 1 - value[_pid];
       newest = value[_pid]
     }

  :: state[_pid] != Modified ->                    // write miss, or upgrade
     acquire();
     snoop(true);
     d_step {
       newest = 1 - newest;
       value[_pid] = newest;
       state[_pid] = Modified
     };
     release()

  :: d_step {                                      // evict the line
       state[_pid] != Invalid && !bus ->
       memory = (state[_pid] == Modified -> value[_pid] : memory);
       state[_pid] = Invalid
     }
  od
}
