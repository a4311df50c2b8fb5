byte x, G;
active proctype R() { F: x = 1; G = x }
ltl plain { F (x == 1) && F F x }
ltl variable { [] (G == 1) && R@F }
ltl always { G (x == 0) }
ltl release { (x R x) }
ltl strong { x M x }
ltl slashes { [] (x == 1 \/ x == 2 /\ x / 2 == 1) }
