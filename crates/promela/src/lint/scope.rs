//! Names and what they were declared as.

use std::collections::{HashMap, HashSet};

use crate::ast::{Decl, Ident, Proctype, Program, TypeName, Typedef, Unit, VarDecl, VarRef};
use crate::source::{FileId, Span};

/// A row of the variables.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) struct VariableId(u32);

/// What a variable belongs to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Owner {
    /// The model.
    Model,
    /// A body.
    Body,
    /// A proctype, as its parameter.
    Parameter,
}

/// How a variable is mentioned.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Use {
    Read,
    Write,
    /// It takes a field of a message, or the number of a process.
    Receive,
}

/// A declared variable and what happens to it.
pub(super) struct Variable<'a> {
    pub owner: Owner,
    pub place: Place<'a>,
    pub is_read: bool,
    pub is_written: bool,
    pub is_received: bool,
}

/// A variable or a field: its declaration.
#[derive(Clone, Copy)]
pub(super) struct Place<'a> {
    pub decl: &'a Decl,
    pub var: &'a VarDecl,
}

/// All names of a program.
pub(super) struct Scope<'a> {
    typedefs: HashMap<&'a str, &'a Typedef>,
    fields: HashMap<&'a str, HashMap<&'a str, Place<'a>>>,
    proctypes: HashMap<&'a str, &'a Proctype>,
    variables: Vec<Variable<'a>>,
    /// The variables of a name that are visible, the innermost last.
    visible: HashMap<&'a str, Vec<VariableId>>,
    /// The names that each open block declares.
    blocks: Vec<Vec<&'a str>>,
    /// Where variables are mentioned.
    mentions: Vec<(FileId, u32)>,
    /// Names of variables of other processes that are read.
    remote: HashSet<&'a str>,
}

impl<'a> Scope<'a> {
    /// The types and proctypes of a program.
    pub fn new(program: &'a Program) -> Scope<'a> {
        let mut scope = Scope {
            typedefs: HashMap::new(),
            fields: HashMap::new(),
            proctypes: HashMap::new(),
            variables: Vec::new(),
            visible: HashMap::new(),
            blocks: Vec::new(),
            mentions: Vec::new(),
            remote: HashSet::new(),
        };
        for unit in &program.units {
            match unit {
                Unit::Typedef(typedef) => {
                    scope.typedefs.insert(&typedef.name.name, typedef);
                    let fields = typedef.fields.iter();
                    let fields = fields.flat_map(|decl| {
                        let place = move |var| Place { decl, var };
                        decl.vars.iter().map(place)
                    });
                    let fields = fields.map(|place| (place.var.name.name.as_str(), place));
                    scope.fields.insert(&typedef.name.name, fields.collect());
                }
                Unit::Proctype(proctype) => {
                    scope.proctypes.insert(&proctype.name.name, proctype);
                }
                _ => {}
            }
        }
        scope
    }

    pub fn enter(&mut self) {
        self.blocks.push(Vec::new());
    }

    pub fn leave(&mut self) {
        for name in self.blocks.pop().unwrap_or_default() {
            if let Some(visible) = self.visible.get_mut(name) {
                visible.pop();
            }
        }
    }

    /// Note that the variables of the innermost block are read.
    pub fn touch_block(&mut self) {
        for name in self.blocks.last().into_iter().flatten() {
            if let Some(id) = self.visible.get(name).and_then(|ids| ids.last()) {
                self.variables[id.0 as usize].is_read = true;
            }
        }
    }

    pub fn declare(&mut self, owner: Owner, place: Place<'a>) -> VariableId {
        let id = VariableId(self.variables.len() as u32);
        let name = place.var.name.name.as_str();
        self.variables.push(Variable {
            owner,
            place,
            is_read: false,
            is_written: false,
            is_received: false,
        });
        self.visible.entry(name).or_default().push(id);
        if let Some(block) = self.blocks.last_mut() {
            block.push(name);
        }
        self.mention(place.var.name.span);
        id
    }

    fn mention(&mut self, span: Span) {
        self.mentions.push((span.file, span.start));
    }

    /// The variable that a reference begins with.
    pub fn root(&self, var: &VarRef) -> Option<VariableId> {
        let name = var.parts[0].name.name.as_str();
        self.visible.get(name)?.last().copied()
    }

    /// Note that a variable is used; which one.
    pub fn touch(&mut self, var: &'a VarRef, how: Use) -> Option<VariableId> {
        self.mention(var.parts[0].name.span);
        let id = self.root(var)?;
        let variable = &mut self.variables[id.0 as usize];
        match how {
            Use::Read => variable.is_read = true,
            Use::Write => variable.is_written = true,
            Use::Receive => variable.is_received = true,
        }
        Some(id)
    }

    pub fn variable(&self, id: VariableId) -> &Variable<'a> {
        &self.variables[id.0 as usize]
    }

    pub fn variables(&self) -> &[Variable<'a>] {
        &self.variables
    }

    /// Where variables are mentioned, as far as it is known to which one a name belongs.
    pub fn mentions(&self) -> HashSet<(FileId, u32)> {
        self.mentions.iter().copied().collect()
    }

    /// Note that a variable of another process is read.
    pub fn touch_remote(&mut self, name: &'a Ident) {
        self.remote.insert(&name.name);
    }

    /// Whether a process reads a variable of this name of another.
    pub fn is_read_remotely(&self, name: &str) -> bool {
        self.remote.contains(name)
    }

    /// The declarations of the parts of a reference, as far as they are known.
    pub fn parts(&self, var: &VarRef) -> Vec<Place<'a>> {
        let mut places = Vec::new();
        let Some(root) = self.root(var) else {
            return places;
        };
        let mut place = self.variable(root).place;
        places.push(place);
        for part in &var.parts[1..] {
            let TypeName::Named(name) = &place.decl.ty else {
                break;
            };
            match self.field(&name.name, &part.name.name) {
                Some(field) => place = field,
                None => break,
            }
            places.push(place);
        }
        places
    }

    /// What a whole reference denotes.
    pub fn place(&self, var: &VarRef) -> Option<Place<'a>> {
        let parts = self.parts(var);
        (parts.len() == var.parts.len()).then(|| parts.last().copied())?
    }

    fn field(&self, typedef: &str, name: &str) -> Option<Place<'a>> {
        self.fields.get(typedef)?.get(name).copied()
    }

    pub fn typedef(&self, name: &str) -> Option<&'a Typedef> {
        self.typedefs.get(name).copied()
    }

    pub fn proctype(&self, name: &str) -> Option<&'a Proctype> {
        self.proctypes.get(name).copied()
    }
}
