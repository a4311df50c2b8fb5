typedef T { int a[1000] };
byte most[16777216];
byte a[20000000];
int b[20000000];
T c[200000];
chan d = [65536] of { int };
chan e = [65535] of { T };
chan f[256] = [0] of { byte };
active [300] proctype P() { a[0] = b[0] + c[0].a[0] }
active [-1] proctype Q() { skip }
