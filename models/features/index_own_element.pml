// Arrays indexed with their own elements, and arrays of structures with the
// fields of others of them. Spin only refuses to assign to `a[a[i]]`.
// expect: verdict holds
// expect: errors 0
// expect: stored 159
// expect: matched 132
// expect: transitions 291
// expect: atomic 0
// expect: depth 20
// spin: spin -o1 -o2 -o3 -a index_own_element.pml && gcc -DNOREDUCE -DSAFETY -DNOCLAIM -o pan pan.c && ./pan -m1000000 -c0

typedef Node { byte boss; byte pay; byte kids[3] };

Node r[3];
byte next[3];
chan c = [1] of { byte, byte };

active proctype Rank()
{
  byte x; // spinor: allow(unused-variable)

  r[1].boss = 2;
  r[2].boss = 1;
  r[r[1].boss].pay = 4;
  assert(r[2].pay == 4 && r[r[r[2].boss].boss].pay == 4);
  r[r[1].boss].kids[r[r[1].boss].boss] = 2;
  assert(r[2].kids[1] == 2 && r[r[2].kids[1]].kids[r[2].boss] == 2);
  if
  :: r[r[0].boss].pay++
  :: r[r[r[1].boss].kids[1]].pay--
  :: d_step { r[r[2].boss].pay = 3; r[r[1].boss].pay = r[r[2].boss].pay + 1 }
  fi;
  x = r[r[1].boss].pay
}

active proctype Chase()
{
  Node mine[2];
  byte x;

  next[0] = 1; next[1] = 2;
  x = next[next[next[0]]];
  assert(x == 0);
  mine[1].boss = 1;
  mine[mine[1].boss].pay = next[next[0]];
  assert(mine[1].pay == 2);
  c ! next[next[0]], mine[mine[1].boss].pay;
  c ? mine[mine[1].boss].kids[next[next[0]]], r[r[0].boss].kids[next[next[0]]];
  assert(mine[1].kids[2] == 2 && r[0].kids[2] == 2)
}
