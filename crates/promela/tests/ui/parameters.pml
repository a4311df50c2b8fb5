proctype P(byte x, byte y; int z = 3) { skip }
init { run P(1,2,3) }
