//! Drawings of a model: the control-flow graph of each proctype as DOT or SVG.
//!
//! [`automaton`] takes from the model what is drawn; [`dot`] writes it for Graphviz;
//! [`layout`] gives it coordinates, without knowing what a proctype is; [`svg`] draws it.
//! The same model gives the same bytes.

pub mod automaton;
pub mod dot;
mod figure;
pub mod layout;
mod legend;
mod paint;
pub mod svg;
mod text;

pub use automaton::Automaton;

/// A file format of drawings.
#[derive(Clone, Copy, Debug, PartialEq, Eq, clap::ValueEnum)]
pub enum Format {
    /// The language of Graphviz.
    Dot,
    /// A picture.
    Svg,
}

impl Format {
    /// The usual end of a file's name.
    pub fn extension(self) -> &'static str {
        match self {
            Format::Dot => "dot",
            Format::Svg => "svg",
        }
    }

    /// Draw automata, all in one file.
    pub fn draw(self, automata: &[Automaton]) -> String {
        match self {
            Format::Dot => dot::draw(automata),
            Format::Svg => svg::draw(automata),
        }
    }
}
