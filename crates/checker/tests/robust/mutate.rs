//! Random texts that are nearly models.

/// A stream of pseudo-random numbers fixed by its seed (SplitMix64).
pub struct Random(u64);

impl Random {
    pub fn new(seed: u64) -> Random {
        Random(seed.wrapping_mul(0xd134_2543_de82_ef95))
    }

    /// A number in `0..bound`.
    pub fn below(&mut self, bound: usize) -> usize {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        ((z ^ (z >> 31)) % bound as u64) as usize
    }

    fn pick<'a>(&mut self, items: &[&'a str]) -> &'a str {
        items[self.below(items.len())]
    }
}

/// What models of the corpus hardly contain.
const STRANGE: &[&str] = &[
    "0",
    "1",
    "-1",
    "255",
    "256",
    "2147483647",
    "4294967296",
    "\0",
    "\"",
    "'",
    "/*",
    "*/",
    "//",
    "\n#if 0\n",
    "\n#endif\n",
    "\n#define x y\n",
    "\n#include \"m\"\n",
    "é",
    "\\",
    "_",
    "_pid",
    "_last",
    "_nr_pr",
    "np_",
    "timeout",
    "else",
    "break",
    "goto",
    "unless",
    "atomic",
    "d_step",
    "run",
    "init",
    "!!",
    "??",
    "?<",
    "?[",
    "->",
    "..",
    "@",
    "enabled(",
    "pc_value(",
    "eval(",
    "xr",
    "xs",
    "provided",
    "priority",
    "D_proctype",
    "hidden",
    "local",
    "show",
    "unsigned",
    "typedef",
    "mtype",
    "chan",
    "trace",
    "notrace",
    "never",
    "ltl",
    "c_code",
    "inline",
    "select",
    "for",
    "in",
    "len(",
    "full(",
    "nempty(",
    "% 0",
    "/ 0",
    "<< 33",
    "[9]",
    "[0]",
    "[x]",
];

/// The words, numbers, symbols and blanks of a text.
fn pieces(text: &str) -> Vec<&str> {
    let is_word = |c: char| c.is_alphanumeric() || c == '_';
    let mut found = Vec::new();
    let mut rest = text;
    while let Some(first) = rest.chars().next() {
        let end = match is_word(first) {
            true => rest.find(|c| !is_word(c)).unwrap_or(rest.len()),
            false => first.len_utf8(),
        };
        let (piece, after) = rest.split_at(end);
        found.push(piece);
        rest = after;
    }
    found
}

/// The text behind the leading comment.
fn without_header(text: &str) -> &str {
    let mut rest = text;
    while rest.starts_with("//") {
        rest = rest.split_once('\n').map_or("", |(_, after)| after);
    }
    rest
}

/// Words that are not names.
const KEYWORDS: &[&str] = &[
    "active", "assert", "atomic", "break", "chan", "d_step", "define", "do", "else", "eval", "fi",
    "for", "goto", "hidden", "if", "in", "include", "init", "inline", "len", "ltl", "mtype",
    "never", "notrace", "od", "of", "printf", "printm", "priority", "proctype", "provided", "run",
    "select", "show", "skip", "trace", "typedef", "unless", "unsigned", "xr", "xs",
];
const TYPES: &[&str] = &["bit", "bool", "byte", "short", "int", "pid"];

/// What a piece can be exchanged for with some hope that the result is still a model; nothing for
/// those that hold it together.
fn class(pieces: &[&str], at: usize) -> Option<u8> {
    let piece = pieces[at];
    let is_operator = |row: usize| {
        let piece = pieces.get(row).copied().unwrap_or_default();
        piece.starts_with(|c: char| c.is_ascii_punctuation() && c != '(' && c != ')')
    };
    match piece.chars().next()? {
        '0'..='9' => Some(0),
        _ if TYPES.contains(&piece) => Some(1),
        _ if KEYWORDS.contains(&piece) => None,
        'a'..='z' | 'A'..='Z' | '_' => Some(2),
        // A symbol of one character.
        '+' | '-' | '*' | '/' | '%' | '<' | '>' | '&' | '|' | '^'
            if !is_operator(at.wrapping_sub(1)) && !is_operator(at + 1) =>
        {
            Some(3)
        }
        _ => None,
    }
}

/// A model with a few changes that leave many models whole, or a few that leave hardly any.
pub fn mutate(text: &str, random: &mut Random) -> String {
    let text = without_header(text);
    match random.below(5) {
        0 => deface(text, random),
        1 => shuffle_lines(text, random),
        _ => exchange(text, random),
    }
}

/// Some words, numbers and operators replaced by others of the model.
fn exchange(text: &str, random: &mut Random) -> String {
    let mut pieces = pieces(text);
    for _ in 0..=random.below(2) {
        let classes: Vec<Option<u8>> = (0..pieces.len()).map(|row| class(&pieces, row)).collect();
        let of_class = |wanted: Option<u8>| {
            let rows = classes.iter().enumerate();
            let rows = rows.filter(|(_, class)| **class == wanted);
            rows.map(|(row, _)| row).collect::<Vec<usize>>()
        };
        let rows = of_class(Some(random.below(4) as u8));
        if !rows.is_empty() {
            let (at, other) = (random.below(rows.len()), random.below(rows.len()));
            pieces[rows[at]] = pieces[rows[other]];
        }
    }
    pieces.concat()
}

/// Some lines removed, repeated or exchanged.
fn shuffle_lines(text: &str, random: &mut Random) -> String {
    let mut lines: Vec<&str> = text.split_inclusive('\n').collect();
    for _ in 0..=random.below(3) {
        let (at, other) = (random.below(lines.len()), random.below(lines.len()));
        match random.below(3) {
            0 if lines.len() > 1 => {
                lines.remove(at);
            }
            1 => lines.insert(other, lines[at]),
            _ => lines.swap(at, other),
        }
    }
    lines.concat()
}

/// Some pieces removed, repeated, exchanged or replaced, or some bytes changed.
fn deface(text: &str, random: &mut Random) -> String {
    let mut pieces = pieces(text);
    for _ in 0..=random.below(3) {
        let (at, other) = (random.below(pieces.len()), random.below(pieces.len()));
        match random.below(8) {
            0 => {
                pieces.remove(at);
                pieces.push("\n");
            }
            1 => pieces.insert(at, pieces[at]),
            2 => pieces.swap(at, other),
            3 => pieces[at] = pieces[other],
            4 => pieces[at] = random.pick(STRANGE),
            5 => pieces.insert(at, random.pick(STRANGE)),
            6 => {
                let end = (at + random.below(30)).min(pieces.len());
                let copy = pieces[at..end].to_vec();
                pieces.splice(other..other, copy);
            }
            _ => {
                let end = (at + 1 + random.below(8)).min(pieces.len() - 1);
                pieces.drain(at.min(end)..end);
            }
        }
    }
    let mut bytes = pieces.concat().into_bytes();
    if random.below(8) == 0 {
        for _ in 0..=random.below(3) {
            let at = random.below(bytes.len());
            bytes[at] ^= 1 << random.below(8);
        }
    }
    String::from_utf8_lossy(&bytes).into_owned()
}

/// Pieces of many models in a row, sometimes inside a process.
pub fn soup(corpus: &[String], random: &mut Random) -> String {
    let mut text = String::new();
    let inside = random.below(2) == 0;
    if inside {
        text.push_str("byte x, y; chan c = [2] of { byte };\nactive [2] proctype P() { ");
    }
    for _ in 0..random.below(40) {
        if random.below(8) == 0 {
            text.push_str(random.pick(STRANGE));
        } else {
            let pieces = pieces(without_header(&corpus[random.below(corpus.len())]));
            let at = random.below(pieces.len());
            let end = (at + random.below(12)).min(pieces.len());
            text.extend(pieces[at..end].iter().copied());
        }
        text.push(' ');
    }
    if inside {
        text.push('}');
    }
    text
}
