//! Prints random models: `model [kind] seed…`, where `kind` is one of those below.

type Kind = (&'static str, fn(u64) -> String);

const KINDS: [Kind; 10] = [
    ("any", generate::model),
    ("formula", generate::model_with_formula),
    ("family", generate::family_model),
    ("symmetric", generate::symmetric_model),
    ("provided", generate::provided_model),
    ("provided-formula", generate::provided_model_with_formula),
    ("role", generate::role_model),
    ("role-formula", generate::role_model_with_formula),
    ("endless", generate::endless_model),
    ("claimed", generate::claimed_model),
];

fn main() {
    let mut kind = KINDS[0].1;
    for argument in std::env::args().skip(1) {
        match KINDS.iter().find(|(name, _)| *name == argument) {
            Some((_, named)) => kind = *named,
            None => print!("{}", kind(argument.parse().expect("a kind or a seed"))),
        }
    }
}
