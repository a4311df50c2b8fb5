//! Text to tokens, one at a time.
//!
//! The scanner knows no keywords and no macros. It joins the token rules of C's
//! preprocessor and of Promela where they differ: `1..N` is three tokens here, so
//! that a macro `N` is expanded, while a C preprocessor takes it for one number.

use crate::source::{ExpansionId, FileId, Span};
use crate::token::{Flags, Interner, Name, Token, TokenKind};

/// A position in a file. The text is passed to each call, because the file's
/// owner grows while the file is read.
#[derive(Clone, Debug)]
pub struct Lexer {
    file: FileId,
    pos: usize,
    /// Where a comment starts that nothing ends.
    pub open_comment: Option<Span>,
}

impl Lexer {
    /// At the start of a file.
    pub fn new(file: FileId) -> Lexer {
        Lexer {
            file,
            pos: 0,
            open_comment: None,
        }
    }

    /// The file it reads.
    pub fn file(&self) -> FileId {
        self.file
    }

    fn span(&self, start: usize) -> Span {
        Span {
            file: self.file,
            start: start as u32,
            end: self.pos as u32,
            expansion: ExpansionId::NONE,
        }
    }

    /// The rest of the line, as text; what `#include` and `#error` want.
    pub fn rest_of_line(&mut self, text: &str) -> Span {
        let start = self.pos;
        while self.pos < text.len() && text.as_bytes()[self.pos] != b'\n' {
            if let Some(length) = continuation(&text.as_bytes()[self.pos..]) {
                self.pos += length;
            } else {
                self.pos += 1;
            }
        }
        self.span(start)
    }

    /// Skip white space and comments.
    fn skip_blank(&mut self, text: &str) -> Flags {
        let bytes = text.as_bytes();
        let mut flags = Flags::NONE;
        if self.pos == 0 {
            flags = Flags::LINE_START;
            if text.starts_with('\u{feff}') {
                self.pos = '\u{feff}'.len_utf8();
            }
        }
        let line = Flags::SPACE.with(Flags::NEWLINE).with(Flags::LINE_START);
        while let Some(&byte) = bytes.get(self.pos) {
            match byte {
                b'\n' => {
                    flags = flags.with(line);
                    self.pos += 1;
                }
                b' ' | b'\t' | b'\r' | 0x0b | 0x0c => {
                    flags = flags.with(Flags::SPACE);
                    self.pos += 1;
                }
                b'\\' => match continuation(&bytes[self.pos..]) {
                    Some(length) => {
                        flags = flags.with(Flags::SPACE).with(Flags::NEWLINE);
                        self.pos += length;
                    }
                    None => break,
                },
                b'/' if bytes.get(self.pos + 1) == Some(&b'/') => {
                    flags = flags.with(Flags::SPACE);
                    self.rest_of_line(text);
                }
                b'/' if bytes.get(self.pos + 1) == Some(&b'*') => {
                    flags = flags.with(Flags::SPACE);
                    let start = self.pos;
                    let body = &text[start + 2..];
                    let end = body.find("*/");
                    let body = &body[..end.unwrap_or(body.len())];
                    if body.contains('\n') {
                        flags = flags.with(Flags::NEWLINE);
                    }
                    self.pos = start + 2 + body.len();
                    if end.is_some() {
                        self.pos += 2;
                    } else {
                        self.open_comment = Some(Span {
                            end: start as u32 + 2,
                            ..self.span(start)
                        });
                    }
                }
                _ => break,
            }
        }
        flags
    }

    /// The next token.
    pub fn next(&mut self, text: &str, names: &mut Interner) -> Token {
        let flags = self.skip_blank(text);
        let start = self.pos;
        let (kind, name) = self.scan(text, names);
        Token {
            kind,
            flags,
            name,
            span: self.span(start),
        }
    }

    fn scan(&mut self, text: &str, names: &mut Interner) -> (TokenKind, Name) {
        let bytes = text.as_bytes();
        let start = self.pos;
        let Some(&byte) = bytes.get(start) else {
            return (TokenKind::Eof, Name::EMPTY);
        };
        match byte {
            b'_' | b'a'..=b'z' | b'A'..=b'Z' | b'0'..=b'9' => {
                self.pos += word_length(&bytes[start..]);
                let kind = if byte.is_ascii_digit() {
                    TokenKind::Number
                } else {
                    TokenKind::Ident
                };
                (kind, names.intern(&text[start..self.pos]))
            }
            b'"' | b'\'' => self.quoted(text, names),
            _ => {
                let (kind, length) = punctuation(&bytes[start..]);
                if kind != TokenKind::Other {
                    self.pos += length;
                    return (kind, Name::EMPTY);
                }
                let length = text[start..].chars().next().map_or(1, char::len_utf8);
                self.pos += length;
                (kind, names.intern(&text[start..self.pos]))
            }
        }
    }

    /// A string or a character constant; an open one is the rest of its line.
    fn quoted(&mut self, text: &str, names: &mut Interner) -> (TokenKind, Name) {
        let bytes = text.as_bytes();
        let start = self.pos;
        let quote = bytes[start];
        let mut joined = false;
        self.pos += 1;
        let closed = loop {
            match bytes.get(self.pos) {
                None | Some(b'\n') => break false,
                Some(&b) if b == quote => {
                    self.pos += 1;
                    break true;
                }
                Some(b'\\') => {
                    if let Some(length) = continuation(&bytes[self.pos..]) {
                        joined = true;
                        self.pos += length;
                        continue;
                    }
                    self.pos += 1;
                    if let Some(c) = text[self.pos..].chars().next().filter(|&c| c != '\n') {
                        self.pos += c.len_utf8();
                    }
                }
                Some(_) => self.pos += 1,
            }
        };
        if !closed {
            return (TokenKind::Other, names.intern(&text[start..start + 1]));
        }
        let raw = &text[start..self.pos];
        let name = if joined {
            names.intern(&without_continuations(raw))
        } else {
            names.intern(raw)
        };
        let kind = if quote == b'"' {
            TokenKind::Str
        } else {
            TokenKind::Char
        };
        (kind, name)
    }
}

/// The length of a backslash with the line break behind it.
fn continuation(bytes: &[u8]) -> Option<usize> {
    if bytes.first() != Some(&b'\\') {
        return None;
    }
    let blanks = bytes[1..]
        .iter()
        .take_while(|b| matches!(b, b' ' | b'\t' | b'\r'))
        .count();
    (bytes.get(1 + blanks) == Some(&b'\n')).then_some(blanks + 2)
}

fn without_continuations(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    let mut rest = text;
    while let Some(at) = rest.find('\\') {
        out.push_str(&rest[..at]);
        rest = &rest[at..];
        match continuation(rest.as_bytes()) {
            Some(length) => rest = &rest[length..],
            None => {
                // Keep an escape whole: its second character may be a backslash.
                let length = 1 + rest[1..].chars().next().map_or(0, char::len_utf8);
                out.push_str(&rest[..length]);
                rest = &rest[length..];
            }
        }
    }
    out.push_str(rest);
    out
}

fn word_length(bytes: &[u8]) -> usize {
    bytes
        .iter()
        .take_while(|b| b.is_ascii_alphanumeric() || **b == b'_')
        .count()
}

/// The punctuation mark a text starts with, and its length.
fn punctuation(bytes: &[u8]) -> (TokenKind, usize) {
    use TokenKind::*;
    let second = bytes.get(1).copied().unwrap_or(0);
    let two = match (bytes[0], second) {
        (b'.', b'.') => DotDot,
        (b':', b':') => Sep,
        (b'-', b'>') => Arrow,
        (b'=', b'=') => Eq,
        (b'!', b'=') => Ne,
        (b'<', b'=') => Le,
        (b'<', b'<') => Shl,
        (b'>', b'=') => Ge,
        (b'>', b'>') => Shr,
        (b'+', b'+') => Incr,
        (b'-', b'-') => Decr,
        (b'&', b'&') => AndAnd,
        (b'|', b'|') => OrOr,
        (b'!', b'!') => BangBang,
        (b'?', b'?') => QuestQuest,
        (b'#', b'#') => HashHash,
        _ => Other,
    };
    if two != Other {
        return (two, 2);
    }
    let one = match bytes[0] {
        b'(' => LParen,
        b')' => RParen,
        b'[' => LBracket,
        b']' => RBracket,
        b'{' => LBrace,
        b'}' => RBrace,
        b';' => Semi,
        b',' => Comma,
        b'.' => Dot,
        b':' => Colon,
        b'=' => Assign,
        b'<' => Lt,
        b'>' => Gt,
        b'+' => Plus,
        b'-' => Minus,
        b'*' => Star,
        b'/' => Slash,
        b'%' => Percent,
        b'&' => Amp,
        b'|' => Pipe,
        b'^' => Caret,
        b'~' => Tilde,
        b'!' => Bang,
        b'?' => Quest,
        b'@' => At,
        b'#' => Hash,
        _ => Other,
    };
    (one, 1)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(text: &str, expected: &str) {
        let mut names = Interner::default();
        let mut lexer = Lexer::new(FileId(0));
        let mut out = Vec::new();
        loop {
            let token = lexer.next(text, &mut names);
            if token.kind == TokenKind::Eof {
                break;
            }
            let mut shown = format!("{}{}", token.kind.punctuation(), names.text(token.name));
            if token.flags.has(Flags::NEWLINE) {
                shown.insert(0, '/');
            }
            out.push(shown);
        }
        assert_eq!(out.join(" "), expected);
    }

    #[test]
    fn tokens() {
        check("x=1..N", "x = 1 .. N");
        check("c!!a,b;c??<x>", "c !! a , b ; c ?? < x >");
        check("a->b::c:d", "a -> b :: c : d");
        check("0x1F 9lives", "0x1F 9lives");
        check(
            r#"printf("a \"b\"\n", 'x')"#,
            r#"printf ( "a \"b\"\n" , 'x' )"#,
        );
        check("\"open\n'a", "\" /'");
        check("é$", "é $");
    }

    #[test]
    fn newlines() {
        check("a /* b */ c // d\ne", "a c /e");
        check("a /*\n*/ b", "a /b");
        check("a \\\n b", "a /b");
        check("\"a\\\nb\"", "\"ab\"");
        check("a // x \\\n b\nc", "a /c");
    }
}
