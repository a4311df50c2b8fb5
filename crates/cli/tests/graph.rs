//! Drawings of models: `spinor graph` and what stands behind it.

use std::process::{Command, Output};

use checker::load::{Source, load};
use cli::graph::{Automaton, Format};

/// A little of everything that is drawn in its own way.
const MODEL: &str = r#"
chan c = [1] of { byte };
byte x;

active proctype P()
{
again:
  do
  :: atomic { x < 3 -> x++ }
  :: c ! x
  :: x == 3 && c ? [1] -> break
  od;
  { d_step { x = 0; x = 1 }; printf("x = \"%d\"\n", x) } unless { c ? 2 -> goto again };
accept_it:
  x = 4;
progress_it:
  x = 5
}

init { c ? x }
"#;

fn automata(model: &str) -> Vec<Automaton> {
    let loaded = load(&Source::text("m.pml", model));
    match loaded {
        Ok(loaded) => Automaton::all(&loaded.model),
        Err(error) => panic!("{}", error.render(false)),
    }
}

#[test]
fn dot() {
    insta::assert_snapshot!(Format::Dot.draw(&automata(MODEL)), @r##"
    digraph automata {
      graph [fontname="Helvetica", newrank=true];
      node [shape=circle, fontname="Helvetica", fontsize=11, width=0.4, margin=0.03];
      edge [fontname="Courier", fontsize=10, arrowsize=0.7];

      subgraph cluster_0 {
        label="proctype P";
        tooltip="m.pml:5";
        p0_start [shape=point, width=0.08, label=""];
        p0_7 [label="7", xlabel="again:", tooltip="m.pml:9"];
        p0_2 [label="2", tooltip="m.pml:9"];
        p0_12 [label="12", tooltip="m.pml:13"];
        p0_13 [label="13", tooltip="m.pml:13"];
        p0_18 [label="18", style=filled, fillcolor="#ffd9a0", xlabel="accept_it:", tooltip="m.pml:15"];
        p0_19 [label="19", style=filled, fillcolor="#cdebc5", xlabel="progress_it:", tooltip="m.pml:17"];
        p0_20 [label="20", shape=doublecircle, tooltip="m.pml:18"];
        p0_0 [shape=point, width=0.15, label="", tooltip="the process has ended"];
        p0_start -> p0_7;
        p0_7 -> p0_2 [label="x < 3", style=bold, color="#1f5fbf", fontcolor="#1f5fbf", tooltip="m.pml:9", labeltooltip="m.pml:9"];
        p0_7 -> p0_7 [label="c ! x", tooltip="m.pml:10", labeltooltip="m.pml:10"];
        p0_7 -> p0_12 [label="x == 3 && c ? [1]", tooltip="m.pml:11", labeltooltip="m.pml:11"];
        p0_2 -> p0_7 [label="x++", tooltip="m.pml:9", labeltooltip="m.pml:9"];
        p0_12 -> p0_7 [label="c ? 2", style=dashed, color="#b8381f", fontcolor="#b8381f", tooltip="m.pml:13", labeltooltip="m.pml:13"];
        p0_12 -> p0_13 [label="d_step { x = 0; x = 1 }", style=bold, color="#7d3cb5", fontcolor="#7d3cb5", tooltip="m.pml:13", labeltooltip="m.pml:13"];
        p0_13 -> p0_7 [label="c ? 2", style=dashed, color="#b8381f", fontcolor="#b8381f", tooltip="m.pml:13", labeltooltip="m.pml:13"];
        p0_13 -> p0_18 [label="printf(\"x = \\\"%d\\\"\\n\", x)", tooltip="m.pml:13", labeltooltip="m.pml:13"];
        p0_18 -> p0_19 [label="x = 4", tooltip="m.pml:15", labeltooltip="m.pml:15"];
        p0_19 -> p0_20 [label="x = 5", tooltip="m.pml:17", labeltooltip="m.pml:17"];
        p0_20 -> p0_0 [label="-end-", tooltip="m.pml:18", labeltooltip="m.pml:18"];
      }

      subgraph cluster_1 {
        label="init";
        tooltip="m.pml:20";
        p1_start [shape=point, width=0.08, label=""];
        p1_1 [label="1", tooltip="m.pml:20"];
        p1_2 [label="2", shape=doublecircle, tooltip="m.pml:20"];
        p1_0 [shape=point, width=0.15, label="", tooltip="the process has ended"];
        p1_start -> p1_1;
        p1_1 -> p1_2 [label="c ? x", tooltip="m.pml:20", labeltooltip="m.pml:20"];
        p1_2 -> p1_0 [label="-end-", tooltip="m.pml:20", labeltooltip="m.pml:20"];
      }
    }
    "##);
}

/// The names of all elements, if every one that starts also ends, in order.
fn elements(svg: &str) -> Result<Vec<&str>, String> {
    let mut open: Vec<&str> = Vec::new();
    let mut found = Vec::new();
    let mut rest = svg;
    while let Some(start) = rest.find('<') {
        let (text, from) = rest.split_at(start);
        check_text(text)?;
        let end = from.find('>').ok_or("a tag does not end")?;
        let tag = &from[1..end];
        rest = &from[end + 1..];
        if let Some(name) = tag.strip_prefix('/') {
            if open.pop() != Some(name) {
                return Err(format!("</{name}> closes nothing"));
            }
            continue;
        }
        let name = tag.split([' ', '/']).next().unwrap_or_default();
        if tag.matches('"').count() % 2 == 1 || tag.contains('<') {
            return Err(format!("bad tag <{tag}>"));
        }
        found.push(name);
        if !tag.ends_with('/') {
            open.push(name);
        }
    }
    match open.is_empty() {
        true => Ok(found),
        false => Err(format!("{open:?} do not end")),
    }
}

/// Every ampersand starts an entity.
fn check_text(text: &str) -> Result<(), String> {
    for (at, _) in text.match_indices('&') {
        let entities = ["&amp;", "&lt;", "&gt;", "&quot;"];
        if !entities.iter().any(|entity| text[at..].starts_with(entity)) {
            return Err(format!("bare ampersand in {text:?}"));
        }
    }
    Ok(())
}

#[track_caller]
fn check_svg(automata: &[Automaton]) {
    let svg = Format::Svg.draw(automata);
    assert_eq!(svg, Format::Svg.draw(automata));
    let elements = elements(&svg).unwrap_or_else(|reason| panic!("{reason}:\n{svg}"));
    assert_eq!(elements.iter().filter(|name| **name == "svg").count(), 1);
    for automaton in automata {
        check_completeness(automaton);
    }
    assert!(!svg.contains("NaN") && !svg.contains("inf"));
}

/// Every state and every statement is there.
#[track_caller]
fn check_completeness(automaton: &Automaton) {
    let svg = Format::Svg.draw(std::slice::from_ref(automaton));
    let (drawing, _legend) = svg.split_once("class=\"legend\"").expect("a legend");
    let states = automaton.states.iter().filter(|state| !state.is_gone());
    assert_eq!(
        drawing.matches("<ellipse class=\"outer\"").count(),
        states.clone().count()
    );
    for state in states {
        let number = format!("\">{}</text>", state.control.0);
        assert!(drawing.contains(&number), "no state {}", state.control.0);
    }
    let steps = drawing.matches("<g class=\"step").count();
    assert_eq!(steps, automaton.steps.len());
    for step in &automaton.steps {
        let title = format!("<title>{}: ", step.location);
        assert!(drawing.contains(&title), "no statement of {title}");
    }
}

#[test]
fn svg_is_well_formed_and_complete() {
    check_svg(&automata(MODEL));
    check_svg(&automata(MODEL)[1..]);
}

#[test]
fn svg_shows_what_is_special() {
    let svg = Format::Svg.draw(&automata(MODEL));
    for part in [
        "class=\"step atomic\"",
        "class=\"step d_step\"",
        "class=\"step escape\"",
        "class=\"state accept\"",
        "class=\"state progress\"",
        "class=\"inner\"",
        ">accept_it:</text>",
        "<title>the process has ended</title>",
        "c ? [1]",
        "may end here",
    ] {
        assert!(svg.contains(part), "no {part} in\n{svg}");
    }
}

#[test]
fn random_models_are_drawn() {
    for seed in 0..40 {
        let model = generate::model(seed);
        check_svg(&automata(&model));
    }
}

#[test]
fn an_escape_of_many_states_is_drawn_once() {
    let statements = "x++; ".repeat(20);
    let model = format!(
        "byte x; active proctype P() {{ {{ {statements} x = 0 }} unless {{ x > 7 -> x = 1 }} }}"
    );
    let automata = automata(&model);
    check_svg(&automata);
    let svg = Format::Svg.draw(&automata);
    let escapes = automata[0].steps.iter().filter(|step| step.escape).count();
    assert!(escapes > 10);
    assert_eq!(svg.matches("class=\"connector\"").count(), escapes - 1);
}

/// Run the program in a directory with the model; returns the directory, too.
fn spinor(args: &[&str]) -> (tempfile::TempDir, Output) {
    let directory = tempfile::tempdir().expect("a directory");
    std::fs::write(directory.path().join("m.pml"), MODEL).expect("a model");
    std::fs::write(directory.path().join("bad.pml"), "init { y = 1 }").expect("a model");
    let output = Command::new(env!("CARGO_BIN_EXE_spinor"))
        .current_dir(directory.path())
        .arg("graph")
        .args(args)
        .output()
        .expect("it runs");
    (directory, output)
}

#[track_caller]
fn check_refusal(args: &[&str], expected: &str) {
    let (_directory, output) = spinor(args);
    let text = String::from_utf8_lossy(&output.stderr);
    assert_eq!(output.status.code(), Some(2), "{text}");
    assert!(output.stdout.is_empty());
    assert!(text.contains(expected), "{text}");
}

#[test]
fn refusals() {
    check_refusal(&["m.pml"], "--automata");
    check_refusal(
        &["--automata", "m.pml", "--proctype", "Q"],
        "there is no proctype `Q`; the model has: P, init",
    );
    check_refusal(&["--automata", "bad.pml"], "`y` is not declared");
    check_refusal(&["--automata", "none.pml"], "cannot read none.pml");
    check_refusal(
        &["--automata", "m.pml", "-o", "m.pml"],
        "would overwrite the model",
    );
    check_refusal(
        &["--automata", "m.pml", "-o", "no/such.svg"],
        "cannot write",
    );
}

#[test]
fn standard_output_gets_dot() {
    let (_directory, output) = spinor(&["--automata", "m.pml", "--proctype", "init"]);
    let text = String::from_utf8_lossy(&output.stdout);
    assert_eq!(output.status.code(), Some(0));
    assert!(text.starts_with("digraph automata {"));
    assert_eq!(text.matches("subgraph").count(), 1);
}

#[test]
fn the_name_of_a_file_gives_the_format() {
    let (directory, output) = spinor(&["--automata", "m.pml", "-o", "m.svg"]);
    assert_eq!(output.status.code(), Some(0));
    assert!(output.stdout.is_empty());
    let svg = std::fs::read_to_string(directory.path().join("m.svg")).expect("a drawing");
    assert!(elements(&svg).is_ok());
}

#[test]
fn a_directory_gets_a_file_for_each_proctype() {
    let (directory, output) = spinor(&["--automata", "m.pml", "--format", "svg", "-o", "out/"]);
    assert_eq!(output.status.code(), Some(0));
    for name in ["P.svg", "init.svg"] {
        let path = directory.path().join("out").join(name);
        assert!(std::fs::read_to_string(path).is_ok_and(|svg| svg.ends_with("</svg>\n")));
    }
}
