// An elevator in a house with four floors. Passengers press buttons whenever
// they like; the cabin keeps its direction as long as there is a call ahead.
// The door never stands open while the cabin moves, and the cabin never leaves
// the shaft.
// expect: verdict holds
// expect: errors 0
// expect: stored 9708
// expect: matched 21745
// expect: transitions 31453
// expect: atomic 0
// expect: depth 2199
// spin: spin -o1 -o2 -o3 -a elevator.pml && gcc -DNOREDUCE -DSAFETY -DNOCLAIM -o pan pan.c && ./pan -m1000000 -c0

#define FLOORS 4

mtype = { up, down };

bool  called[FLOORS];             // a button was pressed for this floor
byte  floor;
bool  open;
bool  moving;
mtype direction = up;

active proctype Passengers()
{
  byte f;

  do
  :: select (f : 0 .. 3);
     called[f] = true
  od
}

// ahead = is there a call further on in the present direction?
inline look_ahead()
{
  d_step {
    ahead = false;
    f = floor;
    do
    :: direction == up && f < FLOORS - 1 -> f++; ahead = ahead || called[f]
    :: direction == down && f > 0 -> f--; ahead = ahead || called[f]
    :: else -> break
    od;
    f = 0
  }
}

active proctype Cabin()
{
  bool ahead;
  byte f;

  do
  :: called[floor] ->             // serve this floor
     open = true;
     called[floor] = false;
     open = false

  :: !called[floor] ->
     look_ahead();
     if
     :: ahead ->
        moving = true;
        floor = (direction == up -> floor + 1 : floor - 1);
        moving = false
     :: !ahead ->
        direction = (direction == up -> down : up)
     fi
  od
}

active proctype Inspector()       // holds in every reachable state
{
end:
  d_step {
    (open && moving) || floor >= FLOORS -> assert(false)
  }
}
