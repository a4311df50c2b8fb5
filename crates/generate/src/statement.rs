//! The tree of a statement and its text.
//!
//! Every statement stands on lines of its own and ends in a separator, also the last one of a
//! block, so that lines can be deleted one by one and the rest is still Promela.

/// A list of statements.
pub type Body = Vec<Statement>;

/// A statement, or a declaration inside a body.
#[derive(Clone, Debug)]
pub enum Statement {
    /// A statement or declaration on one line.
    Plain(String),
    /// A label and the statement it names; without one, the label stands before a closing brace.
    Label(String, Option<Box<Statement>>),
    /// A block after a head, e.g. `atomic`, `d_step`, `for (i : 0 .. 2)` or nothing.
    Block(String, Body),
    /// `if` or `do` with its options.
    Choice(Kind, Vec<Body>),
    /// The block of the first body `unless` the second one moves.
    Unless(Box<Statement>, Box<Statement>),
    /// `#if` head, the part that is on, the part that is off.
    Conditional(String, Body, Body),
}

/// The two kinds of choice.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Kind {
    /// `if … fi`
    If,
    /// `do … od`
    Do,
}

impl Statement {
    /// A statement or declaration on one line.
    pub fn plain(text: impl Into<String>) -> Self {
        Statement::Plain(text.into())
    }

    /// A block after `head`.
    pub fn block(head: &str, body: Body) -> Self {
        Statement::Block(head.to_owned(), body)
    }
}

/// Puts a `skip` between a loop and a `d_step` right behind it: Spin takes the `break` of the loop
/// for a jump into the `d_step`.
pub fn detach_d_steps(body: Body) -> Body {
    let mut detached = Body::new();
    for statement in body {
        let statement = match statement {
            Statement::Label(name, Some(inner)) => {
                let inner = detach_d_steps(vec![*inner]).remove(0);
                Statement::Label(name, Some(Box::new(inner)))
            }
            Statement::Block(head, inner) => Statement::Block(head, detach_d_steps(inner)),
            Statement::Choice(kind, options) => {
                let options = options.into_iter().map(detach_d_steps).collect();
                Statement::Choice(kind, options)
            }
            Statement::Unless(main, escape) => {
                let main = detach_d_steps(vec![*main]).remove(0);
                let escape = detach_d_steps(vec![*escape]).remove(0);
                Statement::Unless(Box::new(main), Box::new(escape))
            }
            other => other,
        };
        if starts_with_d_step(&statement) && detached.last().is_some_and(has_loop) {
            detached.push(Statement::plain("skip"));
        }
        detached.push(statement);
    }
    detached
}

/// How many steps there are in a body, a `d_step` being one.
pub fn count_steps(body: &[Statement]) -> usize {
    let steps = |statement: &Statement| match statement {
        Statement::Plain(text) if text == "break" || text.starts_with("goto ") => 0,
        Statement::Plain(_) | Statement::Label(_, None) => 1,
        Statement::Label(_, Some(inner)) => count_steps(std::slice::from_ref(inner)),
        Statement::Block(head, _) if head == "d_step" => 1,
        Statement::Block(head, body) if head == "atomic" => count_steps(body).div_ceil(2),
        Statement::Block(head, body) if head.starts_with("for") => 3 + count_steps(body),
        Statement::Block(_, body) => count_steps(body),
        Statement::Choice(_, options) => options.iter().map(|option| count_steps(option)).sum(),
        Statement::Unless(main, escape) => {
            count_steps(std::slice::from_ref(main)) + count_steps(std::slice::from_ref(escape))
        }
        Statement::Conditional(_, on, _) => count_steps(on),
    };
    body.iter().map(steps).sum()
}

fn starts_with_d_step(statement: &Statement) -> bool {
    match statement {
        Statement::Block(head, body) => {
            head == "d_step"
                || (!head.starts_with("for") && body.iter().take(1).any(starts_with_d_step))
        }
        Statement::Label(_, Some(inner)) | Statement::Unless(inner, _) => starts_with_d_step(inner),
        Statement::Choice(_, options) => options
            .iter()
            .any(|option| option.iter().take(1).any(starts_with_d_step)),
        Statement::Conditional(_, on, off) => [on, off]
            .iter()
            .any(|part| part.iter().take(1).any(starts_with_d_step)),
        _ => false,
    }
}

fn has_loop(statement: &Statement) -> bool {
    match statement {
        Statement::Plain(text) => text.starts_with("select"),
        Statement::Choice(Kind::Do, _) => true,
        Statement::Choice(Kind::If, options) => options.iter().flatten().any(has_loop),
        Statement::Block(head, body) => head.starts_with("for") || body.iter().any(has_loop),
        Statement::Unless(main, escape) => has_loop(main) || has_loop(escape),
        Statement::Label(_, Some(inner)) => has_loop(inner),
        _ => false,
    }
}

/// Prints the lines of a body, each statement with its separator.
pub fn print_body(body: &[Statement], indent: usize, out: &mut String) {
    for statement in body {
        let lead = "    ".repeat(indent);
        print(statement, indent, &lead, ";", out);
    }
}

/// Prints one statement: `lead` before its first line, its other lines indented, and `end` after
/// the last one.
fn print(statement: &Statement, indent: usize, lead: &str, end: &str, out: &mut String) {
    match statement {
        Statement::Plain(text) => line(0, &format!("{lead}{text}{end}"), out),
        Statement::Label(name, Some(inner)) => {
            print(inner, indent, &format!("{lead}{name}: "), end, out);
        }
        Statement::Label(name, None) => line(0, &format!("{lead}{name}:{end}"), out),
        Statement::Block(head, body) => {
            let space = if head.is_empty() { "" } else { " " };
            line(0, &format!("{lead}{head}{space}{{"), out);
            print_body(body, indent + 1, out);
            line(indent, &format!("}}{end}"), out);
        }
        Statement::Choice(kind, options) => {
            let (open, close) = match kind {
                Kind::If => ("if", "fi"),
                Kind::Do => ("do", "od"),
            };
            line(0, &format!("{lead}{open}"), out);
            for option in options {
                let (first, rest) = option.split_first().expect("an option has a statement");
                let lead = format!("{}:: ", "    ".repeat(indent));
                let end = if rest.is_empty() { "" } else { " ->" };
                print(first, indent + 1, &lead, end, out);
                print_body(rest, indent + 1, out);
            }
            line(indent, &format!("{close}{end}"), out);
        }
        Statement::Unless(main, escape) => {
            print(main, indent, lead, "", out);
            // A newline before `unless` would end the statement.
            out.pop();
            print(escape, indent, " unless ", end, out);
        }
        Statement::Conditional(head, on, off) => {
            line(0, head, out);
            print_body(on, indent, out);
            line(0, "#else", out);
            print_body(off, indent, out);
            line(0, "#endif", out);
        }
    }
}

fn line(indent: usize, text: &str, out: &mut String) {
    for _ in 0..indent {
        out.push_str("    ");
    }
    out.push_str(text);
    out.push('\n');
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn options_hang_below_their_guards() {
        let guard = || Statement::plain("x == 1");
        let inner = Statement::Choice(Kind::If, vec![vec![guard(), Statement::plain("x = 2")]]);
        let outer = Statement::Choice(Kind::Do, vec![vec![inner], vec![guard()]]);
        let mut text = String::new();
        print_body(&[outer], 0, &mut text);
        assert_eq!(
            text,
            "do\n:: if\n    :: x == 1 ->\n        x = 2;\n    fi\n:: x == 1\nod;\n"
        );
    }
}
