// A snooping cache with the MESI protocol: N caches hold one line of memory as
// modified, exclusive, shared or invalid. A transaction holds the bus; the
// other caches look at it one after the other and answer on a wire whether they
// share the line. A cache with the modified line writes it back first. The
// value written is a single bit, enough to notice stale data.
// expect: verdict holds
// expect: errors 0
// expect: stored 20212
// expect: matched 31067
// expect: transitions 51279
// expect: atomic 3618
// expect: depth 4551
// spin: spin -o1 -o2 -o3 -a snoop.pml && gcc -DNOREDUCE -DSAFETY -DNOCLAIM -o pan pan.c && ./pan -m1000000 -c0

#ifndef N
#define N 3
#endif

mtype:line = { Modified, Exclusive, Shared, Invalid };

mtype:line state[N] = Invalid;
bit  value[N];                    // what cache i holds
bit  memory;
bit  newest;                      // ghost: the value written last
byte bus;                         // 1 + the cache that holds the bus, 0: free
bool others;                      // the wire: somebody shares the line

#define me  state[_pid]

// The others look at my transaction; before a write they drop the line.
inline snoop(write)
{
  others = false;
  k = 0;
  do
  :: k < N ->
     d_step {
       if
       :: k == _pid || state[k] == Invalid
       :: else ->
          others = true;
          if
          :: state[k] == Modified -> memory = value[k]
          :: else
          fi;
          if
          :: write -> state[k] = Invalid; value[k] = 0
          :: else -> state[k] = Shared
          fi
       fi;
       k++
     }
  :: k == N -> break
  od;
  k = 0
}

active [N] proctype Cache()
{
  byte k;

  do
  :: d_step {                                      // read hit
       me != Invalid -> assert(value[_pid] == newest)
     }

  :: me == Invalid ->                              // read miss
     atomic { bus == 0 -> bus = _pid + 1 };
     snoop(false);
     value[_pid] = memory;
     me = (others -> Shared : Exclusive);
     assert(value[_pid] == newest);
     bus = 0

  :: d_step {                                      // write hit
       me == Modified && bus == 0 ->
       newest = 1 - newest;
       value[_pid] = newest
     }

  :: d_step {                                      // silent upgrade
       me == Exclusive && bus == 0 ->
       newest = 1 - newest;
       value[_pid] = newest;
       me = Modified
     }

  :: me == Shared || me == Invalid ->              // write miss, or upgrade
     atomic { bus == 0 -> bus = _pid + 1 };
     snoop(true);
     d_step {
       newest = 1 - newest;
       value[_pid] = newest;
       me = Modified
     };
     bus = 0

  :: me != Invalid ->                              // evict the line
     atomic { bus == 0 -> bus = _pid + 1 };
     if
     :: me == Modified -> memory = value[_pid]
     :: else
     fi;
     d_step { me = Invalid; value[_pid] = 0 };
     bus = 0
  od
}
