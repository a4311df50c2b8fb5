// A process that stops at an accept label stays there for ever.
// expect: acceptance violated

byte x;

active proctype P()
{
  x = 1;
accept:
  (x == 2)
}
