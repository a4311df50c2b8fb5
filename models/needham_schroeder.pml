// The Needham-Schroeder public key protocol, and Lowe's attack on it. Alice
// starts a session with whomever she likes, Bob answers whoever calls. The
// intruder owns the network: he reads what is encrypted for him, keeps the
// rest as it is, and sends anything he can build from what he knows.
// The assertion says that Bob talks to Alice only if she talks to him.
//
//   1.  A -> B : { Na, A }  for B
//   2.  B -> A : { Na, Nb } for A
//   3.  A -> B : { Nb }     for B
// expect: verdict violated
// expect: errors 62
// expect: stored 1833
// expect: matched 2459
// expect: transitions 4292
// expect: atomic 1807
// expect: depth 81
// spin: spin -o1 -o2 -o3 -a needham_schroeder.pml && gcc -DNOREDUCE -DSAFETY -DNOCLAIM -o pan pan.c && ./pan -m1000000 -c0

mtype = { msg1, msg2, msg3,               // kinds of message
          alice, bob, intruder,           // agents, also their keys
          nonceA, nonceB, nonceI,         // nonces
          none };

// kind, key, first and second part of the encrypted text
chan net = [0] of { mtype, mtype, mtype, mtype };

mtype alice_with = none;                  // partners as the two believe
mtype bob_with   = none;
bool  alice_done, bob_done;

active proctype Alice()
{
  mtype partner, nonce;

  if
  :: partner = bob
  :: partner = intruder
  fi;
  d_step { alice_with = partner };

  net ! msg1, partner, nonceA, alice;
end:                                      // the intruder may keep her waiting
  net ? msg2, eval(alice), eval(nonceA), nonce;
  net ! msg3, partner, nonce, none;
  alice_done = true
}

active proctype Bob()
{
  mtype partner, nonce;

end_idle:
  net ? msg1, eval(bob), nonce, partner;
  d_step { bob_with = partner };
  net ! msg2, partner, nonce, nonceB;
end_waiting:
  net ? msg3, eval(bob), eval(nonceB), eval(none);
  bob_done = true;
  assert(bob_with != alice || alice_with == bob)
}

active proctype Intruder()
{
  bool knowsA, knowsB;                    // the nonces he could read
  mtype kind, key, p, q;                  // a message he could not read
  mtype k, x, y, z;                       // the message at hand

end:
  do
  :: atomic {                             // listen
       net ? k, x, y, z ->
       if
       :: x == intruder ->
          knowsA = knowsA || y == nonceA || z == nonceA;
          knowsB = knowsB || y == nonceB || z == nonceB
       :: x != intruder ->
          kind = k; key = x; p = y; q = z
       fi;
       k = 0; x = 0; y = 0; z = 0
     }

  :: kind != 0 ->                         // replay
     if
     :: net ! kind, key, p, q
     :: skip                              // thinks better of it
     fi

  :: atomic {                             // forge an opening
       if
       :: y = nonceI
       :: knowsA -> y = nonceA
       :: knowsB -> y = nonceB
       fi;
       if
       :: z = alice
       :: z = intruder
       fi
     };
     if
     :: net ! msg1, bob, y, z
     :: skip
     fi;
     d_step { y = 0; z = 0 }

  :: knowsA ->                            // forge an answer to Alice
     if
     :: net ! msg2, alice, nonceA, nonceI
     :: skip
     fi

  :: knowsB ->                            // forge a confirmation to Bob
     if
     :: net ! msg3, bob, nonceB, none
     :: skip
     fi
  od
}
