// Readers and writers with precedence for writers: any number of readers may
// be in the library at the same time, a writer only alone, and a waiting
// writer keeps further readers out.
// expect: verdict holds
// expect: errors 0
// expect: stored 1032
// expect: matched 2575
// expect: transitions 3607
// expect: atomic 766
// expect: depth 182
// spin: spin -o1 -o2 -o3 -a readers_writers.pml && gcc -DNOREDUCE -DSAFETY -DNOCLAIM -o pan pan.c && ./pan -m1000000 -c0

#define READERS 3
#define WRITERS 2

byte reading;                     // readers inside
byte writing;                     // writers inside
byte waiting;                     // writers at the door
byte draft;                       // the text, complete when even

active [READERS] proctype Reader()
{
  byte seen;

  do
  :: atomic { waiting == 0 && writing == 0 -> reading++ };
     seen = draft;
     assert(seen % 2 == 0);       // never half a text
     assert(seen == draft);       // and it does not change meanwhile
     atomic { seen = 0; reading-- }
  od
}

active [WRITERS] proctype Writer()
{
  do
  :: waiting++;
     atomic { reading == 0 && writing == 0 -> writing++; waiting-- };
     assert(writing == 1 && reading == 0);
     draft++;
     draft = (draft + 1) % 4;
     writing--
  od
}
