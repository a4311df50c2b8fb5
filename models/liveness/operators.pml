// A traffic light that goes through its colours twice and then stays red: one
// formula for each operator. The last state is repeated for ever.
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
// expect: ltl next holds
// expect: ltl next_twice violated
// expect: ltl equivalent holds
// expect: ltl stutter holds

mtype = { red, green, yellow };
mtype light = red;
byte rounds;

ltl ends { <> [] (light == red) }
ltl never_both { [] !(light == red && light == green) }
ltl until { (rounds == 0) U (rounds == 1) }
ltl until_fails { (light == red) U (rounds == 1) }
ltl weak { (rounds == 0) W (rounds == 1) }
ltl weak_for_ever { (rounds < 9) W (rounds == 9) }
ltl release { (rounds == 1) V (rounds < 2) -> false || true }
ltl release_fails { (rounds == 1) V (light == red) }
ltl responds { [] ((light == green) -> <> (light == red)) }
ltl recurs { [] <> (light == green) }
ltl next { X (light == green) }
ltl next_twice { X X (light == green) }
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
