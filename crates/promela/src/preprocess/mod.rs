//! The preprocessor: includes, conditionals and macros, token by token.
//!
//! It does what `gcc -E` does to the texts that Spin hands it, but keeps for each
//! token the place a person wrote it. Tokens are made on demand, so that a
//! parser that gives up early leaves the rest of a file unread.
//!
//! Departs: of the macros a compiler predefines only `__LINE__` and `__FILE__`
//! exist, so a variable may be called `linux`; `1..N` expands `N`.

mod condition;
mod directive;
mod macros;
mod substitute;

use std::collections::HashMap;
use std::io;
use std::path::{Path, PathBuf};
use std::rc::Rc;

use crate::diagnostic::Diagnostic;
use crate::lexer::Lexer;
use crate::source::{FileId, SourceMap, Span};
use crate::token::{Flags, Interner, Keyword, Name, Token, TokenKind};

pub(crate) use condition::character;
use directive::Condition;
use macros::Macro;

/// Most tokens and uses that macros may produce in one run: a chain of doubling
/// macros must end in a diagnostic, not in a full memory.
const EXPANSION_LIMIT: usize = 1_000_000;
/// Deepest nesting of includes.
const INCLUDE_DEPTH: usize = 64;
/// Most includes in one run.
const INCLUDE_COUNT: usize = 5_000;
/// Most bytes of included files in one run, counted each time a file is included.
const INCLUDE_BYTES: usize = 256 << 20;
/// Deepest nesting of macro calls in macro arguments.
const ARGUMENT_DEPTH: usize = 100;
/// Most diagnostics of the preprocessor; a file with more is not a model.
const ERROR_LIMIT: usize = 100;

/// What the command line says to the preprocessor.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Options {
    /// `-D NAME` and `-D NAME=VALUE`; without a value the macro is 1.
    pub defines: Vec<(String, Option<String>)>,
    /// `-I DIR`, searched in order after the including file's directory.
    pub include_dirs: Vec<PathBuf>,
}

/// Where included files come from.
pub trait FileLoader {
    /// The text of a file; an error of kind `NotFound` lets the search go on.
    fn load(&self, path: &Path) -> io::Result<String>;
}

/// Files from the disk; bytes that are no UTF-8 are replaced.
#[derive(Clone, Copy, Debug, Default)]
pub struct DiskLoader;

impl FileLoader for DiskLoader {
    fn load(&self, path: &Path) -> io::Result<String> {
        Ok(String::from_utf8_lossy(&std::fs::read(path)?).into_owned())
    }
}

/// No files at all.
#[derive(Clone, Copy, Debug, Default)]
pub struct NoFiles;

impl FileLoader for NoFiles {
    fn load(&self, _: &Path) -> io::Result<String> {
        Err(io::ErrorKind::NotFound.into())
    }
}

/// A file that is being read.
#[derive(Debug)]
struct FileFrame {
    lexer: Lexer,
    /// A token that was read too early.
    ahead: Option<Token>,
    /// The directory its includes are relative to.
    directory: PathBuf,
    /// The `#if`s that are open in it.
    conditions: Vec<Condition>,
}

/// Tokens that are read before the file goes on.
#[derive(Debug)]
struct TokenFrame {
    tokens: Vec<Token>,
    next: usize,
    /// The macro that is disabled as long as this frame lasts.
    source: Option<Rc<Macro>>,
    /// Reading stops at its end: the frame is one macro argument or condition.
    barrier: bool,
    /// What stands before the token behind its end.
    after: Flags,
}

/// The state of a run.
pub struct Preprocessor<'a> {
    /// Where files and expansions are kept.
    pub sources: &'a mut SourceMap,
    /// The texts of the tokens.
    pub names: Interner,
    /// What was found wrong so far.
    pub diagnostics: Vec<Diagnostic>,
    loader: &'a dyn FileLoader,
    include_dirs: Vec<PathBuf>,
    macros: HashMap<Name, Rc<Macro>>,
    files: Vec<FileFrame>,
    frames: Vec<TokenFrame>,
    /// Flags of a macro's name, for the first token that comes out of it.
    carry: Flags,
    /// Arguments of a macro are being read; they end with their file.
    in_arguments: bool,
    argument_depth: usize,
    expanded: usize,
    loaded: HashMap<PathBuf, FileId>,
    include_count: usize,
    include_bytes: usize,
    /// A limit was hit: no more tokens.
    stopped: bool,
    line_name: Name,
    file_name: Name,
}

impl<'a> Preprocessor<'a> {
    /// Start on a text that has been read already.
    pub fn new(
        path: &Path,
        text: &str,
        loader: &'a dyn FileLoader,
        options: &Options,
        sources: &'a mut SourceMap,
    ) -> Preprocessor<'a> {
        let mut names = Interner::default();
        let line_name = names.intern("__LINE__");
        let file_name = names.intern("__FILE__");
        let main = sources.add_file(path.display().to_string(), text);
        let mut this = Preprocessor {
            sources,
            names,
            diagnostics: Vec::new(),
            loader,
            include_dirs: options.include_dirs.clone(),
            macros: HashMap::new(),
            files: Vec::new(),
            frames: Vec::new(),
            carry: Flags::NONE,
            in_arguments: false,
            argument_depth: 0,
            expanded: 0,
            loaded: HashMap::new(),
            include_count: 0,
            include_bytes: 0,
            stopped: false,
            line_name,
            file_name,
        };
        this.define_options(&options.defines);
        this.push_file(main, path);
        this
    }

    fn push_file(&mut self, file: FileId, path: &Path) {
        self.files.push(FileFrame {
            lexer: Lexer::new(file),
            ahead: None,
            directory: path.parent().map(Path::to_path_buf).unwrap_or_default(),
            conditions: Vec::new(),
        });
    }

    fn error(&mut self, diagnostic: Diagnostic) {
        if self.stopped {
            return;
        }
        self.diagnostics.push(diagnostic);
        if self.diagnostics.len() >= ERROR_LIMIT {
            self.stop();
        }
    }

    /// Drop everything that is still to be read.
    pub fn stop(&mut self) {
        self.stopped = true;
    }

    /// Whether it was stopped, by a caller or by a limit.
    pub fn stopped(&self) -> bool {
        self.stopped
    }

    fn eof(&self) -> Token {
        let file = self.files.first().map_or(FileId(0), |f| f.lexer.file());
        let end = self.sources.file(file).text.len() as u32;
        Token {
            kind: TokenKind::Eof,
            flags: Flags::NEWLINE,
            name: Name::EMPTY,
            span: Span {
                file,
                start: end,
                end,
                ..Span::default()
            },
        }
    }

    /// Whether a macro of this name declares something.
    pub fn macro_declares(&self, name: Name) -> bool {
        let declares = |token: &Token| token.name.keyword().is_some_and(Keyword::declares);
        let found = self.macros.get(&name);
        found.is_some_and(|found| found.body.iter().any(declares))
    }

    /// The next token with all macros expanded.
    pub fn next_token(&mut self) -> Token {
        space::cancel::poll();
        loop {
            let token = self.next_raw();
            if token.kind != TokenKind::Ident || token.flags.has(Flags::NO_EXPAND) {
                return token;
            }
            match self.expand(token) {
                Some(token) => return token,
                None => continue,
            }
        }
    }

    /// The next token before expansion: from the frames on top, else from the file.
    fn next_raw(&mut self) -> Token {
        space::cancel::poll();
        let mut token = self.take();
        token.flags = token.flags.with(self.carry);
        self.carry = Flags::NONE;
        token
    }

    fn take(&mut self) -> Token {
        if self.stopped {
            return self.eof();
        }
        while let Some(frame) = self.frames.last_mut() {
            if let Some(&token) = frame.tokens.get(frame.next) {
                frame.next += 1;
                return token;
            }
            if frame.barrier {
                return self.eof();
            }
            self.pop_frame();
        }
        self.take_from_file()
    }

    fn pop_frame(&mut self) {
        let Some(frame) = self.frames.pop() else {
            return;
        };
        self.carry = self.carry.with(frame.after);
        if let Some(source) = frame.source {
            source.disabled.set(source.disabled.get() - 1);
        }
    }

    /// The next token of the current file's text, whatever it is.
    fn lex(&mut self) -> Token {
        let Some(frame) = self.files.last_mut() else {
            return self.eof();
        };
        if let Some(token) = frame.ahead.take() {
            return token;
        }
        let text = &self.sources.file(frame.lexer.file()).text;
        let token = frame.lexer.next(text, &mut self.names);
        if let Some(span) = frame.lexer.open_comment.take() {
            self.error(
                Diagnostic::error(span, "unterminated comment")
                    .label("opened here")
                    .help("close it with `*/`"),
            );
        }
        token
    }

    /// The next token of the current file's line, if it is not at its end.
    fn lex_in_line(&mut self) -> Option<Token> {
        let token = self.lex();
        if token.kind == TokenKind::Eof || token.flags.has(Flags::LINE_START) {
            if let Some(frame) = self.files.last_mut() {
                frame.ahead = Some(token);
            }
            return None;
        }
        Some(token)
    }

    fn take_from_file(&mut self) -> Token {
        let mut after_directive = Flags::NONE;
        loop {
            if self.stopped {
                return self.eof();
            }
            let mut token = self.lex();
            let line_start = token.flags.has(Flags::LINE_START);
            if token.kind == TokenKind::Hash && line_start {
                self.directive(token);
                after_directive = Flags::NEWLINE.with(Flags::SPACE);
                continue;
            }
            if token.kind != TokenKind::Eof {
                token.flags = token.flags.with(after_directive);
                return token;
            }
            self.check_open_conditions();
            if self.files.len() <= 1 {
                return self.eof();
            }
            if self.in_arguments {
                // The call that waits for its arguments reports it; see the end again later.
                if let Some(frame) = self.files.last_mut() {
                    frame.ahead = Some(token);
                }
                return token;
            }
            self.files.pop();
            after_directive = Flags::NEWLINE.with(Flags::SPACE);
        }
    }

    /// Put a token back, to be read next.
    fn push_back(&mut self, token: Token) {
        if token.kind == TokenKind::Eof {
            return;
        }
        self.frames.push(TokenFrame {
            tokens: vec![token],
            next: 0,
            source: None,
            barrier: false,
            after: Flags::NONE,
        });
    }

    /// A token's text as it would be written.
    fn spelling(&self, token: Token) -> &str {
        match token.kind.punctuation() {
            "" => self.names.text(token.name),
            text => text,
        }
    }
}
