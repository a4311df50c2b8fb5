byte x;
protype P() { skip }
init {
  atmoic { x = 1 }
  bye y;
  y = 3
  pritnf("x\n")
}
