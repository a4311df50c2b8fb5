//! What a statement can see: variables, channels, and how they are reached.

/// A type whose values are numbers.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[allow(missing_docs)] // The names are the keywords.
pub enum Base {
    Bit,
    Bool,
    Byte,
    Pid,
    Short,
    Int,
    /// `unsigned x : bits`
    Unsigned(u8),
    Mtype,
    /// `mtype:fruit`
    Fruit,
}

impl Base {
    /// The keyword before the name.
    pub fn keyword(self) -> &'static str {
        match self {
            Base::Bit => "bit",
            Base::Bool => "bool",
            Base::Byte => "byte",
            Base::Pid => "pid",
            Base::Short => "short",
            Base::Int => "int",
            Base::Unsigned(_) => "unsigned",
            Base::Mtype => "mtype",
            Base::Fruit => "mtype:fruit",
        }
    }

    /// What follows the name: the width of an `unsigned`.
    pub fn suffix(self) -> String {
        match self {
            Base::Unsigned(bits) => format!(" : {bits}"),
            _ => String::new(),
        }
    }

    /// Is it a type to calculate with?
    pub fn is_number(self) -> bool {
        !matches!(self, Base::Mtype | Base::Fruit)
    }

    /// Can it never be negative?
    pub fn is_natural(self) -> bool {
        !matches!(self, Base::Short | Base::Int)
    }

    /// Can it hold whatever is in a message field of this type? Where it cannot, Spin puts
    /// another message back than it took when it undoes a receive.
    pub fn holds(self, field: Base) -> bool {
        let bits = |base| match base {
            // A message that is a single bit is kept as a byte.
            Base::Bit | Base::Bool | Base::Byte | Base::Pid => 8,
            Base::Unsigned(bits) => bits,
            Base::Short => 16,
            Base::Int => 32,
            Base::Mtype | Base::Fruit => 8,
        };
        match self {
            Base::Bit | Base::Bool => false,
            Base::Mtype | Base::Fruit => self == field,
            Base::Byte | Base::Pid | Base::Unsigned(_) => {
                field.is_natural() && bits(field) <= bits(self)
            }
            Base::Short => bits(field) < 16 || field == Base::Short,
            Base::Int => true,
        }
    }

    /// Does it hold so few values that every assignment keeps the state space small?
    pub fn is_tiny(self) -> bool {
        matches!(self, Base::Bit | Base::Bool | Base::Unsigned(1 | 2))
    }

    /// The names of its values, the last one being 1.
    pub fn names(self) -> &'static [&'static str] {
        match self {
            Base::Mtype => &["red", "green", "blue"],
            Base::Fruit => &["apple", "pear"],
            _ => &[],
        }
    }
}

/// A way to a variable or channel: names with holes for indices, e.g. `s.a[_].b`.
#[derive(Clone, Debug)]
pub struct Path {
    /// The text around the holes; one more than there are holes.
    pub pieces: Vec<String>,
    /// The sizes of the arrays the holes belong to.
    pub holes: Vec<usize>,
}

impl Path {
    /// A variable that is no array.
    pub fn name(name: impl Into<String>) -> Self {
        Path {
            pieces: vec![name.into()],
            holes: Vec::new(),
        }
    }

    /// The same way with an index at its end.
    pub fn element(mut self, size: usize) -> Self {
        self.holes.push(size);
        self.pieces.push(String::new());
        self
    }

    /// The same way with a field at its end.
    pub fn field(mut self, name: &str) -> Self {
        let last = self.pieces.last_mut().expect("a path has a piece");
        last.push('.');
        last.push_str(name);
        self
    }

    /// The variable the way begins at.
    pub fn root(&self) -> &str {
        self.pieces[0].split('.').next().expect("split yields")
    }

    /// The text with the holes filled.
    pub fn fill(&self, indices: &[String]) -> String {
        let mut text = self.pieces[0].clone();
        for (index, piece) in indices.iter().zip(&self.pieces[1..]) {
            text.push_str(&format!("[{index}]{piece}"));
        }
        text
    }
}

/// A number somewhere in the state: a variable, an element, a field.
#[derive(Clone, Debug)]
pub struct Place {
    /// How it is reached.
    pub path: Path,
    /// Its type.
    pub base: Base,
    /// May statements read it? Nobody reads a `hidden` variable: its value is not in the state.
    pub readable: bool,
    /// May statements assign to it? Nobody assigns to the counter of a loop.
    pub writable: bool,
    /// Is it global?
    pub global: bool,
}

impl Place {
    /// Does it cut values to its width? In Spin elements of type `bit` do not.
    pub fn wraps(&self) -> bool {
        !self.base.is_tiny() || self.path.holes.is_empty()
    }
}

/// How many messages fit into a channel.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Capacity {
    /// None.
    Rendezvous,
    /// Some.
    Buffer,
    /// It depends on the value of a variable of type `chan`.
    Unknown,
}

/// The type of a message field.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Field {
    /// A number or name.
    Number(Base),
    /// A channel of bytes.
    Channel,
    /// The structure `M`.
    Struct,
}

impl Field {
    /// The type as written in `of { … }`.
    pub fn keyword(self) -> &'static str {
        match self {
            Field::Number(base) => base.keyword(),
            Field::Channel => "chan",
            Field::Struct => "M",
        }
    }
}

/// A channel, or a variable that holds one.
#[derive(Clone, Debug)]
pub struct Channel {
    /// How it is reached.
    pub path: Path,
    /// What its messages consist of.
    pub fields: Vec<Field>,
    /// How many messages fit.
    pub capacity: Capacity,
    /// Is it a variable that a receive or assignment may change?
    pub variable: bool,
    /// Is it global?
    pub global: bool,
}

impl Channel {
    /// Does it carry bytes only, as the channels that are passed around do?
    pub fn is_plain(&self) -> bool {
        self.fields == [Field::Number(Base::Byte)]
    }
}

/// Everything visible at a point of the program.
#[derive(Clone, Debug, Default)]
pub struct Scope {
    /// The numbers.
    pub places: Vec<Place>,
    /// The channels.
    pub channels: Vec<Channel>,
}

impl Scope {
    /// The present extent, to return to at the end of a block.
    pub fn mark(&self) -> (usize, usize) {
        (self.places.len(), self.channels.len())
    }

    /// About how many values the variables and channels hold.
    pub fn cells(&self) -> usize {
        let places = self.places.iter();
        let places = places.map(|place| place.path.holes.iter().product::<usize>());
        let channels = self.channels.iter();
        let channels = channels.filter(|channel| channel.capacity == Capacity::Buffer);
        let fields = channels.flat_map(|channel| &channel.fields);
        let fields = fields.map(|field| match field {
            Field::Struct => 8,
            _ => 2,
        });
        places.sum::<usize>() + fields.sum::<usize>()
    }

    /// Forgets what was declared since the mark.
    pub fn reset(&mut self, mark: (usize, usize)) {
        self.places.truncate(mark.0);
        self.channels.truncate(mark.1);
    }
}
