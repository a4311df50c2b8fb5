//! One automaton of a picture: states are ellipses, statements are lines.

use std::collections::BTreeMap;
use std::fmt::Write;

use super::automaton::{Automaton, State, Step, StepKind};
use super::layout::{self, CONNECTOR, Graph, Layout, Link, NodeBox, Part, Point, Route};
use super::text;

/// Characters in a line of a statement's text, and lines.
const LABEL: (usize, usize) = (30, 3);
/// Width of a character of fixed width, in tenths of a pixel.
const CHAR: usize = 67;
/// From one line of text to the next.
pub const LINE: i64 = 14;
/// An `unless` that covers more states is drawn in short.
const SHARED: usize = 6;
/// Room above the first state, for the arrow that points to it.
const START: i64 = 26;

/// An automaton with its layout.
#[derive(Debug)]
pub struct Figure {
    /// The lines of each statement's text.
    labels: Vec<Vec<String>>,
    graph: Graph,
    layout: Layout,
}

impl Figure {
    /// Lay out an automaton.
    pub fn new(automaton: &Automaton) -> Figure {
        let wrap = |step: &Step| text::wrap(&step.text, LABEL.0, LABEL.1);
        let labels: Vec<Vec<String>> = automaton.steps.iter().map(wrap).collect();
        let stubs = stubs(automaton);
        let links = automaton.steps.iter().enumerate().map(|(at, step)| {
            let label = &labels[at];
            let (width, height) = text_size(label);
            let padding = if label.is_empty() { 0 } else { 4 };
            Link {
                source: step.source,
                target: step.target,
                label: (width + padding, height),
                minor: step.escape,
                stub: stubs[at],
            }
        });
        let graph = Graph {
            nodes: automaton.states.iter().map(node_box).collect(),
            links: links.collect(),
            root: automaton.initial,
        };
        let layout = layout::layout(&graph);
        Figure {
            labels,
            graph,
            layout,
        }
    }

    /// Width in pixels.
    pub fn width(&self) -> i64 {
        self.layout.width
    }

    /// Height in pixels.
    pub fn height(&self) -> i64 {
        self.layout.height + START
    }

    /// Draw it as parts of SVG.
    pub fn draw(&self, automaton: &Automaton, out: &mut String) {
        let _ = writeln!(out, "<g transform=\"translate(0 {START})\">");
        let initial = self.layout.nodes[automaton.initial];
        let top = initial.y - self.graph.nodes[automaton.initial].ry as f64;
        let _ = writeln!(
            out,
            "<g class=\"start\"><title>start</title><circle class=\"gone\" cx=\"{x}\" cy=\"{}\" \
             r=\"3.5\"/><path d=\"M{x} {} V{}\"/></g>",
            number(top - 20.0),
            number(top - 20.0),
            number(top),
            x = number(initial.x),
        );
        for (at, step) in automaton.steps.iter().enumerate() {
            self.step(automaton, step, at, out);
        }
        for (at, state) in automaton.states.iter().enumerate() {
            self.state(state, at, out);
        }
        out.push_str("</g>\n");
    }

    fn step(&self, automaton: &Automaton, step: &Step, at: usize, out: &mut String) {
        let route = &self.layout.routes[at];
        let mut class = "step".to_owned();
        class.push_str(match step.kind {
            StepKind::Plain => "",
            StepKind::Atomic => " atomic",
            StepKind::DStep => " d_step",
        });
        if step.escape {
            class.push_str(" escape");
        }
        let target = &automaton.states[step.target];
        let title = format!(
            "{}: {} ({} → {})",
            step.location,
            step.text,
            automaton.states[step.source].control.0,
            goal(target)
        );
        let _ = write!(
            out,
            "<g class=\"{class}\"><title>{}</title><path d=\"{}\"/>",
            text::xml(&title),
            path(route)
        );
        if let Some(middle) = route.connector {
            connector(middle, target, out);
        }
        let label = &self.labels[at];
        if !label.is_empty() {
            let (width, height) = self.graph.links[at].label;
            let _ = write!(
                out,
                "<rect class=\"back\" x=\"{}\" y=\"{}\" width=\"{width}\" height=\"{height}\"/>",
                number(route.label.x - width as f64 / 2.0),
                number(route.label.y - height as f64 / 2.0),
            );
            lines(label, route.label, "code middle", out);
        }
        out.push_str("</g>\n");
    }

    fn state(&self, state: &State, at: usize, out: &mut String) {
        let middle = self.layout.nodes[at];
        let (rx, ry) = (self.layout.rx[at], self.graph.nodes[at].ry);
        let (cx, cy) = (number(middle.x), number(middle.y));
        if state.is_gone() {
            let _ = writeln!(
                out,
                "<g class=\"end\"><title>the process has ended</title>\
                 <ellipse class=\"gone\" cx=\"{cx}\" cy=\"{cy}\" rx=\"{rx}\" ry=\"{ry}\"/></g>"
            );
            return;
        }
        let _ = write!(
            out,
            "<g class=\"{}\"><title>{}</title>\
             <ellipse class=\"outer\" cx=\"{cx}\" cy=\"{cy}\" rx=\"{rx}\" ry=\"{ry}\"/>",
            state_class(state),
            text::xml(&state_title(state)),
        );
        if state.end {
            let _ = write!(
                out,
                "<ellipse class=\"inner\" cx=\"{cx}\" cy=\"{cy}\" rx=\"{}\" ry=\"{}\"/>",
                rx - 3,
                ry - 3
            );
        }
        let _ = write!(
            out,
            "<text class=\"number\" x=\"{cx}\" y=\"{}\">{}</text>",
            number(middle.y + 4.2),
            state.control.0
        );
        if !state.labels.is_empty() {
            let left = Point {
                x: middle.x - rx as f64 - 4.0,
                y: middle.y,
            };
            lines(&state.label_lines(), left, "code label", out);
        }
        out.push_str("</g>\n");
    }
}

/// Which statements are not drawn to their target. An `unless` adds the same statements to
/// all states it covers; if these are many, one of each is drawn in full. It is the last one
/// that leaves a state nearer to the start than the target, so that this can still be reached.
fn stubs(automaton: &Automaton) -> Vec<bool> {
    let distance = automaton.distances();
    let mut shared: BTreeMap<(usize, &str, &str), Vec<usize>> = BTreeMap::new();
    for (at, step) in automaton.steps.iter().enumerate().filter(|(_, s)| s.escape) {
        let key = (step.target, step.text.as_str(), step.location.as_str());
        shared.entry(key).or_default().push(at);
    }
    let mut stubs = vec![false; automaton.steps.len()];
    for (&(target, ..), steps) in shared.iter().filter(|(_, steps)| steps.len() > SHARED) {
        let nearer = |at: &&usize| distance[automaton.steps[**at].source] < distance[target];
        let whole = steps.iter().rev().find(nearer);
        for &at in steps {
            stubs[at] = Some(&at) != whole;
        }
    }
    stubs
}

/// The classes of a state's group.
pub fn state_class(state: &State) -> &'static str {
    match (state.accept, state.progress) {
        (true, _) => "state accept",
        (false, true) => "state progress",
        (false, false) => "state",
    }
}

fn state_title(state: &State) -> String {
    let mut title = format!("state {}", state.control.0);
    if let Some(location) = &state.location {
        let _ = write!(title, ", {location}");
    }
    let marks = [
        (state.end, "a process may end here"),
        (state.accept, "accepting"),
        (state.progress, "progress"),
    ];
    for (_, mark) in marks.iter().filter(|(is, _)| *is) {
        let _ = write!(title, ", {mark}");
    }
    title
}

/// The state an edge leads to, in a word.
fn goal(state: &State) -> String {
    match state.is_gone() {
        true => "end".to_owned(),
        false => state.control.0.to_string(),
    }
}

fn connector(middle: Point, target: &State, out: &mut String) {
    let (rx, ry) = CONNECTOR;
    let _ = write!(
        out,
        "<rect class=\"connector\" x=\"{}\" y=\"{}\" width=\"{}\" height=\"{}\" rx=\"{ry}\"/>\
         <text class=\"number\" x=\"{}\" y=\"{}\">→{}</text>",
        number(middle.x - rx as f64),
        number(middle.y - ry as f64),
        2 * rx,
        2 * ry,
        number(middle.x),
        number(middle.y + 4.2),
        goal(target)
    );
}

/// Lines of text around a point.
fn lines(lines: &[String], middle: Point, class: &str, out: &mut String) {
    let first = middle.y - (lines.len() as i64 * LINE) as f64 / 2.0 + 10.5;
    for (at, line) in lines.iter().enumerate() {
        let y = first + (at as i64 * LINE) as f64;
        let _ = write!(
            out,
            "<text class=\"{class}\" x=\"{}\" y=\"{}\">{}</text>",
            number(middle.x),
            number(y),
            text::xml(line)
        );
    }
}

fn node_box(state: &State) -> NodeBox {
    if state.is_gone() {
        return NodeBox {
            rx: 6,
            ry: 6,
            ..NodeBox::default()
        };
    }
    let digits = state.control.0.to_string().len() as i64;
    let (text_width, text_height) = text_size(&state.label_lines());
    NodeBox {
        rx: 14.max(4 * digits + 6),
        ry: 14,
        text_width,
        text_height,
    }
}

/// Width and height of lines in the font of fixed width.
fn text_size(lines: &[String]) -> (i64, i64) {
    let columns = lines.iter().map(|line| text::columns(line)).max();
    let width = (columns.unwrap_or(0) * CHAR).div_ceil(10);
    (width as i64, lines.len() as i64 * LINE)
}

fn path(route: &Route) -> String {
    let mut path = format!("M{}", point(route.start));
    for part in &route.parts {
        let _ = match part {
            Part::Line(to) => write!(path, " L{}", point(*to)),
            Part::Curve(a, b, to) => {
                write!(path, " C{} {} {}", point(*a), point(*b), point(*to))
            }
        };
    }
    path
}

fn point(point: Point) -> String {
    format!("{} {}", number(point.x), number(point.y))
}

/// A coordinate to a tenth of a pixel.
fn number(value: f64) -> String {
    let tenths = (value * 10.0).round() as i64;
    if tenths % 10 == 0 {
        return (tenths / 10).to_string();
    }
    let sign = if tenths < 0 { "-" } else { "" };
    format!("{sign}{}.{}", tenths.abs() / 10, tenths.abs() % 10)
}
