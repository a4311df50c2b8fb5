//! `spinor simulate` as a program.

#[path = "trace/program.rs"]
mod program;

use program::Place;

const COUNTER: &str = "\
byte n;
active proctype Up() { do :: n < 100 -> n++ :: n == 100 -> break od }
active proctype Down() { do :: n > 0 -> n-- :: n == 100 -> break od }
";

const TALK: &str = "\
chan c = [0] of { byte };
active proctype P() { byte i; c?i; printf(\"got %d\\n\", i) }
active proctype Q() { printf(\"sending\\n\"); c!7 }
";

const CHOICE: &str = "\
byte x;
active proctype P() {
  if
  :: x = 1
  :: x = 2
  :: x = 3; atomic { x = 4; x = 5 }
  fi;
  assert(x != 2)
}
";

#[test]
fn the_same_seed_makes_the_same_run() {
    let place = Place::new(COUNTER);
    let first = place.run("simulate m.pml --seed 5 --steps 200");
    let again = place.run("simulate m.pml --seed 5 --steps 200");
    let other = place.run("simulate m.pml --seed 6 --steps 200");
    assert_eq!(first.exit, 0, "{}", first.err);
    assert_eq!(first.out, again.out);
    assert_ne!(first.out, other.out);
    assert!(first.out.ends_with("\nstopped after 200 steps (--steps)\n"));
    assert!(!first.out.contains("seed"));
}

#[test]
fn a_seed_that_was_not_given_is_printed() {
    let place = Place::new(COUNTER);
    let first = place.run("simulate m.pml --steps 50");
    let (seed, run) = first.out.split_once('\n').expect("lines");
    let seed = seed.strip_prefix("seed ").expect("the seed");
    let again = place.run(&format!("simulate m.pml --steps 50 --seed {seed}"));
    assert_eq!(run, again.out);
}

#[test]
fn a_run_that_ends_says_so() {
    let ran = Place::new(TALK).run("simulate m.pml --seed 1");
    assert_eq!(ran.exit, 0);
    assert_eq!(
        format!("\n{}", ran.out),
        "
   1   Q(1)  m.pml:3  printf(\"sending\\n\")
       > sending
   2   Q(1)  m.pml:3  c!7                    sent 7
       P(0)  m.pml:2  c?i                    received 7; i = 7
   3   Q(1)  m.pml:3  -end-
   4   P(0)  m.pml:2  printf(\"got %d\\n\", i)
       > got 7
   5   P(0)  m.pml:2  -end-

ended after 5 steps: all processes have terminated
"
    );
}

#[test]
fn a_quiet_run_prints_what_the_model_prints() {
    let ran = Place::new(TALK).run("simulate m.pml --seed 1 --quiet");
    assert_eq!(
        ran.out,
        "sending\ngot 7\nended after 5 steps: all processes have terminated\n"
    );
}

#[test]
fn end_states_are_told_apart() {
    let valid = Place::new("chan c = [0] of { bit }; active proctype P() { end: c?0 }");
    let ran = valid.run("simulate m.pml --seed 1");
    assert_eq!(ran.exit, 0);
    assert_eq!(
        ran.out,
        "\nended after 0 steps in a valid end state: P(0) at m.pml:1\n"
    );
    let invalid = Place::new("chan c = [0] of { bit }; active proctype P() { c?0 }");
    let ran = invalid.run("simulate m.pml --seed 1");
    assert_eq!(ran.exit, 1);
    assert_eq!(
        ran.out,
        "\ninvalid end state before the first step: no process can move, and P(0) is stuck\n  \
         P(0)  m.pml:1  waits for c?0\n"
    );
}

#[test]
fn a_violation_ends_a_run() {
    let ran = Place::new("active proctype P() { skip; assert(false); skip }")
        .run("simulate m.pml --seed 1");
    assert_eq!(ran.exit, 1);
    assert!(
        ran.out
            .ends_with("\nassertion violated at m.pml:1:29: assert(false), by P(0) in step 2\n"),
        "{}",
        ran.out
    );
}

#[test]
fn steps_are_chosen_by_hand() {
    let ran = Place::new(CHOICE).run_with("simulate m.pml -i", "9\n3\n\nb\n\n\nu\ns\nh\nq\n");
    assert_eq!(ran.exit, 0);
    assert_eq!(
        format!("\n{}", ran.out),
        "
choose:
   1   P(0)  m.pml:4  x = 1
   2   P(0)  m.pml:5  x = 2
   3   P(0)  m.pml:6  x = 3
> 9
1 to 3; b back, s state, h help, q quit
> 3
   1   P(0)  m.pml:6  x = 3           x = 3
choose:
   1   P(0)  m.pml:6  x = 4
>
   2 ┌ P(0)  m.pml:6  x = 4           x = 4
choose:
   1   P(0)  m.pml:6  x = 5
> b
choose:
   1   P(0)  m.pml:6  x = 4
>
   2 ┌ P(0)  m.pml:6  x = 4           x = 4
choose:
   1   P(0)  m.pml:6  x = 5
>
   3 └ P(0)  m.pml:6  x = 5           x = 5
choose:
   1   P(0)  m.pml:8  assert(x != 2)
> u
choose:
   1   P(0)  m.pml:6  x = 5
> s
  x = 4
  P(0)  m.pml:6  before x = 5
> h
  a number  take that step
  (empty)   take the step if there is only one
  b, u      undo the last step
  s         show the variables and the processes
  h         this help
  q         quit
> q

stopped after 2 steps
"
        .replace(">\n", "> \n")
    );
}

#[test]
fn the_end_of_the_input_ends_the_run() {
    let place = Place::new(CHOICE);
    let ran = place.run_with("simulate m.pml --interactive", "2\n1");
    assert_eq!(ran.exit, 1);
    let end = "assertion violated at m.pml:8:3: assert(x != 2), by P(0) in step 2\n";
    assert!(ran.out.ends_with(end), "{}", ran.out);
    let ran = place.run_with("simulate m.pml --interactive", "b\n");
    assert_eq!(ran.exit, 0);
    assert!(ran.out.contains("this is the initial state\n"));
}

#[test]
fn a_file_can_lead_the_way() {
    let place = Place::new(CHOICE);
    place.write("m.trail", "1:0:2\n");
    let ran = place.run("simulate m.pml --trail m.trail --seed 1");
    assert_eq!(ran.exit, 0);
    assert!(
        ran.out.starts_with("   1   P(0)  m.pml:6  x = 3"),
        "{}",
        ran.out
    );
    assert!(
        ran.out.contains("all processes have terminated"),
        "{}",
        ran.out
    );

    assert_eq!(place.run("check m.pml --trace t.json -q").exit, 1);
    let ran = place.run("simulate m.pml --trace t.json");
    assert_eq!(ran.exit, 1);
    assert!(ran.out.contains("assertion violated"), "{}", ran.out);
    let ran = place.run_with("simulate m.pml --trace t.json -i", "b\nb\n1\n1\nq\n");
    assert_eq!(ran.exit, 0);
    assert!(ran.out.ends_with("stopped after 2 steps\n"), "{}", ran.out);
}

#[test]
fn mistakes_are_told() {
    let place = Place::new("active proctype P() { x = 1 }");
    let ran = place.run("simulate m.pml");
    assert_eq!(ran.exit, 2);
    assert!(ran.err.contains("`x` is not declared"), "{}", ran.err);
    let ran = place.run("simulate none.pml");
    assert_eq!(ran.exit, 2);
    assert!(
        ran.err.starts_with("error: cannot read none.pml: "),
        "{}",
        ran.err
    );
    let place = Place::new(CHOICE);
    place.write("m.trail", "1:0:1\n2:0:9\n");
    let ran = place.run("simulate m.pml --trail m.trail");
    assert_eq!(ran.exit, 2);
    assert!(
        ran.err.starts_with("error: m.trail: line 2 of the trail: "),
        "{}",
        ran.err
    );
    let ran = place.run("simulate m.pml --trace none.json");
    assert_eq!(ran.exit, 2);
    assert!(
        ran.err.starts_with("error: cannot read none.json: "),
        "{}",
        ran.err
    );
}

#[test]
fn macros_and_lossy_channels_are_options() {
    let place = Place::new(
        "chan c = [1] of { byte };\nactive proctype P() { c!1; c!2; assert(len(c) == N) }",
    );
    let ran = place.run("simulate m.pml -DN=1 --seed 1");
    assert_eq!(ran.exit, 1);
    assert!(ran.out.contains("waits for c!2  (c = [1])"), "{}", ran.out);
    let ran = place.run("simulate m.pml -D N=1 --seed 1 --lossy-channels");
    assert_eq!(ran.exit, 0, "{}", ran.out);
    assert!(
        ran.out.contains("c!2                  lost 2\n"),
        "{}",
        ran.out
    );
}
