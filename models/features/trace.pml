// A trace assertion lists the allowed order of the events on a channel: here
// requests and answers must alternate. An event out of turn is an error.
// expect: verdict violated
// expect: errors 3
// expect: stored 12
// expect: matched 8
// expect: transitions 20
// expect: atomic 0
// expect: depth 10
// spin: spin -o1 -o2 -o3 -a trace.pml && gcc -DNOREDUCE -DSAFETY -DNOCLAIM -o pan pan.c && ./pan -m1000000 -c0

mtype = { request, answer };
chan up = [1] of { mtype };
chan down = [1] of { mtype };

trace {
  do
  :: up ! request; down ! answer
  od
}

active proctype Client()
{
  do
  :: up ! request
  :: down ? answer
  od
}

active proctype Server()
{
  do
  :: up ? request -> down ! answer
  od
}
