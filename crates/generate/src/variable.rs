//! Random variables and their declarations.

use crate::feature::Feature;
use crate::generator::{Generator, Macro};
use crate::scope::{Base, Path, Place};
use crate::statement::Statement;

impl Generator {
    /// The macros, types, variables and channels at the top of the model, one on each line.
    pub fn globals(&mut self) -> Vec<String> {
        let mut lines = Vec::new();
        if self.has(Feature::Macro) {
            lines.push(format!("#define LIMIT {}", self.rng.range(1, 3)));
            lines.push(format!(
                "#define NEXT(v) ((v + 1) % {})",
                self.rng.range(2, 3)
            ));
            self.macros.extend([Macro::Limit, Macro::Next]);
        }
        if self.has(Feature::Conditional) {
            lines.push("#define EXTRA 1".to_owned());
        }
        for (feature, base) in [
            (Feature::Mtype, Base::Mtype),
            (Feature::NamedMtype, Base::Fruit),
        ] {
            if self.has(feature) {
                let names = base.names().join(", ");
                lines.push(format!("{} = {{ {names} }};", base.keyword()));
            }
        }
        for _ in 0..self.rng.range(1, 2) {
            let base = self.base();
            lines.push(self.scalar(base, true));
        }
        if !self.scope.places.iter().any(|place| place.base.is_number()) {
            lines.push(self.scalar(Base::Byte, true));
        }
        for (feature, base) in [
            (Feature::Mtype, Base::Mtype),
            (Feature::NamedMtype, Base::Fruit),
        ] {
            if self.chance(feature, 60) {
                lines.push(self.scalar(base, true));
            }
        }
        if self.has(Feature::Array) {
            lines.push(self.array(true));
        }
        if self.has(Feature::Struct) {
            self.structure(&mut lines);
        }
        if self.has(Feature::Visibility) {
            self.hidden(&mut lines);
        }
        if self.features.channels() {
            self.channels(&mut lines);
        }
        if self.has(Feature::Macro) && self.rng.percent(60) {
            lines.push(format!("#define READY ({})", self.truth(0).text()));
            self.macros.push(Macro::Ready);
        }
        lines
    }

    /// The type of a variable.
    pub fn base(&mut self) -> Base {
        let narrow = self.has(Feature::Narrow);
        let wide = self.has(Feature::Wide);
        match self.rng.below(14) {
            0..2 => Base::Bit,
            2..4 => Base::Bool,
            4 if narrow => Base::Unsigned(1),
            5 if narrow => Base::Unsigned(2),
            6 if narrow => Base::Unsigned(self.rng.range(3, 7) as u8),
            7 if narrow => Base::Pid,
            8 | 9 if wide => Base::Short,
            10 => Base::Int,
            11 => Base::Short,
            12 if self.has(Feature::Mtype) => Base::Mtype,
            13 if self.has(Feature::NamedMtype) => Base::Fruit,
            _ => Base::Byte,
        }
    }

    /// The declaration of a variable, sometimes of two.
    fn scalar(&mut self, base: Base, global: bool) -> String {
        let first = self.declarator(base, global, !global);
        let second = if self.rng.percent(10) {
            // The first one is not yet declared here.
            format!(", {}", self.declarator(base, global, false))
        } else {
            String::new()
        };
        let visibility = if global && self.chance(Feature::Visibility, 40) {
            *self.rng.pick(&["show ", "local "])
        } else {
            ""
        };
        format!("{visibility}{} {first}{second};", base.keyword())
    }

    /// The name of a new variable with its width and initial value, which may depend on others if
    /// `calculates`.
    fn declarator(&mut self, base: Base, global: bool, calculates: bool) -> String {
        let prefix = if global { "" } else { "l" };
        let letter = match base {
            Base::Bit | Base::Bool => 'f',
            Base::Byte => 'b',
            Base::Pid => 'p',
            Base::Short => 'h',
            Base::Int => 'n',
            Base::Unsigned(_) => 'u',
            Base::Mtype => 'm',
            Base::Fruit => 'q',
        };
        let name = format!("{prefix}{letter}{}", self.scope.places.len());
        let initial = match self.rng.below(10) {
            0..3 => format!(" = {}", self.initial(base)),
            3 if calculates => format!(" = {}", self.value_for(base, true)),
            _ => String::new(),
        };
        self.declare(Path::name(&name), base, global);
        format!("{name}{}{initial}", base.suffix())
    }

    /// Makes a number visible.
    pub fn declare(&mut self, path: Path, base: Base, global: bool) {
        self.scope.places.push(Place {
            path,
            base,
            readable: true,
            writable: true,
            global,
        });
    }

    fn initial(&mut self, base: Base) -> String {
        if !base.is_number() {
            return self.rng.pick(base.names()).to_string();
        }
        if self.chance(Feature::Wide, 20) && !base.is_tiny() {
            return self.rng.pick(&["-1", "2 * 5 - 9"]).to_string();
        }
        let most = if base.is_tiny() { 1 } else { 2 };
        self.rng.range(0, most).to_string()
    }

    fn array(&mut self, global: bool) -> String {
        let bases = [Base::Byte, Base::Bit, Base::Bool, Base::Short, Base::Int];
        let base = *self.rng.pick(&bases);
        let size = self.rng.range(2, 3);
        let prefix = if global { "" } else { "l" };
        let name = format!("{prefix}a{}", self.scope.places.len());
        let initial = match self.rng.below(4) {
            0 => format!(" = {}", self.rng.below(2)),
            1 => {
                let values = (0..size).map(|_| self.rng.below(2).to_string());
                format!(" = {{{}}}", values.collect::<Vec<_>>().join(", "))
            }
            _ => String::new(),
        };
        self.declare(Path::name(&name).element(size), base, global);
        format!("{} {name}[{size}]{initial};", base.keyword())
    }

    /// Structure types and a variable.
    fn structure(&mut self, lines: &mut Vec<String>) {
        let last = *self.rng.pick(&[Base::Unsigned(2), Base::Int, Base::Bool]);
        self.structure = Some(last);
        lines.extend(["typedef T {", "    byte x;", "    bit y[2];"].map(str::to_owned));
        lines.push(format!("    {} z{};", last.keyword(), last.suffix()));
        lines.push("};".to_owned());
        match self.rng.below(3) {
            0 => {
                lines.push("T s0;".to_owned());
                self.declare_structure(Path::name("s0"), last, true);
            }
            1 => {
                lines.push("T s0[2];".to_owned());
                self.declare_structure(Path::name("s0").element(2), last, true);
            }
            _ => {
                lines.push("typedef U {".to_owned());
                lines.extend(["    T t;", "    T r[2];", "    bool w;"].map(str::to_owned));
                lines.extend(["};", "U s0;"].map(str::to_owned));
                let path = Path::name("s0");
                self.declare_structure(path.clone().field("t"), last, true);
                self.declare_structure(path.clone().field("r").element(2), last, true);
                self.declare(path.field("w"), Base::Bool, true);
            }
        }
    }

    /// Makes the fields of a `T` visible, given the type of the last one.
    fn declare_structure(&mut self, path: Path, last: Base, global: bool) {
        self.declare(path.clone().field("x"), Base::Byte, global);
        self.declare(path.clone().field("y").element(2), Base::Bit, global);
        self.declare(path.field("z"), last, global);
    }

    /// A variable outside the state.
    fn hidden(&mut self, lines: &mut Vec<String>) {
        let base = *self.rng.pick(&[Base::Byte, Base::Short, Base::Int]);
        lines.push(format!("hidden {} hid;", base.keyword()));
        self.scope.places.push(Place {
            path: Path::name("hid"),
            base,
            readable: false,
            writable: true,
            global: true,
        });
    }

    /// The variables at the head of a process.
    pub fn locals(&mut self) -> Vec<String> {
        let mut lines = Vec::new();
        for _ in 0..self.rng.weighted(&[(5, 0), (5, 1), (1, 2)]) {
            let base = self.local_base();
            lines.push(self.scalar(base, false));
        }
        if self.chance(Feature::Array, 15) {
            lines.push(self.array(false));
        }
        if let Some(last) = self.structure
            && self.rng.percent(15)
        {
            lines.push("T ls;".to_owned());
            self.declare_structure(Path::name("ls"), last, false);
        }
        lines.extend(self.channel_variable());
        lines
    }

    /// The type of a local variable. With priorities, Spin counts the padding of a process
    /// wrongly and does not compare bits at its end.
    pub fn local_base(&mut self) -> Base {
        match self.base() {
            Base::Bit | Base::Bool | Base::Unsigned(_) if self.has(Feature::Priority) => Base::Byte,
            base => base,
        }
    }

    /// A declaration in the middle of a body.
    pub fn declaration(&mut self) -> Statement {
        let name = format!("t{}", self.process.declared);
        self.process.declared += 1;
        self.declaration_of(&name)
    }

    /// A declaration of `name` in the middle of a body.
    pub fn declaration_of(&mut self, name: &str) -> Statement {
        let path = Path::name(name);
        match (self.rng.below(10), self.structure) {
            (0, _) => {
                self.declare(path.element(2), Base::Byte, false);
                return Statement::plain(format!("byte {name}[2]"));
            }
            (1 | 2, Some(last)) => {
                self.declare_structure(path, last, false);
                return Statement::plain(format!("T {name}"));
            }
            _ => {}
        }
        let base = self.local_base();
        let initial = if self.rng.percent(60) {
            format!(" = {}", self.value_for(base, true))
        } else {
            String::new()
        };
        self.declare(path, base, false);
        let suffix = base.suffix();
        Statement::plain(format!("{} {name}{suffix}{initial}", base.keyword()))
    }
}
