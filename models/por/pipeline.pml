// A pipeline: the first process makes a value, the others take it from the
// left, work on it, and hand it to the right.
// Follows: [002, the table of its conclusions], from the description.

#ifndef N
#define N 3
#endif

// Place i holds the value between processes i and i + 1.
bool full[N];

active [N] proctype Stage()
{
  bool busy;

end:
  do
  :: d_step { _pid == 0 && !full[0] -> full[0] = true }
  :: d_step { _pid > 0 && !busy && full[_pid - 1] -> full[_pid - 1] = false; busy = true }
  :: d_step { _pid > 0 && _pid < N - 1 && busy && !full[_pid] -> busy = false; full[_pid] = true }
  :: d_step { _pid == N - 1 && busy -> busy = false }
  od
}
