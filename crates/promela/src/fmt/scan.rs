//! Text to tokens that know the comments, directives and line breaks before them.
//!
//! It works on the text as written, before the preprocessor. What is not Promela is
//! kept whole: directives with their continued lines, groups under `#if 0`, C text,
//! and the arguments of macros that turn them into strings.

use std::collections::HashSet;

use super::gap::{Columns, Directive, Gap, same_line_end};
use crate::lexer::Lexer;
use crate::source::FileId;
use crate::token::{self, Flags, Interner, Keyword, TokenKind};

/// A token with what stands before it.
#[derive(Debug)]
pub(super) struct Token<'a> {
    /// What it is. Keywords are known, `[]`, `<>` and `<->` are one token each, and
    /// text that is kept whole is [`TokenKind::Other`].
    pub kind: TokenKind,
    /// As written.
    pub text: &'a str,
    /// What stands before it.
    pub gap: Gap<'a>,
    /// Whether anything stands before it.
    pub spaced: bool,
}

impl Token<'_> {
    /// Whether it is this keyword.
    pub fn is(&self, keyword: Keyword) -> bool {
        self.kind == TokenKind::Keyword(keyword)
    }
}

/// The tokens of a text; the last one is the end of the text.
pub(super) fn scan(text: &str) -> Vec<Token<'_>> {
    let mut scanner = Scanner {
        text,
        lexer: Lexer::new(FileId(0)),
        names: Interner::default(),
        peeked: None,
        end: 0,
        columns: Columns::default(),
        quoting: HashSet::new(),
    };
    let mut tokens = Vec::new();
    loop {
        let token = scanner.token(tokens.last());
        let done = token.kind == TokenKind::Eof;
        tokens.push(token);
        if done {
            return tokens;
        }
    }
}

struct Scanner<'a> {
    text: &'a str,
    lexer: Lexer,
    names: Interner,
    peeked: Option<token::Token>,
    /// Where the last token or directive ended.
    end: usize,
    columns: Columns,
    /// Macros that turn an argument into a string.
    quoting: HashSet<&'a str>,
}

impl<'a> Scanner<'a> {
    fn peek(&mut self) -> token::Token {
        match self.peeked {
            Some(token) => token,
            None => {
                let token = self.lexer.next(self.text, &mut self.names);
                self.peeked = Some(token);
                token
            }
        }
    }

    fn bump(&mut self) -> token::Token {
        let token = self.peek();
        self.peeked = None;
        self.end = token.span.end as usize;
        token
    }

    fn text_of(&self, token: token::Token) -> &'a str {
        &self.text[token.span.start as usize..token.span.end as usize]
    }

    fn starts_directive(token: token::Token) -> bool {
        token.kind == TokenKind::Hash && token.flags.has(Flags::LINE_START)
    }

    fn token(&mut self, before: Option<&Token<'a>>) -> Token<'a> {
        let mut gap = Gap::default();
        let from = self.end;
        loop {
            let next = self.peek();
            let start = next.span.start as usize;
            gap.read(self.text, self.end..start, &mut self.columns);
            if !Self::starts_directive(next) {
                break;
            }
            self.bump();
            self.directive(start, &mut gap);
        }
        let first = self.bump();
        if first.kind == TokenKind::Eof {
            // The last line ends, whether or not it says so.
            gap.breaks = gap.breaks.max(1);
        }
        let start = first.span.start as usize;
        let kind = match before {
            Some(last) if self.takes_whole(last, first) => {
                self.skip_group(first.kind);
                TokenKind::Other
            }
            _ => self.kind_of(first),
        };
        Token {
            kind,
            text: &self.text[start..self.end],
            gap,
            spaced: from < start,
        }
    }

    fn kind_of(&mut self, first: token::Token) -> TokenKind {
        if let (TokenKind::Ident, Some(keyword)) = (first.kind, first.name.keyword()) {
            return TokenKind::Keyword(keyword);
        }
        if !matches!(first.kind, TokenKind::LBracket | TokenKind::Lt) {
            return first.kind;
        }
        let next = self.peek();
        let kind = match (first.kind, next.kind) {
            (TokenKind::LBracket, TokenKind::RBracket) => TokenKind::Always,
            (TokenKind::Lt, TokenKind::Gt) => TokenKind::Eventually,
            (TokenKind::Lt, TokenKind::Arrow) => TokenKind::Equiv,
            _ => return first.kind,
        };
        if next.flags != Flags::NONE {
            return first.kind;
        }
        self.bump();
        kind
    }

    /// Whether a bracket starts text to be kept whole.
    fn takes_whole(&self, before: &Token<'a>, first: token::Token) -> bool {
        match before.kind {
            TokenKind::Keyword(Keyword::CCode | Keyword::CExpr | Keyword::CDecl) => {
                matches!(first.kind, TokenKind::LBrace | TokenKind::LBracket)
            }
            TokenKind::Ident => {
                first.kind == TokenKind::LParen && self.quoting.contains(before.text)
            }
            _ => false,
        }
    }

    /// Skip to the end of a group whose first bracket has been taken. The group in
    /// brackets that may stand before C text takes that text along.
    fn skip_group(&mut self, open: TokenKind) {
        let close = match open {
            TokenKind::LBrace => TokenKind::RBrace,
            TokenKind::LBracket => TokenKind::RBracket,
            _ => TokenKind::RParen,
        };
        let mut depth = 1usize;
        while depth > 0 {
            let token = self.peek();
            if token.kind == TokenKind::Eof {
                return;
            }
            self.bump();
            if Self::starts_directive(token) {
                self.skip_line();
            } else if token.kind == open {
                depth += 1;
            } else if token.kind == close {
                depth -= 1;
            }
        }
        if open == TokenKind::LBracket && self.peek().kind == TokenKind::LBrace {
            self.bump();
            self.skip_group(TokenKind::LBrace);
        }
    }

    /// Skip the rest of a directive's line.
    fn skip_line(&mut self) {
        loop {
            let token = self.peek();
            if token.kind == TokenKind::Eof || token.flags.has(Flags::LINE_START) {
                return;
            }
            self.bump();
        }
    }

    /// Read the directive whose `#` has been taken.
    fn directive(&mut self, start: usize, gap: &mut Gap<'a>) {
        let word = self.word_in_line();
        self.skip_line();
        let next = self.peek().span.start as usize;
        self.end = same_line_end(self.text, self.end..next);
        let line = &self.text[start..self.end];
        let kind = match word {
            "if" | "ifdef" | "ifndef" => Directive::If,
            "elif" | "else" => Directive::Else,
            "endif" => Directive::Endif,
            _ => Directive::Other,
        };
        match word {
            "define" => self.note_quoting(line),
            "if" if is_never(line) => self.skip_branch(),
            _ => {}
        }
        let text = &self.text[start..self.end];
        gap.push_directive(text, kind);
        self.columns.advance(self.text, self.end);
    }

    /// The directive's name, if its line has one.
    fn word_in_line(&mut self) -> &'a str {
        let token = self.peek();
        if token.flags.has(Flags::LINE_START) {
            return "";
        }
        self.text_of(token)
    }

    /// Remember a macro that turns an argument into a string.
    fn note_quoting(&mut self, line: &'a str) {
        let mut words = line.splitn(2, "define");
        let rest = words.nth(1).unwrap_or_default().trim_start();
        let end = rest
            .find(|c: char| !c.is_ascii_alphanumeric() && c != '_')
            .unwrap_or(rest.len());
        let (name, rest) = rest.split_at(end);
        if rest.starts_with('(') && rest.replace("##", "").contains('#') {
            self.quoting.insert(name);
        }
    }

    /// Skip text that is never read, up to the directive that ends it.
    fn skip_branch(&mut self) {
        let mut nested = 0usize;
        loop {
            let token = self.peek();
            if token.kind == TokenKind::Eof {
                return;
            }
            if !Self::starts_directive(token) {
                self.bump();
                continue;
            }
            let (lexer, end) = (self.lexer.clone(), self.end);
            self.bump();
            match self.word_in_line() {
                "if" | "ifdef" | "ifndef" => nested += 1,
                "elif" | "else" | "endif" if nested == 0 => {
                    (self.lexer, self.end) = (lexer, end);
                    self.peeked = Some(token);
                    let start = token.span.start as usize;
                    let before = &self.text[..start];
                    self.end = before.trim_end().len();
                    return;
                }
                "endif" => nested -= 1,
                _ => {}
            }
            self.skip_line();
        }
    }
}

/// Whether a directive is `#if 0`.
fn is_never(line: &str) -> bool {
    line.trim_start_matches('#')
        .split_whitespace()
        .eq(["if", "0"])
}
