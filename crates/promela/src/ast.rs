//! The syntax tree of a Promela model, after preprocessing.
//!
//! The tree keeps the order of the text, because the numbers Spin gives to
//! statements (and with them its trail files) follow that order. Macros are
//! expanded before parsing; inlines are expanded by the parser, so an
//! [`StmtKind::Inline`] carries the body it stands for.

use crate::source::Span;

/// A name together with the place where it was written.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Ident {
    /// The name itself.
    pub name: String,
    /// Where it stands.
    pub span: Span,
}

/// A whole model: its units in the order of the text.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Program {
    /// The top-level units.
    pub units: Vec<Unit>,
    /// Text that is missing from the units because of syntax errors.
    pub skipped: Vec<Span>,
}

/// One top-level unit.
#[allow(clippy::large_enum_variant)] // There are few units, and most are large.
#[derive(Clone, Debug, PartialEq)]
pub enum Unit {
    /// `proctype P(...) { ... }`, possibly active.
    Proctype(Proctype),
    /// `init { ... }`.
    Init(Init),
    /// `never [name] { ... }`.
    Never(Claim),
    /// `ltl [name] { formula }`.
    Ltl(Ltl),
    /// `trace { ... }` or `notrace { ... }`.
    Trace(EventTrace),
    /// A declaration of global variables.
    Decl(Decl),
    /// `mtype = { ... }` or `mtype:sub = { ... }`.
    Mtype(MtypeDecl),
    /// `typedef T { ... }`.
    Typedef(Typedef),
    /// `inline name(params) { ... }`; its expansions stand where it is called.
    Inline(InlineDef),
    /// `c_decl`, `c_state`, `c_track` or a global `c_code`: recognised, not supported.
    EmbeddedC(EmbeddedC),
}

/// A process type.
#[derive(Clone, Debug, PartialEq)]
pub struct Proctype {
    /// From `active`/`proctype` to the closing brace.
    pub span: Span,
    /// Its name.
    pub name: Ident,
    /// `active` (with the number of instances when given), or not.
    pub active: Option<Active>,
    /// `D_proctype`: nondeterminism in it is an error.
    pub deterministic: bool,
    /// The parameters, in order.
    pub params: Vec<Decl>,
    /// `priority n`.
    pub priority: Option<Expr>,
    /// `provided (e)`.
    pub provided: Option<Expr>,
    /// The body.
    pub body: Block,
}

/// The `active` prefix.
#[derive(Clone, Debug, PartialEq)]
pub struct Active {
    /// The keyword with its count.
    pub span: Span,
    /// The number in brackets, if any: a constant expression or a name.
    pub count: Option<Expr>,
}

/// The `init` process.
#[derive(Clone, Debug, PartialEq)]
pub struct Init {
    /// From `init` to the closing brace.
    pub span: Span,
    /// `priority n`.
    pub priority: Option<Expr>,
    /// The body.
    pub body: Block,
}

/// A never claim.
#[derive(Clone, Debug, PartialEq)]
pub struct Claim {
    /// From `never` to the closing brace.
    pub span: Span,
    /// Its name, if any.
    pub name: Option<Ident>,
    /// The body.
    pub body: Block,
}

/// An event trace assertion.
#[derive(Clone, Debug, PartialEq)]
pub struct EventTrace {
    /// From the keyword to the closing brace.
    pub span: Span,
    /// `notrace` instead of `trace`.
    pub negated: bool,
    /// The body.
    pub body: Block,
}

/// A temporal property.
#[derive(Clone, Debug, PartialEq)]
pub struct Ltl {
    /// From `ltl` to the closing brace.
    pub span: Span,
    /// Its name, if any.
    pub name: Option<Ident>,
    /// The formula, in the positive form the user wrote.
    pub formula: Expr,
}

/// A structure type.
#[derive(Clone, Debug, PartialEq)]
pub struct Typedef {
    /// From `typedef` to the closing brace.
    pub span: Span,
    /// The new type's name.
    pub name: Ident,
    /// The fields.
    pub fields: Vec<Decl>,
}

/// Symbolic names. Spin numbers them downwards: the last name is 1.
#[derive(Clone, Debug, PartialEq)]
pub struct MtypeDecl {
    /// The whole declaration.
    pub span: Span,
    /// The named subtype, `mtype:sub`.
    pub subtype: Option<Ident>,
    /// The names in the order of the text.
    pub names: Vec<Ident>,
}

/// The definition of an inline, kept for tools; the parser has expanded its calls.
#[derive(Clone, Debug, PartialEq)]
pub struct InlineDef {
    /// From `inline` to the closing brace.
    pub span: Span,
    /// Its name.
    pub name: Ident,
    /// Its formal parameters.
    pub params: Vec<Ident>,
}

/// Embedded C in any form.
#[derive(Clone, Debug, PartialEq)]
pub struct EmbeddedC {
    /// The keyword and its text.
    pub span: Span,
    /// The keyword: `c_code`, `c_decl`, `c_state`, `c_track` or `c_expr`.
    pub keyword: String,
}

/// `hidden`, `show` or `local` before a declaration.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Visibility {
    /// Not part of the state.
    Hidden,
    /// Shown in message charts.
    Show,
    /// Claimed to be used by one process only.
    Local,
}

/// A declaration of one or more variables of one type.
#[derive(Clone, Debug, PartialEq)]
pub struct Decl {
    /// The whole declaration.
    pub span: Span,
    /// The prefix, if any.
    pub visibility: Option<Visibility>,
    /// The type.
    pub ty: TypeName,
    /// The variables.
    pub vars: Vec<VarDecl>,
}

/// A type as written.
#[derive(Clone, Debug, PartialEq)]
pub enum TypeName {
    /// `bit` .
    Bit,
    /// `bool`.
    Bool,
    /// `byte`.
    Byte,
    /// `pid`.
    Pid,
    /// `short`.
    Short,
    /// `int`.
    Int,
    /// `unsigned` (the width stands at the variable).
    Unsigned,
    /// `mtype` or `mtype:sub`.
    Mtype(Option<Ident>),
    /// `chan`.
    Chan,
    /// A structure type by name.
    Named(Ident),
}

/// One declared variable.
#[derive(Clone, Debug, PartialEq)]
pub struct VarDecl {
    /// Name, bounds and initialiser.
    pub span: Span,
    /// The name.
    pub name: Ident,
    /// `: n`, the width of an unsigned.
    pub width: Option<Expr>,
    /// `[n]`: a constant expression, or the name of an initialised scalar.
    pub size: Option<Expr>,
    /// The initialiser.
    pub init: Option<VarInit>,
}

/// What a variable is initialised with.
#[derive(Clone, Debug, PartialEq)]
pub enum VarInit {
    /// `= expression`.
    Expr(Expr),
    /// `= { 1, 2, 3 }`.
    List(Vec<Expr>),
    /// `= [n] of { types }`.
    Chan(ChanInit),
}

/// A channel initialiser.
#[derive(Clone, Debug, PartialEq)]
pub struct ChanInit {
    /// From `[` to `}`.
    pub span: Span,
    /// The capacity, a constant expression; 0 is a rendezvous channel.
    pub capacity: Expr,
    /// The field types.
    pub fields: Vec<TypeName>,
}

/// A brace-enclosed sequence (or the sequence of an option).
#[derive(Clone, Debug, PartialEq)]
pub struct Block {
    /// With its braces, if it has any.
    pub span: Span,
    /// The steps in order.
    pub steps: Vec<Step>,
}

/// One step of a sequence.
#[allow(clippy::large_enum_variant)] // Most steps are statements, the large variant.
#[derive(Clone, Debug, PartialEq)]
pub enum Step {
    /// A declaration.
    Decl(Decl),
    /// `xr c, d` or `xs c, d`.
    Exclusive(Exclusive),
    /// A statement.
    Stmt(Stmt),
    /// `main unless escape`.
    Unless(Box<Unless>),
}

/// A claim of exclusive access to channels.
#[derive(Clone, Debug, PartialEq)]
pub struct Exclusive {
    /// The whole claim.
    pub span: Span,
    /// `xr` (receive) or `xs` (send).
    pub receive: bool,
    /// The channels.
    pub channels: Vec<VarRef>,
}

/// `main unless escape`.
#[derive(Clone, Debug, PartialEq)]
pub struct Unless {
    /// Both statements.
    pub span: Span,
    /// The main sequence.
    pub main: Stmt,
    /// The escape sequence.
    pub escape: Stmt,
}

/// A statement with its labels.
#[derive(Clone, Debug, PartialEq)]
pub struct Stmt {
    /// The statement without its labels.
    pub span: Span,
    /// The labels before it, outermost first.
    pub labels: Vec<Ident>,
    /// What it is.
    pub kind: StmtKind,
}

/// The kinds of statements.
#[derive(Clone, Debug, PartialEq)]
pub enum StmtKind {
    /// A label with nothing behind it: one `skip` step.
    Empty,
    /// `c!e,...` or `c!!e,...`.
    Send {
        /// The channel.
        channel: VarRef,
        /// `!!`: insert in order.
        sorted: bool,
        /// The fields.
        args: Vec<Expr>,
    },
    /// `c?...` in its four forms.
    Receive {
        /// The channel.
        channel: VarRef,
        /// `??`: the first message that matches, wherever it is.
        random: bool,
        /// `?<...>`: the message stays in the channel.
        peek: bool,
        /// The fields.
        args: Vec<RecvArg>,
    },
    /// `x = e`.
    Assign(VarRef, Expr),
    /// `x++`.
    Increment(VarRef),
    /// `x--`.
    Decrement(VarRef),
    /// `set_priority(p, n)`.
    SetPriority(Expr, Expr),
    /// `printf("...", ...)`. The format is the raw text between the quotes.
    Printf(String, Vec<Expr>),
    /// `printm(x)`.
    Printm(Expr),
    /// `assert(e)`.
    Assert(Expr),
    /// An expression used as a statement (also `skip`, which is the constant 1).
    Expr(Expr),
    /// `else`.
    Else,
    /// `atomic { ... }`.
    Atomic(Block),
    /// `d_step { ... }`.
    DStep(Block),
    /// `{ ... }`.
    Block(Block),
    /// `if :: ... fi`.
    If(Vec<Block>),
    /// `do :: ... od`.
    Do(Vec<Block>),
    /// `for (i : a .. b) { ... }` and `for (i in a) { ... }`.
    For {
        /// The index variable.
        var: VarRef,
        /// What it runs over.
        range: ForRange,
        /// The body.
        body: Block,
    },
    /// `select (i : a .. b)`.
    Select {
        /// The variable.
        var: VarRef,
        /// Lower bound.
        from: Expr,
        /// Upper bound.
        to: Expr,
        /// Both bounds are literals, the variable a plain alphanumeric name, the
        /// range at most 33 values, outside an inline: Spin then makes one choice
        /// with an assignment for each value.
        literal: bool,
    },
    /// `break`.
    Break,
    /// `goto L`.
    Goto(Ident),
    /// A call of an inline, `name(args)` or `x = name(args)`, with its expansion.
    /// A `return e` in the body has become an assignment to the result variable.
    Inline {
        /// The inline's name.
        name: Ident,
        /// The expanded body.
        body: Block,
    },
    /// `c_code { ... }`: recognised, not supported.
    EmbeddedC(EmbeddedC),
}

/// The range of a `for`.
#[derive(Clone, Debug, PartialEq)]
pub enum ForRange {
    /// `a .. b`.
    Range(Expr, Expr),
    /// `in array` or `in channel`.
    In(VarRef),
}

/// One field of a receive statement.
#[derive(Clone, Debug, PartialEq)]
pub enum RecvArg {
    /// A variable that takes the value; `_` is the one that drops it.
    /// (A name that is an mtype constant is a `Const`, never a `Var`.)
    Var(VarRef),
    /// `eval(e)`: the field must equal it.
    Eval(Expr),
    /// A constant the field must equal: a number, or the name of an mtype constant.
    Const(Expr),
}

/// A reference to a variable: `a`, `a[i]`, `a[i].b.c[j]`.
#[derive(Clone, Debug, PartialEq)]
pub struct VarRef {
    /// The whole reference.
    pub span: Span,
    /// The parts, at least one.
    pub parts: Vec<VarPart>,
}

/// One part of a variable reference.
#[derive(Clone, Debug, PartialEq)]
pub struct VarPart {
    /// The name of the variable or field.
    pub name: Ident,
    /// Its index.
    pub index: Option<Box<Expr>>,
}

/// An expression.
#[derive(Clone, Debug, PartialEq)]
pub struct Expr {
    /// Where it stands.
    pub span: Span,
    /// What it is.
    pub kind: ExprKind,
}

/// Unary operators.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum UnaryOp {
    /// `!`
    Not,
    /// `-`
    Neg,
    /// `~`
    BitNot,
    /// `[]`, `always`
    Always,
    /// `<>`, `eventually`
    Eventually,
    /// `X`, `next`
    Next,
}

/// Binary operators.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum BinaryOp {
    /// `+`
    Add,
    /// `-`
    Sub,
    /// `*`
    Mul,
    /// `/`
    Div,
    /// `%`
    Rem,
    /// `&`
    BitAnd,
    /// `^`
    BitXor,
    /// `|`
    BitOr,
    /// `<<`
    Shl,
    /// `>>`
    Shr,
    /// `<`
    Lt,
    /// `<=`
    Le,
    /// `>`
    Gt,
    /// `>=`
    Ge,
    /// `==`
    Eq,
    /// `!=`
    Ne,
    /// `&&`
    And,
    /// `||`
    Or,
    /// `U`, `until`, `stronguntil`
    Until,
    /// `W`, `weakuntil`
    WeakUntil,
    /// `V`, `release`
    Release,
    /// `->`, `implies` (in formulas)
    Implies,
    /// `<->`, `equivalent`
    Equiv,
}

/// A test of a channel.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ChannelTest {
    /// `len(c)`
    Len,
    /// `full(c)`
    Full,
    /// `empty(c)`
    Empty,
    /// `nfull(c)`
    NFull,
    /// `nempty(c)`
    NEmpty,
}

/// The kinds of expressions.
#[derive(Clone, Debug, PartialEq)]
pub enum ExprKind {
    /// A number, also `true`, `false`, `skip` and character constants.
    Number(i32),
    /// A variable. The parser cannot tell an mtype constant from a variable
    /// unless it was declared before: then it is a [`ExprKind::Mtype`].
    Var(VarRef),
    /// The name of an mtype constant.
    Mtype(Ident),
    /// A unary operation.
    Unary(UnaryOp, Box<Expr>),
    /// A binary operation.
    Binary(BinaryOp, Box<Expr>, Box<Expr>),
    /// `(c -> a : b)`.
    Cond(Box<Expr>, Box<Expr>, Box<Expr>),
    /// `run P(args) priority n`.
    Run {
        /// The proctype.
        name: Ident,
        /// The arguments.
        args: Vec<Expr>,
        /// The priority.
        priority: Option<Box<Expr>>,
    },
    /// `len(c)` and its kin.
    Channel(ChannelTest, VarRef),
    /// `c?[...]`, `c??[...]`.
    Poll {
        /// The channel.
        channel: VarRef,
        /// `??`.
        random: bool,
        /// The fields.
        args: Vec<RecvArg>,
    },
    /// `enabled(p)`.
    Enabled(Box<Expr>),
    /// `get_priority(p)`.
    GetPriority(Box<Expr>),
    /// `pc_value(p)`.
    PcValue(Box<Expr>),
    /// `timeout`.
    Timeout,
    /// `np_`.
    NonProgress,
    /// `P[i]@label`, `P@label`.
    RemoteLabel {
        /// The proctype.
        proctype: Ident,
        /// The pid in brackets.
        index: Option<Box<Expr>>,
        /// The label.
        label: Ident,
    },
    /// `P[i]:x`, `P:x`.
    RemoteVar {
        /// The proctype.
        proctype: Ident,
        /// The pid in brackets.
        index: Option<Box<Expr>>,
        /// The variable.
        var: VarRef,
    },
    /// `c_expr { ... }`: recognised, not supported.
    EmbeddedC(EmbeddedC),
}
