#define N 3
#define LOCK(s) atomic { s > 0 -> s-- }
#define UNLOCK(s) s++
#define EMPTYM
mtype = { req, ack, nak };
mtype:fruit = { apple, pear }
typedef Msg { byte kind; int val[2]
  bool ok
}
typedef Outer { Msg m; byte n }
byte sem = 1, cnt; bool flag = true
chan q = [2] of { mtype, byte };
chan r = [0] of { byte, mtype:fruit }
chan st = [2] of { Msg };
int arr[N+1] = 2;
hidden int hh;
show byte ss
inline bump(v, d) {
  v = v + d
  if
  :: v > 3 -> v = 0
  :: else
  fi
}
inline outer2(v) { bump(v, 1); bump(v, 2) }
inline getv(a) { return a + 1 }
active [2] proctype P() priority 1 provided (cnt < 100) {
  byte i; mtype t; mtype:fruit f
  Msg mm
  Outer o
start:
  do
  :: LOCK(sem); cnt++
     UNLOCK(sem)
  :: q?[req, _] -> q?req, i
  :: q!ack(3)
  :: q?t(i)
  :: q?<t, i>; skip
  :: q??eval(t), 3
  :: len(q) < 2 && nfull(q) -> q!!nak, 2
  :: r!3, apple
  :: r?i, f
  :: (cnt == 2 -> 1 : 0) -> skip
  :: timeout -> break
  :: else -> goto done
  od unless { flag == false }
  outer2(cnt)
  i = getv(cnt)
  for (i : 1 .. 3) {
    arr[i] = arr[i-1] << 1 | ~2 & 3 ^ 1
  }
  for (i in arr) { printf("x %d %e\n", i, t) }
  select (i : 1 .. 4)
  select (i : 0 .. cnt+1)
  select (i : 0 .. 50); mm.val[0] = o.m.val[1] + mm.kind
  d_step { i = 0; i++ ; i-- }
  { skip }
  unless { cnt > 5 -> skip }
done: skip;
  assert(cnt >= 0 && !flag || _pid >= 0)
  run Q(3, 4, q)
  xr q
end: skip
L:
}
proctype Q(byte a, b; chan c) { byte k
 k = a % b; c!req, 'x'
 if :: a -> skip :: b == 2; skip :: true fi
 printm(req); if :: atomic { skip } :: { skip } fi
}
init { atomic { run P(); run Q(1, 2, q) }; (_nr_pr == 1)
}
ltl p1 { [] (cnt < 100) && <> flag -> (flag U cnt == 2) }
ltl { always (P[0]@start implies eventually P[0]:i >= 0) }
never claim1 { do :: !flag && P[1]@done -> break :: else od }
