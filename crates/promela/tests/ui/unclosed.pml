byte x;
init {
  do
  :: x == 1 -> { skip
  :: else -> skip
  od;
}
proctype Q() { x = (1 + 2; x = 3 }
