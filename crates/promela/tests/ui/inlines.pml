byte x;
inline f(a, b) { a = b; a = }
init { f(x, 1); f(x); f(x, 2); g(3); x = f }
inline g(q) { skip }
inline h() { h() }
active proctype R() { h() }