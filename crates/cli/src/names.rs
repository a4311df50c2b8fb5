//! Values of options that the library knows by name.

use checker::options::Named;
use clap::builder::{PossibleValue, PossibleValuesParser, TypedValueParser};

/// A parser for the names of a choice, which also lists them in the help.
pub fn named<T: Named>() -> impl TypedValueParser<Value = T> {
    let values = T::ALL.iter().map(|choice| {
        let value = PossibleValue::new(choice.name());
        value.help(choice.description())
    });
    PossibleValuesParser::new(values)
        .try_map(|name| T::from_name(&name).ok_or_else(|| format!("unknown name {name}")))
}
