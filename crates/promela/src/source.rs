//! Source files, positions, and where an expanded token came from.

use std::collections::BTreeMap;
use std::fmt;

/// A source file of a [`SourceMap`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Default)]
pub struct FileId(pub u32);

/// A macro or inline expansion of a [`SourceMap`]; [`Expansion::NONE`] for text as written.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Default)]
pub struct ExpansionId(pub u32);

impl ExpansionId {
    /// Text that was written where it stands.
    pub const NONE: ExpansionId = ExpansionId(0);
}

/// A range of bytes in a source file.
///
/// A token that comes out of a macro has the span of the macro's use, which is
/// the line the person wrote. A token of an inline's body has the span of the
/// inline's definition, and its expansion names the call.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Default)]
pub struct Span {
    /// The file.
    pub file: FileId,
    /// First byte.
    pub start: u32,
    /// One past the last byte.
    pub end: u32,
    /// The expansion it belongs to.
    pub expansion: ExpansionId,
}

impl Span {
    /// Whether both have a byte in common.
    pub fn overlaps(self, other: Span) -> bool {
        self.file == other.file && self.start < other.end && other.start < self.end
    }

    /// The smallest span that covers both, if they lie in the same file; else `self`.
    pub fn to(self, other: Span) -> Span {
        if self.file != other.file {
            return self;
        }
        Span {
            start: self.start.min(other.start),
            end: self.end.max(other.end),
            ..self
        }
    }
}

/// Why a span is not simply text in a file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Expansion {
    /// What was expanded.
    pub kind: ExpansionKind,
    /// The name of the macro or inline.
    pub name: String,
    /// Where it was used (which may itself lie in an expansion).
    pub call: Span,
    /// Where it was defined.
    pub definition: Span,
}

/// The kinds of expansions.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ExpansionKind {
    /// A `#define`.
    Macro,
    /// An `inline`.
    Inline,
}

/// What stands for a parameter in an expansion of an inline.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Argument {
    /// The name of the parameter.
    pub parameter: String,
    /// The text of the argument, on one line.
    pub text: String,
}

/// One file's name and text.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SourceFile {
    /// The name as the user would write it.
    pub name: String,
    /// The text.
    pub text: String,
    /// The byte at which each line starts.
    line_starts: Vec<u32>,
    /// How many characters begin before every [`BLOCK`]th byte.
    chars_before: Vec<u32>,
}

/// So many bytes are counted at once, since a file may be a single long line.
const BLOCK: usize = 1 << 10;

/// How many characters begin in some bytes.
fn count_chars(bytes: &[u8]) -> u32 {
    bytes.iter().filter(|&&byte| byte as i8 >= -64).count() as u32
}

impl SourceFile {
    /// How many characters begin before a byte.
    fn chars_before(&self, at: usize) -> u32 {
        let at = at.min(self.text.len());
        let block = at / BLOCK;
        self.chars_before[block] + count_chars(&self.text.as_bytes()[block * BLOCK..at])
    }
}

/// All files and expansions of one run of the front end.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct SourceMap {
    files: Vec<SourceFile>,
    expansions: Vec<Expansion>,
    /// The arguments of those inlines that have some.
    arguments: BTreeMap<ExpansionId, Vec<Argument>>,
}

/// A place for people: file, line and column, both from 1.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Location {
    /// File name.
    pub file: String,
    /// Line, from 1.
    pub line: u32,
    /// Column in characters, from 1.
    pub column: u32,
}

impl fmt::Display for Location {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}:{}:{}", self.file, self.line, self.column)
    }
}

impl SourceMap {
    /// Add a file. Texts over 4 GiB are not representable; callers refuse them first.
    pub fn add_file(&mut self, name: impl Into<String>, text: impl Into<String>) -> FileId {
        let text = text.into();
        let mut line_starts = vec![0];
        line_starts.extend(
            text.bytes()
                .enumerate()
                .filter(|&(_, b)| b == b'\n')
                .map(|(i, _)| i as u32 + 1),
        );
        let mut chars_before = vec![0];
        for block in text.as_bytes().chunks(BLOCK) {
            chars_before.push(chars_before.last().unwrap_or(&0) + count_chars(block));
        }
        self.files.push(SourceFile {
            name: name.into(),
            text,
            line_starts,
            chars_before,
        });
        FileId(self.files.len() as u32 - 1)
    }

    /// Add an expansion.
    pub fn add_expansion(&mut self, expansion: Expansion) -> ExpansionId {
        self.expansions.push(expansion);
        ExpansionId(self.expansions.len() as u32)
    }

    /// Note what stands for the parameters of an inline in an expansion.
    pub fn set_arguments(&mut self, id: ExpansionId, arguments: Vec<Argument>) {
        if !arguments.is_empty() {
            self.arguments.insert(id, arguments);
        }
    }

    /// What stands for the parameters in an expansion.
    pub fn arguments(&self, id: ExpansionId) -> &[Argument] {
        self.arguments.get(&id).map_or(&[], Vec::as_slice)
    }

    /// A file by its id.
    pub fn file(&self, id: FileId) -> &SourceFile {
        &self.files[id.0 as usize]
    }

    /// All files, in the order they were read.
    pub fn files(&self) -> impl Iterator<Item = (FileId, &SourceFile)> {
        self.files
            .iter()
            .enumerate()
            .map(|(i, f)| (FileId(i as u32), f))
    }

    /// An expansion by its id; `None` for text as written.
    pub fn expansion(&self, id: ExpansionId) -> Option<&Expansion> {
        self.expansions.get((id.0 as usize).wrapping_sub(1))
    }

    /// The text of a span.
    pub fn snippet(&self, span: Span) -> &str {
        self.file(span.file)
            .text
            .get(span.start as usize..span.end as usize)
            .unwrap_or("")
    }

    /// The line of a span's start, from 1.
    pub fn line(&self, span: Span) -> u32 {
        let file = self.file(span.file);
        file.line_starts.partition_point(|&s| s <= span.start) as u32
    }

    /// File, line and column of a span's start.
    pub fn location(&self, span: Span) -> Location {
        let file = self.file(span.file);
        let line = self.line(span);
        let start = file.line_starts[line as usize - 1] as usize;
        let column = file.chars_before(span.start as usize) - file.chars_before(start) + 1;
        Location {
            file: file.name.clone(),
            line,
            column,
        }
    }
}
