#define LAST 3
mtype = { red, green };
mtype light = red;
byte level = 300, slots[LAST];
chan c = [1] of { byte, bool };
inline fill(at) { slots[at] = 256 }
active proctype P() {
  byte spare, total;
  if
  :: level = 1 -> total = 2
  :: else
  fi;
  do
  :: level == 2 -> light = 2
  :: level = 3 -> c!1
  :: false -> skip
  :: true -> break; level++
  od;
  fill(LAST);
  slots[0] = -1 // spinor: allow(constant-truncation)
}
