// A traffic light that goes through its colours twice and then stays red: one
// formula for each operator. The last state is repeated for ever.
// expect: verdict holds
// expect: errors 0
// expect: stored 13
// expect: matched 0
// expect: transitions 13
// expect: atomic 0
// expect: depth 12
// expect: ltl ends holds
// expect: ltl never_both holds
// expect: ltl until holds
// expect: ltl until_fails violated
// expect: ltl weak holds
// expect: ltl weak_for_ever holds
// expect: ltl release holds
// expect: ltl release_fails violated
// expect: ltl responds holds
// expect: ltl recurs violated
// expect: ltl equivalent holds
// expect: ltl stutter holds
// spin: spin -o1 -o2 -o3 -a operators.pml && gcc -DNOREDUCE -DSAFETY -DNOCLAIM -o pan pan.c && ./pan -m1000000 -c0

mtype = { red, green, yellow };
mtype light = red;
byte rounds;

ltl ends { <> [] (light == red) }
ltl never_both { [] !(light == red && light == green) }
ltl until { (rounds == 0) U (rounds == 1) }
ltl until_fails { (light == red) U (rounds == 1) }
ltl weak { (rounds == 0) W (rounds == 1) }
ltl weak_for_ever { (rounds < 9) W (rounds == 9) }
ltl release { (rounds == 1) V (rounds <= 1) }
ltl release_fails { (rounds == 1) V (light == red) }
ltl responds { [] ((light == green) -> <> (light == red)) }
ltl recurs { [] <> (light == green) }
ltl equivalent { [] (((light == red) <-> (light != red)) -> false) }
ltl stutter { [] ((rounds == 2) -> [] (rounds == 2)) }

active proctype Light()
{
  do
  :: rounds < 2 ->
progress:
     light = green;
     light = yellow;
     light = red;
     rounds++
  :: else -> break
  od
}
