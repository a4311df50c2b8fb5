//! Automata as a picture: a document in SVG, one automaton below another.

use std::fmt::Write;

use super::automaton::Automaton;
use super::figure::Figure;
use super::{legend, paint, text};

/// Room around everything.
const MARGIN: i64 = 24;
/// Room from one automaton to the next.
const BETWEEN: i64 = 36;
/// Height of a heading, with the room below it.
const HEADING: i64 = 30;
/// Width of a character of a heading.
const HEADING_CHAR: i64 = 9;
/// The least width of a picture.
const NARROWEST: i64 = 240;

/// Write automata as SVG.
pub fn draw(automata: &[Automaton]) -> String {
    let figures: Vec<Figure> = automata.iter().map(Figure::new).collect();
    let widths = automata.iter().zip(&figures).map(|(automaton, figure)| {
        let heading = automaton.title.len() + automaton.location.len();
        figure.width().max(heading as i64 * HEADING_CHAR)
    });
    let inner = widths.max().unwrap_or(0).max(NARROWEST);
    let legend = legend::draw(automata, inner);
    let stack: i64 = figures
        .iter()
        .map(|figure| HEADING + figure.height() + BETWEEN)
        .sum();
    let (width, height) = (inner + 2 * MARGIN, stack + legend.height + 2 * MARGIN);

    let mut out = String::new();
    let _ = writeln!(
        out,
        "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{width}\" height=\"{height}\" \
         viewBox=\"0 0 {width} {height}\">"
    );
    head(&mut out, automata);
    let mut y = MARGIN;
    for (automaton, figure) in automata.iter().zip(&figures) {
        let _ = writeln!(
            out,
            "<g class=\"automaton\" transform=\"translate({MARGIN} {y})\">"
        );
        heading(&mut out, automaton);
        let indent = ((inner - figure.width()) / 2).clamp(0, 60);
        let _ = writeln!(out, "<g transform=\"translate({indent} {HEADING})\">");
        figure.draw(automaton, &mut out);
        out.push_str("</g>\n</g>\n");
        y += HEADING + figure.height() + BETWEEN;
    }
    let _ = writeln!(
        out,
        "<g class=\"legend\" transform=\"translate({MARGIN} {y})\">"
    );
    out.push_str(&legend.drawing);
    out.push_str("</g>\n</svg>\n");
    out
}

/// The title, styles and arrow heads.
fn head(out: &mut String, automata: &[Automaton]) {
    let names: Vec<&str> = automata.iter().map(|a| a.title.as_str()).collect();
    let _ = writeln!(out, "<title>{}</title>", text::xml(&names.join(", ")));
    let _ = write!(
        out,
        "<style>
text {{ fill: #222; font-family: Helvetica, Arial, 'DejaVu Sans', sans-serif; }}
.heading {{ font-size: 16px; font-weight: bold; }}
.at {{ font-size: 12px; font-weight: normal; fill: #777; }}
.key {{ font-size: 12px; fill: #444; }}
.number {{ font-size: 12px; text-anchor: middle; }}
.code {{ font-family: 'DejaVu Sans Mono', Menlo, Consolas, monospace; font-size: 11px; }}
.middle {{ text-anchor: middle; }}
.label {{ text-anchor: end; font-weight: bold; }}
.state ellipse {{ fill: white; stroke: #333; stroke-width: 1.3; }}
.state ellipse.inner {{ fill: none; stroke-width: 1; }}
.accept ellipse.outer {{ fill: {accept}; }}
.progress ellipse.outer {{ fill: {progress}; }}
.gone {{ fill: #333; }}
.connector {{ fill: #eee; stroke: #999; }}
path {{ fill: none; stroke: #555; stroke-width: 1.2; marker-end: url(#head); }}
rect.back {{ fill: white; }}
",
        accept = paint::ACCEPT,
        progress = paint::PROGRESS,
    );
    let colored = [
        ("atomic", paint::ATOMIC),
        ("d_step", paint::D_STEP),
        ("escape", paint::ESCAPE),
    ];
    for (name, color) in colored {
        let _ = writeln!(
            out,
            ".{name} path {{ stroke: {color}; stroke-width: 2; marker-end: url(#head-{name}); }}\n\
             .{name} text {{ fill: {color}; }}"
        );
    }
    out.push_str(
        ".escape path { stroke-width: 1.2; stroke-dasharray: 5 3; }\n\
         .escape.atomic path, .escape.d_step path { stroke-width: 2; }\n\
         .step:hover path { stroke-width: 3; }\n\
         </style>\n",
    );
    let _ = writeln!(
        out,
        "<rect width=\"100%\" height=\"100%\" fill=\"white\"/>\n<defs>"
    );
    marker(out, "head", "#555");
    for (name, color) in colored {
        marker(out, &format!("head-{name}"), color);
    }
    out.push_str("</defs>\n");
}

fn marker(out: &mut String, id: &str, color: &str) {
    let _ = writeln!(
        out,
        "<marker id=\"{id}\" viewBox=\"0 0 10 8\" refX=\"9\" refY=\"4\" markerWidth=\"9\" \
         markerHeight=\"7\" markerUnits=\"userSpaceOnUse\" orient=\"auto\">\
         <polygon points=\"0,0 10,4 0,8\" fill=\"{color}\"/></marker>"
    );
}

fn heading(out: &mut String, automaton: &Automaton) {
    let _ = writeln!(
        out,
        "<text class=\"heading\" y=\"14\">{} <tspan class=\"at\" dx=\"6\">{}</tspan></text>",
        text::xml(&automaton.title),
        text::xml(&automaton.location)
    );
}
