//! Random channels and their declarations.

use crate::feature::Feature;
use crate::generator::Generator;
use crate::scope::{Base, Capacity, Channel, Field, Path};

impl Generator {
    /// The channels of the model.
    pub fn channels(&mut self, lines: &mut Vec<String>) {
        let byte = Field::Number(Base::Byte);
        let passed = [
            Feature::ChannelValue,
            Feature::ChannelMessage,
            Feature::ReplyChannel,
        ];
        if self.has(Feature::Rendezvous) {
            let fields = self.fields();
            let slots = usize::from(self.buffers_only);
            lines.push(self.channel_declaration("r", slots, fields));
        }
        if self.has(Feature::Buffer) {
            let fields = self.fields();
            let slots = self.slots();
            lines.push(self.channel_declaration("c", slots, fields));
        }
        if passed.into_iter().any(|feature| self.has(feature)) {
            for name in ["d", "e"] {
                let buffered = self.buffers_only || self.rng.percent(50);
                lines.push(self.channel_declaration(name, usize::from(buffered), vec![byte]));
            }
        }
        if self.has(Feature::ChannelMessage) || self.has(Feature::ReplyChannel) {
            let fields = match self.rng.below(3) {
                0 => vec![byte, Field::Channel],
                _ => vec![Field::Channel],
            };
            let buffered = self.buffers_only || self.rng.percent(50);
            lines.push(self.channel_declaration("k", usize::from(buffered), fields));
        }
        if self.has(Feature::ChannelArray) {
            let buffered = self.buffers_only || self.rng.percent(60);
            let slots = usize::from(buffered);
            lines.push(format!("chan w[2] = [{slots}] of {{ byte }};"));
            self.declare_channel(Path::name("w").element(2), vec![byte], slots);
        }
        if self.has(Feature::StructMessage) {
            lines.push("typedef M {".to_owned());
            lines.extend(["    byte x;", "    bit y;", "};", "M s_m;"].map(str::to_owned));
            self.declare(Path::name("s_m").field("x"), Base::Byte, true);
            self.declare(Path::name("s_m").field("y"), Base::Bit, true);
            let slots = self.rng.weighted(&[(3, 1), (1, 2)]);
            lines.push(self.channel_declaration("g", slots, vec![Field::Struct]));
        }
    }

    fn slots(&mut self) -> usize {
        self.rng.weighted(&[(5, 1), (4, 2), (1, 3)])
    }

    fn fields(&mut self) -> Vec<Field> {
        let count = self.rng.weighted(&[(12, 1), (6, 2), (1, 3)]);
        (0..count)
            .map(|_| Field::Number(self.message_base()))
            .collect()
    }

    fn message_base(&mut self) -> Base {
        if self.chance(Feature::Mtype, 40) {
            return Base::Mtype;
        }
        if self.chance(Feature::NamedMtype, 40) {
            return Base::Fruit;
        }
        loop {
            match self.base() {
                Base::Unsigned(_) => {} // Spin has no such fields.
                base => return base,
            }
        }
    }

    fn channel_declaration(&mut self, name: &str, slots: usize, fields: Vec<Field>) -> String {
        let types: Vec<&str> = fields.iter().map(|field| field.keyword()).collect();
        let types = types.join(", ");
        self.declare_channel(Path::name(name), fields, slots);
        format!("chan {name} = [{slots}] of {{ {types} }};")
    }

    fn declare_channel(&mut self, path: Path, fields: Vec<Field>, slots: usize) {
        let capacity = if slots == 0 {
            Capacity::Rendezvous
        } else {
            Capacity::Buffer
        };
        self.scope.channels.push(Channel {
            path,
            fields,
            capacity,
            variable: false,
            global: true,
        });
    }

    /// A local variable that holds a channel, if the process has a use for one.
    pub fn channel_variable(&mut self) -> Option<String> {
        let passed = self.has(Feature::ChannelValue) || self.has(Feature::ChannelMessage);
        let takes_channels = self.process.receives.iter().any(|&index| {
            let channel: &Channel = &self.scope.channels[index];
            channel.fields.contains(&Field::Channel)
        });
        let wanted = takes_channels || (passed && self.rng.percent(70));
        if !wanted {
            return None;
        }
        self.use_variable(Path::name("lq"));
        let source = *self.rng.pick(&["d", "e"]);
        Some(format!("chan lq = {source};"))
    }

    /// Makes a variable visible that holds a channel of bytes, to be used in both directions.
    pub fn use_variable(&mut self, path: Path) {
        let index = self.scope.channels.len();
        self.process.sends.push(index);
        self.process.receives.push(index);
        self.scope.channels.push(Channel {
            path,
            fields: vec![Field::Number(Base::Byte)],
            capacity: Capacity::Unknown,
            variable: true,
            global: false,
        });
    }
}
