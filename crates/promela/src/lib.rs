//! Promela front end: preprocessor, lexer, parser, names and types, lowering, formatter.

pub mod ast;
pub mod diagnostic;
pub mod fmt;
pub mod lexer;
pub mod lint;
pub mod lost;
pub mod lower;
pub mod parser;
pub mod preprocess;
pub mod render;
pub mod source;
mod text;
pub mod token;
