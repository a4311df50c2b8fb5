//! Directives: the lines that start with `#`.

use std::path::{Path, PathBuf};
use std::rc::Rc;

use super::macros::Macro;
use super::{INCLUDE_BYTES, INCLUDE_COUNT, INCLUDE_DEPTH, Preprocessor};
use crate::diagnostic::Diagnostic;
use crate::source::{FileId, Span};
use crate::token::{Flags, Name, Token, TokenKind};

/// An open `#if`.
#[derive(Debug)]
pub(super) struct Condition {
    /// Its directive.
    span: Span,
    /// One of its branches has been taken.
    taken: bool,
    /// Its `#else` has been seen.
    in_else: bool,
}

impl Preprocessor<'_> {
    /// Carry out the directive behind a `#` at the start of a line.
    pub(super) fn directive(&mut self, hash: Token) {
        let Some(word) = self.lex_in_line() else {
            return;
        };
        if word.kind == TokenKind::Number {
            // A line marker, `# 12 "file"`.
            self.skip_line();
            return;
        }
        let span = hash.span.to(word.span);
        let text = self.names.text(word.name).to_owned();
        match text.as_str() {
            "define" => self.define(),
            "undef" => {
                if let Some(name) = self.macro_name("#undef") {
                    self.macros.remove(&name.name);
                    self.end_of_line("#undef");
                }
            }
            "include" => self.include(span),
            "ifdef" | "ifndef" => {
                let defined = self
                    .macro_name(&format!("#{text}"))
                    .map(|name| self.is_defined(name.name));
                if defined.is_some() {
                    self.end_of_line(&format!("#{text}"));
                }
                self.open(span, defined.unwrap_or(false) == (text == "ifdef"));
            }
            "if" => {
                let value = self.condition(span);
                self.open(span, value);
            }
            "elif" | "else" => self.alternative(span, &text),
            "endif" => {
                if self.conditions().pop().is_none() {
                    self.error(Diagnostic::error(span, "`#endif` without `#if`"));
                }
                self.skip_line();
            }
            "error" | "warning" => {
                let line = self.rest_of_line();
                let message = self.sources.snippet(line).trim().to_owned();
                let place = span.to(line);
                self.error(if text == "error" {
                    Diagnostic::error(place, format!("#error: {message}"))
                } else {
                    Diagnostic::warning(place, format!("#warning: {message}"))
                });
            }
            "line" | "pragma" | "ident" => self.skip_line(),
            _ => {
                self.error(
                    Diagnostic::error(span, "unknown preprocessor directive").help(
                        "the directives are #define, #undef, #include, #if, #ifdef, #ifndef, \
                         #elif, #else, #endif, #error, #line and #pragma",
                    ),
                );
                self.skip_line();
            }
        }
    }

    fn conditions(&mut self) -> &mut Vec<Condition> {
        &mut self
            .files
            .last_mut()
            .expect("a directive stands in a file")
            .conditions
    }

    pub(super) fn skip_line(&mut self) {
        while self.lex_in_line().is_some() {}
    }

    /// The text up to the end of the line. The token after the directive's name
    /// must not have been read.
    fn rest_of_line(&mut self) -> Span {
        let frame = self.files.last_mut().expect("a directive stands in a file");
        let text = &self.sources.file(frame.lexer.file()).text;
        frame.lexer.rest_of_line(text)
    }

    fn end_of_line(&mut self, directive: &str) {
        if let Some(token) = self.lex_in_line() {
            self.error(Diagnostic::warning(
                token.span,
                format!("extra text after `{directive}` is ignored"),
            ));
            self.skip_line();
        }
    }

    fn macro_name(&mut self, directive: &str) -> Option<Token> {
        match self.lex_in_line() {
            Some(token) if token.kind == TokenKind::Ident => Some(token),
            other => {
                let span = other.map_or_else(|| self.here(), |t| t.span);
                self.error(Diagnostic::error(
                    span,
                    format!("`{directive}` needs the name of a macro"),
                ));
                self.skip_line();
                None
            }
        }
    }

    /// The end of what was read of the current file.
    fn here(&self) -> Span {
        match self.files.last().and_then(|f| f.ahead) {
            // The line break before the next token is where the directive ended.
            Some(ahead) => {
                let text = &self.sources.file(ahead.span.file).text;
                let before = text[..ahead.span.start as usize].trim_end().len() as u32;
                Span {
                    start: before,
                    end: before,
                    ..ahead.span
                }
            }
            None => Span::default(),
        }
    }

    pub(super) fn is_defined(&self, name: Name) -> bool {
        self.macros.contains_key(&name) || name == self.line_name || name == self.file_name
    }

    fn open(&mut self, span: Span, value: bool) {
        self.conditions().push(Condition {
            span,
            taken: value,
            in_else: false,
        });
        if !value {
            self.skip_group();
        }
    }

    /// `#elif` or `#else` at the end of a group that was read.
    fn alternative(&mut self, span: Span, word: &str) {
        match self.conditions().last_mut() {
            None => {
                self.error(Diagnostic::error(span, format!("`#{word}` without `#if`")));
                self.skip_line();
            }
            Some(condition) if condition.in_else => {
                let open = condition.span;
                self.error(
                    Diagnostic::error(span, format!("`#{word}` after `#else`"))
                        .note(open, "the `#if` is here"),
                );
                self.skip_line();
                self.skip_group();
            }
            Some(condition) => {
                condition.in_else = word == "else";
                self.skip_line();
                self.skip_group();
            }
        }
    }

    /// Skip to the branch of the innermost `#if` that is to be read, or behind its `#endif`.
    fn skip_group(&mut self) {
        let mut nested = 0usize;
        loop {
            let token = self.lex();
            if token.kind == TokenKind::Eof {
                if let Some(frame) = self.files.last_mut() {
                    frame.ahead = Some(token);
                }
                return;
            }
            if token.kind != TokenKind::Hash || !token.flags.has(Flags::LINE_START) {
                continue;
            }
            let Some(word) = self.lex_in_line() else {
                continue;
            };
            let span = token.span.to(word.span);
            let text = self.names.text(word.name);
            match text {
                "if" | "ifdef" | "ifndef" => nested += 1,
                "endif" if nested > 0 => nested -= 1,
                "endif" => {
                    self.conditions().pop();
                    self.skip_line();
                    return;
                }
                "elif" | "else" if nested == 0 => {
                    let is_else = text == "else";
                    let Some(condition) = self.conditions().last_mut() else {
                        return;
                    };
                    if condition.in_else {
                        let open = condition.span;
                        let message = "`#elif` or `#else` after `#else`";
                        self.error(
                            Diagnostic::error(span, message).note(open, "the `#if` is here"),
                        );
                        continue;
                    }
                    condition.in_else = is_else;
                    if condition.taken {
                        continue;
                    }
                    let value = is_else || self.condition(span);
                    if let Some(condition) = self.conditions().last_mut() {
                        condition.taken = value;
                    }
                    if value {
                        self.skip_line();
                        return;
                    }
                }
                _ => {}
            }
            self.skip_line();
        }
    }

    /// At the end of a file: every `#if` in it must have its `#endif`.
    pub(super) fn check_open_conditions(&mut self) {
        let open: Vec<Span> = match self.files.last_mut() {
            Some(frame) => frame.conditions.drain(..).map(|c| c.span).collect(),
            None => return,
        };
        for span in open {
            self.error(
                Diagnostic::error(span, "conditional without `#endif`")
                    .label("opened here, never closed"),
            );
        }
    }

    fn include(&mut self, directive: Span) {
        let line = self.rest_of_line();
        let text = self.sources.snippet(line).trim();
        let mut target = quoted_path(text);
        if target.is_none() && text.starts_with(|c: char| c.is_ascii_alphabetic() || c == '_') {
            let expanded = self.expand_text(line);
            target = quoted_path(expanded.trim());
        }
        let span = directive.to(line);
        let Some((name, local)) = target else {
            self.error(
                Diagnostic::error(span, "`#include` needs the name of a file")
                    .help("write `#include \"file\"` or `#include <file>`"),
            );
            return;
        };
        if self.files.len() >= INCLUDE_DEPTH {
            self.error(
                Diagnostic::error(
                    span,
                    format!("includes are nested more than {INCLUDE_DEPTH} deep"),
                )
                .help("does a file include itself? Guard it with `#ifndef`, `#define`, `#endif`"),
            );
            self.stop();
            return;
        }
        self.include_count += 1;
        match self.find_include(&name, local) {
            Ok((file, path)) => {
                self.include_bytes += self.sources.file(file).text.len();
                if self.include_count > INCLUDE_COUNT || self.include_bytes > INCLUDE_BYTES {
                    self.error(Diagnostic::error(
                        span,
                        "the included files are too many or too \
                                                        large",
                    ));
                    self.stop();
                    return;
                }
                self.push_file(file, &path);
            }
            Err(reason) => self.error(
                Diagnostic::error(span, format!("cannot read `{name}`: {reason}")).help(
                    "files are searched for beside the including file and in the -I directories",
                ),
            ),
        }
    }

    fn find_include(&mut self, name: &str, local: bool) -> Result<(FileId, PathBuf), String> {
        let mut candidates = Vec::new();
        if local {
            let directory = self.files.last().map(|f| f.directory.clone());
            candidates.push(directory.unwrap_or_default().join(name));
        }
        candidates.extend(self.include_dirs.iter().map(|d| d.join(name)));
        for path in candidates {
            if let Some(&file) = self.loaded.get(&path) {
                return Ok((file, path));
            }
            match self.loader.load(&path) {
                Ok(text) => {
                    if text.len() > INCLUDE_BYTES {
                        return Err("the file is too large".to_owned());
                    }
                    let file = self.sources.add_file(path.display().to_string(), text);
                    self.loaded.insert(path.clone(), file);
                    return Ok((file, path));
                }
                Err(error) if error.kind() == std::io::ErrorKind::NotFound => {}
                Err(error) => return Err(error.to_string()),
            }
        }
        Err("no such file".to_owned())
    }

    /// Define the macros of the command line, as lines of a file of its own.
    pub(super) fn define_options(&mut self, defines: &[(String, Option<String>)]) {
        if defines.is_empty() {
            return;
        }
        let mut text = String::new();
        for (name, value) in defines {
            let value = value.as_deref().unwrap_or("1");
            let line = format!("#define {name} {value}").replace(['\n', '\r'], " ");
            text.push_str(&line);
            text.push('\n');
        }
        let file = self.sources.add_file("<command line>", text);
        self.push_file(file, Path::new(""));
        while self.lex().kind == TokenKind::Hash {
            self.lex_in_line();
            self.define();
        }
        self.files.pop();
    }

    /// `#define`, after that word.
    fn define(&mut self) {
        let Some(name) = self.macro_name("#define") else {
            return;
        };
        let text = self.names.text(name.name);
        if text == "defined" || name.name == self.line_name || name.name == self.file_name {
            let message = format!("`{text}` cannot be defined");
            self.error(Diagnostic::error(name.span, message));
            self.skip_line();
            return;
        }
        let mut line = Vec::new();
        while let Some(token) = self.lex_in_line() {
            line.push(token);
        }
        match Macro::parse(name, &line, &self.names) {
            Ok(new) => {
                if let Some(old) = self.macros.get(&name.name)
                    && !old.same_as(&new)
                {
                    let text = self.names.text(name.name);
                    let diagnostic =
                        Diagnostic::warning(name.span, format!("macro `{text}` redefined"))
                            .note(old.span, "first defined here");
                    self.error(diagnostic);
                }
                self.macros.insert(name.name, Rc::new(new));
            }
            Err(diagnostic) => self.error(diagnostic),
        }
    }
}

/// `"name"` or `<name>`; whether it is the first form.
fn quoted_path(text: &str) -> Option<(String, bool)> {
    let (close, local) = match text.as_bytes().first()? {
        b'"' => ('"', true),
        b'<' => ('>', false),
        _ => return None,
    };
    let end = text[1..].find(close)?;
    (end > 0).then(|| (text[1..=end].to_owned(), local))
}
