//! Tokens, interned names and the keywords of Promela.

use std::collections::HashMap;
use std::rc::Rc;

use crate::source::Span;

/// An interned piece of source text: an identifier, a number, a string, a stray character.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Name(u32);

impl Name {
    /// The empty text; what tokens carry whose kind says it all.
    pub const EMPTY: Name = Name(0);

    /// As an index, for tables that follow the interner.
    pub fn index(self) -> usize {
        self.0 as usize
    }

    /// The keyword that is written so, if any.
    pub fn keyword(self) -> Option<Keyword> {
        // The interner starts with the empty text and the keywords in their order.
        self.index()
            .checked_sub(1)
            .and_then(|i| Keyword::ALL.get(i).copied())
    }
}

/// The texts behind [`Name`]s.
#[derive(Debug)]
pub struct Interner {
    texts: Vec<Rc<str>>,
    map: HashMap<Rc<str>, Name>,
    /// The names of single bytes: garbage consists of them.
    single: [Option<Name>; 128],
}

impl Default for Interner {
    fn default() -> Interner {
        let mut interner = Interner {
            texts: Vec::new(),
            map: HashMap::new(),
            single: [None; 128],
        };
        interner.intern("");
        for keyword in Keyword::ALL {
            interner.intern(keyword.text());
        }
        interner
    }
}

impl Interner {
    /// The name of a text; equal texts have equal names.
    pub fn intern(&mut self, text: &str) -> Name {
        if let &[byte @ 0..128] = text.as_bytes() {
            if let Some(name) = self.single[usize::from(byte)] {
                return name;
            }
            let name = self.intern_long(text);
            self.single[usize::from(byte)] = Some(name);
            return name;
        }
        self.intern_long(text)
    }

    fn intern_long(&mut self, text: &str) -> Name {
        if let Some(&name) = self.map.get(text) {
            return name;
        }
        let name = Name(self.texts.len() as u32);
        let text: Rc<str> = text.into();
        self.texts.push(Rc::clone(&text));
        self.map.insert(text, name);
        name
    }

    /// The name of a text that was interned.
    pub fn find(&self, text: &str) -> Option<Name> {
        self.map.get(text).copied()
    }

    /// The text of a name.
    pub fn text(&self, name: Name) -> &str {
        &self.texts[name.index()]
    }
}

/// What stands before a token, and what the preprocessor may still do with it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub struct Flags(u8);

impl Flags {
    /// Nothing special.
    pub const NONE: Flags = Flags(0);
    /// White space or a comment stands before the token.
    pub const SPACE: Flags = Flags(1);
    /// A line break stands before it, be it in a comment or a continuation: what
    /// Spin's scanner sees as a newline.
    pub const NEWLINE: Flags = Flags(2);
    /// It is the first of its line for the preprocessor, where directives begin.
    pub const LINE_START: Flags = Flags(4);
    /// The name of a macro inside its own expansion, never to be expanded.
    pub const NO_EXPAND: Flags = Flags(8);
    /// A semicolon that nobody wrote: a line break or a closing brace implies it.
    pub const IMPLIED: Flags = Flags(16);

    /// Both.
    pub fn with(self, other: Flags) -> Flags {
        Flags(self.0 | other.0)
    }

    /// `self` without those of `other`.
    pub fn without(self, other: Flags) -> Flags {
        Flags(self.0 & !other.0)
    }

    /// The common ones.
    pub fn and(self, other: Flags) -> Flags {
        Flags(self.0 & other.0)
    }

    /// Whether all flags of `other` are set.
    pub fn has(self, other: Flags) -> bool {
        self.0 & other.0 == other.0
    }
}

/// One token.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Token {
    /// What it is.
    pub kind: TokenKind,
    /// What stands before it.
    pub flags: Flags,
    /// Its text, for the kinds that have one.
    pub name: Name,
    /// Where it stands.
    pub span: Span,
}

macro_rules! kinds {
    ($($variant:ident $text:literal,)*) => {
        /// The kinds of tokens. Those of the temporal operators occur in formulas only.
        #[derive(Clone, Copy, Debug, PartialEq, Eq)]
        pub enum TokenKind {
            /// An identifier that is no keyword (the preprocessor knows no keywords).
            Ident,
            /// A keyword.
            Keyword(Keyword),
            /// Digits, and whatever letters follow at once.
            Number,
            /// A character constant with its quotes.
            Char,
            /// A string with its quotes.
            Str,
            /// A character that starts no token, or an open string.
            Other,
            /// The end of an inline's expansion.
            InlineEnd,
            /// The end of the text.
            Eof,
            $(#[doc = concat!("`", $text, "`")] $variant,)*
        }

        impl TokenKind {
            /// The text of a punctuation mark; empty for other kinds.
            pub fn punctuation(self) -> &'static str {
                match self {
                    $(TokenKind::$variant => $text,)*
                    _ => "",
                }
            }
        }
    };
}

kinds! {
    LParen "(",
    RParen ")",
    LBracket "[",
    RBracket "]",
    LBrace "{",
    RBrace "}",
    Semi ";",
    Comma ",",
    Dot ".",
    DotDot "..",
    Colon ":",
    Sep "::",
    Arrow "->",
    Assign "=",
    Eq "==",
    Ne "!=",
    Lt "<",
    Le "<=",
    Shl "<<",
    Gt ">",
    Ge ">=",
    Shr ">>",
    Plus "+",
    Incr "++",
    Minus "-",
    Decr "--",
    Star "*",
    Slash "/",
    Percent "%",
    Amp "&",
    AndAnd "&&",
    Pipe "|",
    OrOr "||",
    Caret "^",
    Tilde "~",
    Bang "!",
    BangBang "!!",
    Quest "?",
    QuestQuest "??",
    At "@",
    Hash "#",
    HashHash "##",
    Always "[]",
    Eventually "<>",
    Next "X",
    Until "U",
    WeakUntil "W",
    Release "V",
    Implies "->",
    Equiv "<->",
}

macro_rules! keywords {
    ($($variant:ident $text:literal,)*) => {
        /// The reserved words. `in` is missing: it is one only in the head of a `for`.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
        pub enum Keyword {
            $(#[doc = concat!("`", $text, "`")] $variant,)*
        }

        impl Keyword {
            /// All of them.
            pub const ALL: &'static [Keyword] = &[$(Keyword::$variant,)*];

            /// How it is written.
            pub fn text(self) -> &'static str {
                match self {
                    $(Keyword::$variant => $text,)*
                }
            }
        }
    };
}

impl Keyword {
    /// Whether it begins a declaration.
    pub fn declares(self) -> bool {
        use Keyword as K;
        matches!(
            self,
            K::Bit
                | K::Bool
                | K::Byte
                | K::Pid
                | K::Short
                | K::Int
                | K::Unsigned
                | K::Mtype
                | K::Chan
                | K::Typedef
                | K::Proctype
                | K::DProctype
                | K::Inline
        )
    }
}

keywords! {
    Active "active",
    Assert "assert",
    Atomic "atomic",
    Bit "bit",
    Bool "bool",
    Break "break",
    Byte "byte",
    CCode "c_code",
    CDecl "c_decl",
    CExpr "c_expr",
    CState "c_state",
    CTrack "c_track",
    Chan "chan",
    DProctype "D_proctype",
    DStep "d_step",
    Do "do",
    Else "else",
    Empty "empty",
    Enabled "enabled",
    Eval "eval",
    False "false",
    Fi "fi",
    For "for",
    Full "full",
    GetPriority "get_priority",
    Goto "goto",
    Hidden "hidden",
    If "if",
    Init "init",
    Inline "inline",
    Int "int",
    Len "len",
    Local "local",
    Ltl "ltl",
    Mtype "mtype",
    NEmpty "nempty",
    Never "never",
    NFull "nfull",
    Notrace "notrace",
    Np "np_",
    Od "od",
    Of "of",
    PcValue "pc_value",
    Pid "pid",
    Printf "printf",
    Printm "printm",
    Priority "priority",
    Proctype "proctype",
    Provided "provided",
    Return "return",
    Run "run",
    Select "select",
    SetPriority "set_priority",
    Short "short",
    Show "show",
    Skip "skip",
    Timeout "timeout",
    Trace "trace",
    True "true",
    Typedef "typedef",
    Unless "unless",
    Unsigned "unsigned",
    Xr "xr",
    Xs "xs",
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn keywords_are_the_first_names() {
        let mut interner = Interner::default();
        for &keyword in Keyword::ALL {
            assert_eq!(
                interner.intern(keyword.text()).keyword(),
                Some(keyword),
                "{}",
                keyword.text()
            );
        }
        assert_eq!(Name::EMPTY.keyword(), None);
        assert_eq!(interner.intern("in").keyword(), None);
    }
}
