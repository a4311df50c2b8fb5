// Conditional text: #if, #ifdef, #ifndef, #elif, #else, #undef.
// expect: verdict holds
// expect: errors 0
// expect: stored 13
// expect: matched 6
// expect: transitions 19
// expect: atomic 0
// expect: depth 6
// spin: spin -o1 -o2 -o3 -a ifdef.pml && gcc -DNOREDUCE -DSAFETY -DNOCLAIM -o pan pan.c && ./pan -m1000000 -c0

#define VARIANT 2
#define DEBUG
#undef  DEBUG

byte x;

active [2] proctype Choose()
{
#if VARIANT == 1
  x = 1;
#elif VARIANT == 2 && defined(VARIANT)
  x = x + 2;
#else
  x = 3;
#endif
#ifdef DEBUG
  assert(false);
#endif
#ifndef DEBUG
  x++
#endif
}
