byte x;
init {
  if
  :: x = 1 -> skip
  :: (x = 2) -> skip
  :: else
  fi
}
