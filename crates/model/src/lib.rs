//! The executable model: control-flow graphs, state layout, interpreter.
