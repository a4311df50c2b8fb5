// Two loops over a channel in the same block share their hidden counter, so
// what the first has counted is still there when the second has not begun.
// expect: verdict holds
// expect: errors 0
// expect: stored 19
// expect: matched 0
// expect: transitions 19
// expect: atomic 0
// expect: depth 9
// spin: spin -o1 -o2 -o3 -a for_channel_shared.pml && gcc -DNOREDUCE -DSAFETY -DNOCLAIM -o pan pan.c && ./pan -m1000000 -c0

typedef Mail { bit sign }

Mail mail;
chan box = [1] of { Mail };

active proctype Reader()
{
  if
  :: box ! mail; for (mail in box) { skip }
  :: box ! mail; for (mail in box) { mail.sign = 1 - mail.sign }
  fi
}
