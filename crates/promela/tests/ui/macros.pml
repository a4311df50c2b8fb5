#define INC(v) v = v + 
#define TWICE(v) INC(v); INC(v)
byte x;
init { TWICE(x); INC(x) 1; x = 2 }
#ifdef A
#endif
#foo
#include "nope.h"
