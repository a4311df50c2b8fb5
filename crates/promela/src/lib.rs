//! Promela front end: preprocessor, lexer, parser, names and types, lowering, formatter.

pub mod ast;
pub mod diagnostic;
pub mod source;
