/* Included by include.pml: a lock and what it protects. */

bool mutex;
byte shared;

inline lock(m)   { atomic { !m -> m = true } }
inline unlock(m) { m = false }
