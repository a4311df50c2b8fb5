byte x;
proctype P(byte a; byte b) {
  if
  :: P(b, a)
  :: else
  fi
}
init {
  P(1, 2);
  Later(1);
  x = Later(x + 1, 2);
  run init();
  run never();
  Nowhere(x);
  x = P(1, 2)
}
proctype Later(byte a; byte b) { P(a, b) }
