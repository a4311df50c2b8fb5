//! Types: scalars, structures, channels, and the mtype sets.

use std::collections::HashMap;

use model::layout::ChannelSlot;
use model::{
    ChannelType, ChannelTypeId, Display, ExprId, Field, Initialiser, Scalar, VarKind, Variable,
};

use super::{Lowerer, grown};
use crate::ast::{ChanInit, Decl, Ident, MtypeDecl, TypeName, Typedef, VarDecl, VarInit};
use crate::diagnostic::Diagnostic;

/// What a name stands for: a variable or a field.
#[derive(Clone, Debug)]
pub(super) struct Symbol {
    pub(super) name: String,
    pub(super) span: crate::source::Span,
    pub(super) offset: u32,
    pub(super) count: Option<u32>,
    pub(super) ty: Ty,
    /// First values of the scalars inside, as offsets from the symbol's own.
    pub(super) inits: Vec<FirstValue>,
    /// The channel of a `for (m in c)` must be known by its declaration.
    pub(super) channel: Option<ChannelTypeId>,
    /// The value of a constant initialiser, which array bounds may use.
    pub(super) constant: Option<i32>,
}

/// The type of a variable, field, or of the elements of an array of them.
#[derive(Clone, Debug)]
pub(super) enum Ty {
    Scalar(Scalar, Display),
    Struct(StructId),
}

/// A row of the structures.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct StructId(pub(super) usize);

/// A `typedef`.
#[derive(Clone, Debug)]
pub(super) struct Struct {
    pub(super) name: String,
    pub(super) fields: Vec<Symbol>,
    /// The rows of the fields by their names.
    by_name: HashMap<String, usize>,
    pub(super) size: u32,
}

impl Struct {
    pub(super) fn field(&self, name: &str) -> Option<&Symbol> {
        self.by_name.get(name).map(|&row| &self.fields[row])
    }
}

/// A first value inside a symbol.
#[derive(Clone, Debug)]
pub(super) enum FirstValue {
    /// Of `count` scalars, one every `stride` bytes.
    Value {
        offset: u32,
        stride: u32,
        count: u32,
        scalar: Scalar,
        value: ExprId,
    },
    /// A new channel.
    Channel { offset: u32, ty: ChannelTypeId },
}

/// The largest state vector, in bytes: what offsets can say comfortably.
const LARGEST: u64 = 1 << 24;

/// The most channels of a model.
const MOST_CHANNELS: u32 = 255;

impl Lowerer<'_> {
    pub(super) fn declare_mtypes(&mut self, decl: &MtypeDecl) {
        let set = decl.subtype.as_ref().map_or("", |s| s.name.as_str());
        let row = self.mtype_set(set);
        // Spin numbers the names of a declaration from its end.
        for name in decl.names.iter().rev() {
            if self.mtype_values.contains_key(&name.name) {
                self.error(
                    name,
                    format!("mtype name `{}` is declared twice", name.name),
                );
                continue;
            }
            let names = &mut self.model.mtypes[row as usize].1;
            names.push(name.name.clone());
            let value = names.len() as i32;
            self.mtype_values.insert(name.name.clone(), (row, value));
            if value == 256 {
                self.error(name, "more than 255 names in one mtype");
            }
        }
    }

    pub(super) fn mtype_set(&mut self, name: &str) -> u32 {
        let sets = &mut self.model.mtypes;
        if let Some(row) = sets.iter().position(|(set, _)| set == name) {
            return row as u32;
        }
        sets.push((name.to_owned(), Vec::new()));
        sets.len() as u32 - 1
    }

    pub(super) fn declare_typedef(&mut self, typedef: &Typedef) {
        if self.struct_names.contains_key(&typedef.name.name) {
            self.error(
                &typedef.name,
                format!("typedef `{}` is declared twice", typedef.name.name),
            );
            return;
        }
        let mut fields: Vec<Symbol> = Vec::new();
        let mut size = 0;
        let mut names: HashMap<String, crate::source::Span> = HashMap::new();
        for decl in &typedef.fields {
            for var in &decl.vars {
                let Some(mut field) = self.symbol(decl, var, false) else {
                    continue;
                };
                if let Some(first) = names.insert(field.name.clone(), field.span) {
                    self.diagnostics.push(
                        Diagnostic::error(
                            field.span,
                            format!("field `{}` is declared twice", field.name),
                        )
                        .note(first, "first declared here"),
                    );
                    continue;
                }
                field.offset = size;
                size = grown(size, self.size_of(&field));
                fields.push(field);
            }
        }
        self.struct_names
            .insert(typedef.name.name.clone(), StructId(self.structs.len()));
        self.structs.push(Struct {
            name: typedef.name.name.clone(),
            by_name: (fields.iter().enumerate())
                .map(|(row, field)| (field.name.clone(), row))
                .collect(),
            fields,
            size,
        });
    }

    /// A symbol for a declared variable; its offset is for the caller to set.
    /// In the middle of a body, an initialiser is an assignment of its own.
    pub(super) fn symbol(&mut self, decl: &Decl, var: &VarDecl, mid_body: bool) -> Option<Symbol> {
        let count = self.array_size(var);
        let Some(ty) = self.type_of(decl, var, count.is_some()) else {
            self.undeclarable.insert(var.name.name.clone());
            return None;
        };
        let mut symbol = Symbol {
            name: var.name.name.clone(),
            span: var.name.span,
            offset: 0,
            count,
            ty,
            inits: Vec::new(),
            channel: None,
            constant: None,
        };
        let element = self.element_size(&symbol.ty);
        let bytes = u64::from(element) * u64::from(count.unwrap_or(1));
        if bytes > LARGEST {
            self.too_large(var, element, bytes);
            return None;
        }
        self.first_values(decl, var, &mut symbol, mid_body);
        Some(symbol)
    }

    fn too_large(&mut self, var: &VarDecl, element: u32, bytes: u64) {
        let span = var.size.as_ref().map_or(var.name.span, |size| size.span);
        let name = &var.name.name;
        let message = format!("`{name}` takes {bytes} bytes, more than a variable may occupy");
        let most = LARGEST / u64::from(element.max(1));
        let label = match var.size {
            Some(_) if most > 0 => format!("at most {most} elements of {element} bytes"),
            _ => format!("at most {LARGEST} bytes"),
        };
        self.diagnostics.push(
            Diagnostic::error(span, message)
                .label(label.replace(" of 1 bytes", " of 1 byte"))
                .help(format!("the limit for one variable is {LARGEST} bytes")),
        );
        self.undeclarable.insert(name.clone());
    }

    fn array_size(&mut self, var: &VarDecl) -> Option<u32> {
        let size = var.size.as_ref()?;
        let value = self.constant(size).or_else(|| self.constant_name(size));
        match value {
            Some(value) if value > 0 => Some(value as u32),
            Some(_) => {
                self.error_at(size.span, "an array needs at least one element");
                Some(1)
            }
            None => {
                self.diagnostics.push(
                    Diagnostic::error(size.span, "the size of an array must be a constant")
                        .help("use a number, or a name from #define"),
                );
                Some(1)
            }
        }
    }

    fn type_of(&mut self, decl: &Decl, var: &VarDecl, array: bool) -> Option<Ty> {
        let hidden = decl.visibility == Some(crate::ast::Visibility::Hidden);
        if var.width.is_some() && decl.ty != TypeName::Unsigned {
            self.error(&var.name, "only an unsigned can have a width");
        }
        if hidden && matches!(decl.ty, TypeName::Bit | TypeName::Bool) {
            self.error(&var.name, "a bit or bool variable cannot be hidden");
        }
        // Arrays of bits are kept as bytes, and keep what a byte can.
        let bit = if array || hidden {
            Scalar::U8
        } else {
            Scalar::Bit
        };
        Some(match &decl.ty {
            TypeName::Bit => Ty::Scalar(bit, Display::Number),
            TypeName::Bool => Ty::Scalar(bit, Display::Bool),
            TypeName::Byte | TypeName::Pid => Ty::Scalar(Scalar::U8, Display::Number),
            TypeName::Short => Ty::Scalar(Scalar::I16, Display::Number),
            TypeName::Int => Ty::Scalar(Scalar::I32, Display::Number),
            TypeName::Chan => Ty::Scalar(Scalar::U8, Display::Channel),
            TypeName::Mtype(set) => {
                let set = self.mtype_set(set.as_ref().map_or("", |s| s.name.as_str()));
                Ty::Scalar(Scalar::U8, Display::Mtype(set))
            }
            TypeName::Unsigned => {
                let bits = self.unsigned_width(var);
                let scalar = if hidden {
                    Scalar::U8
                } else {
                    Scalar::Unsigned(bits)
                };
                Ty::Scalar(scalar, Display::Number)
            }
            TypeName::Named(name) => Ty::Struct(self.struct_named(name)?),
        })
    }

    fn unsigned_width(&mut self, var: &VarDecl) -> u8 {
        let Some(width) = &var.width else {
            self.diagnostics.push(
                Diagnostic::error(var.name.span, "an unsigned needs a width")
                    .help(format!("write for example unsigned {} : 4", var.name.name)),
            );
            return 16;
        };
        match self.constant(width) {
            Some(bits @ 1..=31) => bits as u8,
            _ => {
                self.error_at(width.span, "the width of an unsigned must be 1 to 31");
                16
            }
        }
    }

    fn struct_named(&mut self, name: &Ident) -> Option<StructId> {
        let found = self.struct_names.get(&name.name).copied();
        if found.is_none() {
            self.error(name, format!("there is no type `{}`", name.name));
        }
        found
    }

    fn first_values(&mut self, decl: &Decl, var: &VarDecl, symbol: &mut Symbol, mid_body: bool) {
        let stride = self.element_size(&symbol.ty);
        let count = symbol.count.unwrap_or(1);
        match (&var.init, symbol.ty.clone()) {
            (None, Ty::Scalar(..)) => {}
            (None, Ty::Struct(id)) => {
                // Fields bring their own first values, once for each element.
                for element in 0..count {
                    for field in self.structs[id.0].fields.clone() {
                        let base = element * stride + field.offset;
                        symbol
                            .inits
                            .extend(field.inits.iter().map(|init| init.shifted(base)));
                    }
                }
            }
            (Some(init), Ty::Struct(_)) => {
                self.error_at(
                    init.span(&var.name),
                    "a structure cannot have an initialiser",
                );
            }
            (Some(VarInit::Chan(chan)), _) if decl.ty == TypeName::Chan => {
                if mid_body {
                    self.diagnostics.push(
                        Diagnostic::error(
                            chan.span,
                            "a channel can only be created at the start of a proctype",
                        )
                        .help("move the declaration before the first statement"),
                    );
                    return;
                }
                let ty = self.channel_type(chan);
                symbol.channel = Some(ty);
                if count > MOST_CHANNELS {
                    let span = var.size.as_ref().map_or(var.name.span, |size| size.span);
                    self.diagnostics.push(
                        Diagnostic::error(span, format!("too many channels: {count}"))
                            .label(format!("the limit is {MOST_CHANNELS}"))
                            .help(format!("a model can have at most {MOST_CHANNELS} channels")),
                    );
                    return;
                }
                for element in 0..count {
                    let offset = element * stride;
                    symbol.inits.push(FirstValue::Channel { offset, ty });
                }
            }
            (Some(VarInit::Chan(chan)), _) => {
                self.error_at(chan.span, "only a chan can be initialised with a channel");
            }
            (Some(VarInit::List(list)), Ty::Scalar(scalar, _)) => {
                if symbol.count.is_none() {
                    self.error(&var.name, "only an array can be initialised with a list");
                    return;
                }
                if mid_body {
                    self.diagnostics.push(
                        Diagnostic::error(
                            var.span,
                            "a list can only initialise an array at the start of a proctype",
                        )
                        .help("move the declaration before the first statement"),
                    );
                    return;
                }
                let values: Vec<_> = list.iter().map(|e| self.expr(e)).collect();
                if values.len() > count as usize {
                    self.error(&var.name, "the list has more values than the array");
                }
                // A short list fills the rest with its last value.
                for i in 0..count {
                    let value = values.get(i as usize).or(values.last()).copied();
                    if let Some(value) = value {
                        symbol.inits.push(FirstValue::Value {
                            offset: i * stride,
                            stride,
                            count: 1,
                            scalar,
                            value,
                        });
                    }
                }
            }
            (Some(VarInit::Expr(_)), Ty::Scalar(..)) if mid_body => {}
            (Some(VarInit::Expr(expr)), Ty::Scalar(scalar, _)) => {
                if let Some(run) = super::run::find_run(expr) {
                    self.error_at(run.span, "run cannot be used in an initialiser");
                    return;
                }
                symbol.constant = self.constant(expr);
                let value = self.expr(expr);
                symbol.inits.push(FirstValue::Value {
                    offset: 0,
                    stride,
                    count,
                    scalar,
                    value,
                });
            }
        }
    }

    pub(super) fn channel_type(&mut self, chan: &ChanInit) -> ChannelTypeId {
        let capacity = match self.constant(&chan.capacity) {
            Some(n @ 0..=255) => n as u32,
            Some(n @ 256..=65_535) => n as u32,
            Some(n) => {
                let message = format!("the capacity of a channel must be 0 to 65535, not {n}");
                self.error_at(chan.capacity.span, message);
                1
            }
            None => {
                self.error_at(
                    chan.capacity.span,
                    "the capacity of a channel must be a constant",
                );
                1
            }
        };
        if capacity == 0 {
            self.rendezvous_at.get_or_insert(chan.span);
        }
        let mut fields = Vec::new();
        for ty in &chan.fields {
            self.channel_fields(ty, &mut fields);
        }
        // Spin keeps a message that is one bit as a byte, and so keeps what a byte can.
        if let [Field { scalar, .. }] = fields.as_mut_slice()
            && *scalar == Scalar::Bit
        {
            *scalar = Scalar::U8;
        }
        let mut offset = 0;
        for field in &mut fields {
            field.offset = offset;
            offset += field.scalar.size();
        }
        let size = u64::from(capacity) * u64::from(offset);
        if size > LARGEST {
            let message = format!("the messages of this channel take {size} bytes");
            self.diagnostics
                .push(Diagnostic::error(chan.capacity.span, message).help(format!(
                    "the limit for one channel is {LARGEST} bytes, here a capacity of {}",
                    LARGEST / u64::from(offset)
                )));
        }
        let ty = ChannelType { capacity, fields };
        let types = &mut self.model.channel_types;
        let row = types.iter().position(|known| *known == ty);
        let row = row.unwrap_or_else(|| {
            types.push(ty);
            types.len() - 1
        });
        ChannelTypeId(row as u32)
    }

    fn channel_fields(&mut self, ty: &TypeName, fields: &mut Vec<Field>) {
        let (scalar, display) = match ty {
            TypeName::Bit => (Scalar::Bit, Display::Number),
            TypeName::Bool => (Scalar::Bit, Display::Bool),
            TypeName::Byte | TypeName::Pid => (Scalar::U8, Display::Number),
            TypeName::Short => (Scalar::I16, Display::Number),
            TypeName::Int => (Scalar::I32, Display::Number),
            TypeName::Unsigned => (Scalar::I16, Display::Number),
            TypeName::Chan => (Scalar::U8, Display::Channel),
            TypeName::Mtype(set) => {
                let set = self.mtype_set(set.as_ref().map_or("", |s| s.name.as_str()));
                (Scalar::U8, Display::Mtype(set))
            }
            TypeName::Named(name) => {
                if let Some(id) = self.struct_named(name) {
                    for (_, scalar, display) in self.scalars_of(id) {
                        fields.push(Field {
                            scalar,
                            display,
                            offset: 0,
                        });
                    }
                }
                return;
            }
        };
        fields.push(Field {
            scalar,
            display,
            offset: 0,
        });
    }

    /// Offsets and types of all scalars of a structure, in order.
    pub(super) fn scalars_of(&self, id: StructId) -> Vec<(u32, Scalar, Display)> {
        let mut found = Vec::new();
        for field in &self.structs[id.0].fields {
            let stride = self.element_size(&field.ty);
            for element in 0..field.count.unwrap_or(1) {
                let base = field.offset + element * stride;
                match field.ty {
                    Ty::Scalar(scalar, display) => found.push((base, scalar, display)),
                    Ty::Struct(inner) => found.extend(
                        self.scalars_of(inner)
                            .into_iter()
                            .map(|(offset, s, d)| (base + offset, s, d)),
                    ),
                }
            }
        }
        found
    }

    pub(super) fn element_size(&self, ty: &Ty) -> u32 {
        match ty {
            Ty::Scalar(scalar, _) => scalar.size(),
            Ty::Struct(id) => self.structs[id.0].size,
        }
    }

    pub(super) fn size_of(&self, symbol: &Symbol) -> u32 {
        self.element_size(&symbol.ty) * symbol.count.unwrap_or(1)
    }

    /// The symbol as the model shows it.
    pub(super) fn variable(&self, symbol: &Symbol) -> Variable {
        let kind = match symbol.ty {
            Ty::Scalar(scalar, display) => VarKind::Scalar(scalar, display),
            Ty::Struct(id) => {
                let definition = &self.structs[id.0];
                let fields = definition.fields.iter().map(|f| self.variable(f)).collect();
                VarKind::Struct(definition.size, fields)
            }
        };
        Variable {
            name: symbol.name.clone(),
            offset: symbol.offset,
            count: symbol.count,
            kind,
            synthetic: symbol.name.starts_with(super::SYNTHETIC),
        }
    }
}

impl FirstValue {
    /// As the model keeps it; `slot` makes room for the contents of a new channel.
    pub(super) fn lowered(&self, slot: impl FnOnce(ChannelTypeId) -> ChannelSlot) -> Initialiser {
        match *self {
            FirstValue::Value {
                offset,
                stride,
                count,
                scalar,
                value,
            } => Initialiser::Value {
                offset,
                stride,
                count,
                scalar,
                value,
            },
            FirstValue::Channel { offset, ty } => Initialiser::Channel {
                offset,
                slot: slot(ty),
            },
        }
    }

    pub(super) fn shifted(&self, by: u32) -> FirstValue {
        let mut shifted = self.clone();
        match &mut shifted {
            FirstValue::Value { offset, .. } | FirstValue::Channel { offset, .. } => *offset += by,
        }
        shifted
    }
}

impl VarInit {
    fn span(&self, name: &Ident) -> crate::source::Span {
        match self {
            VarInit::Expr(expr) => expr.span,
            VarInit::List(list) => list.first().map_or(name.span, |e| e.span),
            VarInit::Chan(chan) => chan.span,
        }
    }
}
