// An elevator. Passengers wait at a floor, press its button, ride to another
// floor of their choice and walk off; the cabin counts how many it carries and
// keeps its direction as long as there is a call ahead. Nobody passes a closed
// door, and the door never stands open while the cabin moves.
// expect: verdict holds
// expect: errors 0
// expect: stored 41500
// expect: matched 65993
// expect: transitions 107493
// expect: atomic 10832
// expect: depth 10085
// spin: spin -o1 -o2 -o3 -a elevator.pml && gcc -DNOREDUCE -DSAFETY -DNOCLAIM -o pan pan.c && ./pan -m1000000 -c0

#ifndef FLOORS
#define FLOORS   2
#endif
#ifndef PEOPLE
#define PEOPLE   2
#endif

mtype = { up, down };

bool  outside[FLOORS];            // the buttons beside the doors
bool  within[FLOORS];             // the buttons in the cabin
byte  floor;
bool  open;
bool  moving;
byte  load;                       // passengers in the cabin
mtype direction = up;

active [PEOPLE] proctype Passenger()
{
  byte at, goal;

  do
  :: outside[at] = true;
     atomic {
       open && floor == at ->
       assert(!moving);
       load++
     };
     select (goal : 0 .. FLOORS - 1);
     within[goal] = true;
     atomic {
       open && floor == goal ->
       assert(!moving && load > 0);
       load--
     };
     d_step { at = goal; goal = 0 }
  od
}

// ahead = is there a call further on in the present direction?
inline look_ahead()
{
  d_step {
    ahead = false;
    f = floor;
    do
    :: direction == up && f < FLOORS - 1 ->
       f++;
       ahead = ahead || outside[f] || within[f]
    :: direction == down && f > 0 ->
       f--;
       ahead = ahead || outside[f] || within[f]
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
  :: outside[floor] || within[floor] ->            // serve this floor
     open = true;
     outside[floor] = false;
     within[floor] = false;
     open = false
  :: !outside[floor] && !within[floor] ->
     look_ahead();
     if
     :: ahead ->
        moving = true;
        assert(!open);
        floor = (direction == up -> floor + 1 : floor - 1);
        moving = false
     :: !ahead ->
        direction = (direction == up -> down : up)
     fi;
     ahead = false
  od
}
