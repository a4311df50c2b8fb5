//! Promela front end: preprocessor, lexer, parser, names and types, lowering, formatter.
//!
//! | module | purpose |
//! | --- | --- |
//! | `source`, `text`, `token` | files and positions in them, tokens |
//! | `preprocess` | `directive` lines with `#`, `condition` the values of `#if`, `macros` and `substitute` their expansion |
//! | `lexer`, `parser`, `ast` | recursive descent: `stream` tokens with implied semicolons, `inline` expansion of inlines, `advice` and `recover` errors and how parsing continues after them |
//! | `lower` | `flow` elements and sequences as Spin's parser builds them, `automaton` control states and their options, `dstep` straight-line code, `types` and `expr` names and types, `finish` the layout |
//! | `lint`, `lost` | warnings about models that are legal but suspicious; names that skipped text may have declared |
//! | `diagnostic`, `render` | errors and warnings with their locations, and as text |
//! | `fmt` | the formatter; `same` proves that the text still means the same |

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
