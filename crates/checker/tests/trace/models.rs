//! Small models, each with one kind of violation.

pub const ASSERTION: &str = "\
byte x
active [2] proctype P() {
  byte t;
  t = x;
  t = t + 1;
  x = t;
  x == 2 || _nr_pr == 1;
  assert(x == 2)
}
active proctype Slow() { x == 1; skip; assert(x != 1) }
";

pub const DEADLOCK: &str = "\
mtype = { req, ack };
chan a = [1] of { mtype, byte };
chan b = [1] of { mtype, byte };
active proctype Client() {
  byte n = 3;
  a!req,n;
  b?ack,n;
  a!req,n
}
active proctype Server() {
  byte n;
  a?req,n;
  n = n + 1;
  b!ack,n;
end:
  a?req,n;
  b!ack,n;
  a?ack,_
}
";

pub const RENDEZVOUS: &str = "\
chan c = [0] of { byte };
byte x;
active proctype Sender() {
  byte i = 1;
  atomic { i++; c!i; i = 7; x = x + i }
  c!i
}
active proctype Receiver() {
  byte got;
  atomic { c?got; got++; x = got }
  c?got;
  assert(got != 7)
}
";

pub const ATOMIC: &str = "\
byte x, y;
active proctype P() {
  byte i, j;
  i = 1; j = i + 1;
  atomic {
    x = x + 1;
    i = x;
    y == 1;
    j = 3;
    if
    :: i == 1 -> j = 4; i = 2
    :: else -> goto out
    fi;
    x = i
  }
out:
  assert(x != 2)
}
active proctype Q() {
  atomic { x == 1; y = 1; y = y * 1 }
}
";

pub const D_STEP: &str = "\
byte x;
active proctype P() {
  byte i;
  d_step { x = 1; i = 0; do :: i < 3 -> i++ :: else -> break od; x = i };
  skip;
  d_step { x == 3; x++ };
  assert(x == 3)
}
";

pub const RUN: &str = "\
chan back = [2] of { byte };
proctype Worker(byte id; byte n) {
  byte i;
  i = n;
  do :: i > 0 -> i-- :: else -> break od;
  back!id
}
init {
  byte who, first;
  first = run Worker(1, 1);
  back?who;
  (_nr_pr == 1);
  who = run Worker(2, 0);
  run Worker(3, 1);
  back?who;
  assert(who == 2)
}
";

pub const UNLESS: &str = "\
byte x;
bool alarm;
active proctype P() {
  {
    x = 1;
    x = 2;
    atomic { x = 3; x = 4 };
    x = 5
  } unless {
    alarm -> x = 10;
    x = x + 1
  };
  assert(x != 11)
}
active proctype Q() { x == 2; alarm = true }
";

pub const INLINE: &str = "\
byte a[3];
inline put(i, v) {
  a[i] = v;
  total = total + v
}
active proctype P() {
  byte k, total;
  for (k : 0 .. 2) { put(k, k + 1) }
  for (k in a) { a[k] = a[k] - 1 }
  select (k : 0 .. 2);
  total = total + a[k];
  assert(total != 8)
}
";

pub const TIMEOUT: &str = "\
chan c = [2] of { byte };
byte n;
active proctype P() {
  do
  :: n < 2 -> c!n; n++
  :: timeout -> break
  od;
  c?_; c?1;
  assert(n == 0)
}
";

pub const INDEX: &str = "\
byte a[2];
active proctype P() {
  byte i;
  do :: i < 3 -> a[i] = i; i++ od
}
";

pub const CLAIM: &str = "\
byte x;
never { do :: x < 9 :: x < 8 od }
active proctype P() {
  byte i;
  i = 1; i = i + 1;
  x = i;
  assert(x == 0)
}
active proctype Q() { x == 2; skip }
";

pub const FORMULA: &str = "\
byte x;
active proctype P() { byte i; i = 1; i++; x = i; x = 3; assert(x != 3) }
ltl small { [] (x < 9) }
active proctype Q() { x == 2; skip }
";

/// Inlines that call each other, and an assertion that fails in one of them.
pub const INLINES: &str = "\
byte x;
inline set(a) { x = a }
inline next(b) { set(b + 1) }
inline far(c, d) { next(c); assert(c != d) }
active proctype P() {
  set(1);
  next(x);
  far(x, 3)
}
";
