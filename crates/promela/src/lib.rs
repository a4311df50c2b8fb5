//! Promela front end: preprocessor, lexer, parser, names and types, lowering, formatter.
