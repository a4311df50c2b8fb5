// Remote values in statements of all kinds: first values, arguments, messages,
// conditional expressions, loops, atomic sequences.
// expect: verdict holds
// expect: errors 0
// expect: stored 130
// expect: matched 123
// expect: transitions 253
// expect: atomic 3
// expect: depth 23
// spin: spin -o1 -o2 -o3 -a remote_values.pml && gcc -DNOREDUCE -DSAFETY -DNOCLAIM -o pan pan.c && ./pan -m1000000 -c0

mtype = { idle, busy };
chan c = [1] of { byte, mtype };

active proctype Boss()
{
  byte n;
  mtype mode = idle;

  run Child(Boss[0]:n);
  atomic { n = 1; mode = busy };
  c ! Boss[0]:n, Boss[0]:mode;
  d_step { n = Boss[0]:n + 1; n++ }
}

proctype Child(byte n)
{
  byte m = Boss[0]:n;

  assert(m >= n)
}

active proctype Other()
{
  byte got, i;
  mtype mode;

  c ? got, mode;
  assert(got == 1 && mode == busy);
  for (i : Boss[0]:n .. 3) {
    got = (Boss[0]:mode == busy -> Boss[0]:n : 9)
  };
  assert(got <= 3)
}
