// The puzzle of the farmer with a wolf, a goat and a cabbage. The boat carries
// the farmer and one more; wolf and goat, or goat and cabbage, must not be left
// alone. The assertion claims that they cannot all get across; the violation
// is the solution.
// expect: verdict violated
// expect: errors 1
// expect: stored 43
// expect: matched 12
// expect: transitions 55
// expect: atomic 34
// expect: depth 31
// spin: spin -o1 -o2 -o3 -a river_crossing.pml && gcc -DNOREDUCE -DSAFETY -DNOCLAIM -o pan pan.c && ./pan -m1000000 -c0

bool farmer, wolf, goat, cabbage;         // false: this bank, true: the other

#define alone(a, b)  (a == b && a != farmer)
#define safe         (!alone(wolf, goat) && !alone(goat, cabbage))
#define all_across   (farmer && wolf && goat && cabbage)

inline cross(companion)
{
  atomic {
    companion == farmer ->
    farmer = !farmer;
    companion = farmer
  }
}

active proctype Crossing()
{
  do
  :: !safe -> goto eaten
  :: safe && !all_across ->
     if
     :: farmer = !farmer                  // alone
     :: cross(wolf)
     :: cross(goat)
     :: cross(cabbage)
     fi
  :: all_across -> assert(false); break   // there they are
  od;

eaten:
  skip
}
