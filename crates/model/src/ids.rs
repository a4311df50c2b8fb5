//! Typed ids: a row of one table can never index another.

macro_rules! ids {
    ($($(#[$doc:meta])* $name:ident;)*) => {$(
        $(#[$doc])*
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Default)]
        pub struct $name(pub u32);

        impl $name {
            /// As an index into its table.
            pub fn index(self) -> usize {
                self.0 as usize
            }
        }
    )*};
}

ids! {
    /// An expression of [`crate::Model::exprs`].
    ExprId;
    /// A place of [`crate::Model::places`].
    PlaceId;
    /// A proctype of [`crate::Model::proctypes`].
    ProctypeId;
    /// A channel type of [`crate::Model::channel_types`].
    ChannelTypeId;
    /// A control state of a proctype, by Spin's own number; 0 is no state.
    ControlId;
    /// A source file of [`crate::Model::files`].
    FileId;
    /// A call of an inline, by its row in [`crate::Model::calls`] plus one; 0 for text that
    /// stands where it was written.
    CallId;
}

impl CallId {
    /// No call of an inline.
    pub const NONE: CallId = CallId(0);
}
