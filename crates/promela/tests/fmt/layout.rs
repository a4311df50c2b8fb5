//! Statements and expressions: one example of each rule.

use super::formatted;

#[test]
fn spacing() {
    insta::assert_snapshot!(formatted(r#"
mtype={red,green};chan q=[ 2 ]of{mtype,byte};
byte a[2+1]=3,x;
active[2]proctype P(byte i;chan c)provided(x<3){
x=- -1+(x*2)-a [x-1];x ++;
q!red,x;q!!green(x);q?red,x;q??eval(x),_;q?<red,x>;(q?[red,x]);
assert (!x&&~x==len (q));printf ( "%d\n",x );
run Q(x)priority 3;for(x:1..3){skip};select(x:0..9);
x=(x>1->x:2)}
"#), @r#"
    mtype = { red, green };
    chan q = [2] of { mtype, byte };
    byte a[2 + 1] = 3, x;
    active [2] proctype P(byte i; chan c) provided (x < 3) {
        x = - -1 + (x * 2) - a[x - 1];
        x++;
        q ! red, x;
        q !! green(x);
        q ? red, x;
        q ?? eval(x), _;
        q ? <red, x>;
        (q ? [red, x]);
        assert(!x && ~x == len(q));
        printf("%d\n", x);
        run Q(x) priority 3;
        for (x : 1 .. 3) { skip };
        select (x : 0 .. 9);
        x = (x > 1 -> x : 2)
    }
    "#);
}

#[test]
fn one_statement_a_line() {
    insta::assert_snapshot!(formatted(r#"
typedef Point { byte x; byte y }
typedef Line { Point a; Point b
  bool dashed }
init { byte x; x = 1; x = 2;
  { x = 3; x = 4 };
  d_step { x = 5
    x = 6 }
  atomic { x = 1111111111; x = 1111111111; x = 1111111111; x = 1111111111; x = 1 }
}
"#), @r#"
    typedef Point { byte x; byte y }
    typedef Line {
        Point a;
        Point b
        bool dashed
    }
    init {
        byte x;
        x = 1;
        x = 2;
        { x = 3; x = 4 };
        d_step {
            x = 5
            x = 6
        }
        atomic {
            x = 1111111111;
            x = 1111111111;
            x = 1111111111;
            x = 1111111111;
            x = 1
        }
    }
    "#);
}

#[test]
fn braces() {
    insta::assert_snapshot!(formatted(r#"
inline f(a)
{
  a = 1
}

init
{
  byte x;
  for (x : 1 .. 2)
  {
    f(x)
  }
  atomic
  {
    skip
  }
  {
    x = 1
  }
  unless
  {
    x = 2
  }
}
"#), @r#"
    inline f(a) {
        a = 1
    }

    init {
        byte x;
        for (x : 1 .. 2) {
            f(x)
        }
        atomic {
            skip
        }
        {
            x = 1
        } unless {
            x = 2
        }
    }
    "#);
}

#[test]
fn choices() {
    insta::assert_snapshot!(formatted(r#"
byte x;
active proctype P()
{
  if :: x -> skip :: else fi;
  if :: x > 0 -> x = 1 :: x == 0 -> x = 2; skip :: else -> if :: x :: else fi fi;
  do :: x == 1 -> x = 2;
          x = 3
     :: x == 2 -> x++; break
     :: if
        :: x == 3
        fi
     ::
        atomic { x == 4 -> x = 0;
          skip }
     :: else
        -> skip
  od
}
"#), @r#"
    byte x;
    active proctype P() {
        if :: x -> skip :: else fi;
        if
        :: x > 0 -> x = 1
        :: x == 0 -> x = 2; skip
        :: else -> if :: x :: else fi
        fi;
        do
        :: x == 1 ->
           x = 2;
           x = 3
        :: x == 2 -> x++; break
        :: if
           :: x == 3
           fi
        :: atomic {
               x == 4 -> x = 0;
               skip
           }
        :: else ->
           skip
        od
    }
    "#);
}

#[test]
fn separators_stay() {
    insta::assert_snapshot!(formatted(r#"
byte x
active proctype P()
{ x++ -> x++
  skip;
  x
  -1
  x++
  ;
  if
  :: x > 4; x = 0;
  :: x <= 4 -> ;
  fi
  { x++; };
}
"#), @r#"
    byte x
    active proctype P() {
        x++ -> x++
        skip;
        x
        -1
        x++;
        if
        :: x > 4; x = 0;
        :: x <= 4 -> ;
        fi
        { x++; };
    }
    "#);
}

#[test]
fn labels() {
    insta::assert_snapshot!(formatted(r#"
active proctype P() {
  unsigned x : 3;
again: x++;
end: do
    :: x == 1 ->
progress:
        x = 2
    :: else -> goto done
    od;
a: b: if :: x == 0 :: x == 1 fi;
done: }
"#), @r#"
    active proctype P() {
        unsigned x : 3;
        again: x++;
    end:
        do
        :: x == 1 ->
        progress:
           x = 2
        :: else -> goto done
        od;
    a:
        b: if :: x == 0 :: x == 1 fi;
    done:
    }
    "#);
}

#[test]
fn formulas() {
    insta::assert_snapshot!(formatted(r#"
byte x; byte p;
active proctype P() { byte y; L: y++ }
ltl a { []<>(x==1)&&!p U(x<->p) }
ltl { always(P@L implies eventually P:y>=0) }
ltl long { [] ((x == 1111 && p == 1111) -> <> (x == 2222 && p == 2222)) && [] (x == 3333 -> <> p == 3333) }
ltl c {
   [] x ->
  <> p }
"#), @r#"
    byte x;
    byte p;
    active proctype P() { byte y; L: y++ }
    ltl a { [] <> (x == 1) && !p U (x <-> p) }
    ltl { always (P@L implies eventually P:y >= 0) }
    ltl long {
        [] ((x == 1111 && p == 1111) -> <> (x == 2222 && p == 2222)) && [] (x == 3333 -> <> p == 3333)
    }
    ltl c {
        [] x ->
        <> p
    }
    "#);
}

#[test]
fn long_lines() {
    insta::assert_snapshot!(formatted(r#"
byte first_value, second_value, third_value, fourth_value, fifth_value, sixth_value, seventh_value;
mtype = { first_name, second_name, third_name, fourth_name, fifth_name, sixth_name, seventh_name };
active proctype P() {
  (first_value == 1 && second_value == 2) || /* or */ (third_value == 3 && fourth_value == 4 && fifth_value == 5);
  printf("%d %d %d %d\n", first_value + second_value, third_value, fourth_value, (fifth_value + sixth_value));
  do
  :: first_value == 1 && second_value == 2 -> third_value = 3; fourth_value = 4
  :: (first_value == 1 &&
      second_value == 2) -> break
  od
}
"#), @r#"
    byte first_value, second_value, third_value, fourth_value, fifth_value, sixth_value, seventh_value;
    mtype = { first_name, second_name, third_name, fourth_name, fifth_name, sixth_name, seventh_name };
    active proctype P() {
        (first_value == 1 && second_value == 2) ||
            /* or */ (third_value == 3 && fourth_value == 4 && fifth_value == 5);
        printf("%d %d %d %d\n", first_value + second_value, third_value, fourth_value,
            (fifth_value + sixth_value));
        do
        :: first_value == 1 && second_value == 2 ->
           third_value = 3;
           fourth_value = 4
        :: (first_value == 1 &&
               second_value == 2) ->
           break
        od
    }
    "#);
}
