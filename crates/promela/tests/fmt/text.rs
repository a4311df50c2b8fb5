//! What is around statements: comments, directives, blank lines, text that is kept.

use promela::fmt::Refusal;

use super::{formatted, run};

#[test]
fn comments() {
    insta::assert_snapshot!(formatted(r#"


/* A model.
   With a comment. */
byte x; // the first
chan second = [1] of { byte }; // the second
                               // and more about it
/**
   * Documented.
   */
active proctype P() // why
{ // body
      // before the first
  x /* in */ = 1; /* behind */
  x = 2; /* before */ x = 3


  // a group
  if // a choice
  // an option
  :: x -> // a guard
     // a statement
     skip /* last */ :: else
  // the end
  fi
  // the end of the block
}
// the end of the file
"#), @r#"
    /* A model.
       With a comment. */
    byte x;                         // the first
    chan second = [1] of { byte };  // the second
                                    // and more about it
    /**
     * Documented.
     */
    active proctype P()  // why
    {                    // body
        // before the first
        x /* in */ = 1;  /* behind */
        x = 2;
        /* before */ x = 3

        // a group
        if  // a choice
        // an option
        :: x ->  // a guard
           // a statement
           skip  /* last */
        :: else
        // the end
        fi
        // the end of the block
    }
    // the end of the file
    "#);
}

#[test]
fn directives() {
    insta::assert_snapshot!(formatted(r#"
#define LOCK(s)   atomic { s > 0 -> \
                           s-- }   /* wait */
#define   TWO 2   // two
  #ifdef BIG
byte x[9];
  #else
byte x=TWO;
#endif

#if 0
this is   not a model, don't   look
#endif
active proctype P()
#ifdef BIG
provided (x[0]) {
  do
#else
{ if
#endif
   :: LOCK( x );   x++
   :: else
#ifdef BIG
  od
#else
  fi
#endif
}
"#), @r#"
    #define LOCK(s)   atomic { s > 0 -> \
                               s-- }   /* wait */
    #define   TWO 2   // two
    #ifdef BIG
    byte x[9];
    #else
    byte x = TWO;
    #endif

    #if 0
    this is   not a model, don't   look
    #endif
    active proctype P()
    #ifdef BIG
        provided (x[0]) {
        do
    #else
    {
        if
    #endif
        :: LOCK(x); x++
        :: else
    #ifdef BIG
        od
    #else
        fi
    #endif
    }
    "#);
}

#[test]
fn text_in_macros_is_kept() {
    insta::assert_snapshot!(formatted(r#"
#define SHOW(e) printf(#e)
byte x;
active proctype P() { SHOW(x+1);  x = x+1 }
"#), @r#"
    #define SHOW(e) printf(#e)
    byte x;
    active proctype P() { SHOW(x+1); x = x + 1 }
    "#);
}

#[test]
fn blank_lines() {
    insta::assert_snapshot!(formatted(r#"


byte x;



byte y;
active proctype P() {

  x = 1;


  y = 2;
  if

  :: x ->

     skip

  :: else

  fi

}


"#), @r#"
    byte x;

    byte y;
    active proctype P() {
        x = 1;

        y = 2;
        if
        :: x ->
           skip

        :: else
        fi
    }
    "#);
}

#[test]
fn c_text_is_kept() {
    insta::assert_snapshot!(formatted(r#"
c_decl {
  typedef   struct { int a; } T;
#define  X(a)  { a
};
active proctype P() { c_code [now.x>0] { now.x=1 ;  } ; c_expr{ now.x==1 } -> skip }
"#), @r#"
    c_decl {
      typedef   struct { int a; } T;
    #define  X(a)  { a
    };
    active proctype P() {
        c_code [now.x>0] { now.x=1 ;  };
        c_expr { now.x==1 } -> skip
    }
    "#);
}

#[test]
fn line_ends() {
    assert_eq!(formatted("byte x;\r\nbyte  y;"), "byte x;\r\nbyte y;\r\n");
    assert_eq!(formatted("\u{feff}byte  x"), "\u{feff}byte x\n");
    assert_eq!(formatted(""), "");
    assert_eq!(formatted("\n // x\\\n\n"), "// x\\\n\n");
}

#[test]
fn refusals() {
    let refused = run("init { x = }\n");
    assert!(matches!(refused, Err(Refusal::Diagnostics(d)) if !d.is_empty()));
    let refused = run("\n\nint x = __LINE__;\n");
    assert!(matches!(refused, Err(Refusal::Meaning)));
}
