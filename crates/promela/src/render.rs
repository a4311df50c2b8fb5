//! Diagnostics as text for people: place, source line, caret, advice.
//!
//! The output stays small whatever the input: long lines are cut to a window
//! around the caret, control characters are replaced, and a long list ends with a
//! count.

use std::borrow::Cow;
use std::ops::Range;

use annotate_snippets::{Annotation, AnnotationKind, Group, Level, Origin, Renderer, Snippet};

use crate::diagnostic::{Diagnostic, Severity};
use crate::source::{ExpansionKind, SourceMap, Span};

/// Most diagnostics that are written out.
const MAX_DIAGNOSTICS: usize = 50;
/// Most expansions that are named for one place.
const MAX_EXPANSIONS: usize = 6;
/// Longest message, label or advice, in characters.
const MAX_TEXT: usize = 400;
/// Characters of a line that are kept before the caret; columns count from there, so
/// it is more than a line has that a person wrote.
const BEFORE: usize = 500;
/// Characters that are kept from the caret on.
const BEHIND: usize = 200;

/// All diagnostics, one after the other, each followed by an empty line.
pub fn render(diagnostics: &[Diagnostic], sources: &SourceMap, color: bool) -> String {
    let renderer = if color {
        Renderer::styled()
    } else {
        Renderer::plain()
    };
    let mut out = String::new();
    for diagnostic in diagnostics.iter().take(MAX_DIAGNOSTICS) {
        out.push_str(&renderer.render(&report(diagnostic, sources)));
        out.push_str("\n\n");
    }
    if let Some(more) = diagnostics.len().checked_sub(MAX_DIAGNOSTICS + 1) {
        out.push_str(&format!("... and {} more\n", more + 1));
    }
    out
}

fn report<'a>(diagnostic: &'a Diagnostic, sources: &'a SourceMap) -> Vec<Group<'a>> {
    let level = match diagnostic.severity {
        Severity::Error => Level::ERROR,
        Severity::Warning => Level::WARNING,
    };
    let mut title = level.primary_title(clean(&diagnostic.message));
    if let Some(lint) = diagnostic.lint {
        title = title.id(lint.name());
    }
    let mut first = place(
        Group::with_title(title),
        diagnostic.span,
        &diagnostic.label,
        sources,
    );
    if let Some(help) = &diagnostic.help {
        first = first.element(Level::HELP.message(clean(help)));
    }
    let mut groups = vec![first];
    for (span, text) in &diagnostic.notes {
        groups.push(note(*span, clean(text), sources));
    }
    expansions(diagnostic.span, sources, &mut groups);
    groups
}

/// How the place came about, from the inside out.
fn expansions<'a>(span: Span, sources: &'a SourceMap, groups: &mut Vec<Group<'a>>) {
    let mut id = span.expansion;
    let mut named = 0;
    while let Some(expansion) = sources.expansion(id) {
        let name = clean(&expansion.name);
        named += 1;
        if named > MAX_EXPANSIONS {
            let text = "... inside further expansions";
            groups.push(Group::with_title(Level::NOTE.secondary_title(text)));
            return;
        }
        match expansion.kind {
            // The place itself is where the macro was used.
            ExpansionKind::Macro => groups.push(note(
                expansion.definition,
                Cow::from(format!("in the expansion of macro `{name}`, defined here")),
                sources,
            )),
            ExpansionKind::Inline => groups.push(note(
                expansion.call,
                Cow::from(format!("inline `{name}` called here")),
                sources,
            )),
        }
        id = expansion.call.expansion;
    }
}

fn note<'a>(span: Span, text: Cow<'a, str>, sources: &'a SourceMap) -> Group<'a> {
    let title = Level::NOTE.secondary_title(text);
    place(Group::with_title(title), span, "", sources)
}

/// Add the line of a span with a caret under it.
fn place<'a>(group: Group<'a>, span: Span, label: &'a str, sources: &'a SourceMap) -> Group<'a> {
    let location = sources.location(span);
    let text = &sources.file(span.file).text;
    let window = Window::new(text, span);
    let annotation = |a: Annotation<'a>| match label {
        "" => a,
        _ => a.label(clean(label)),
    };
    let caret = annotation(AnnotationKind::Primary.span(window.caret));
    let snippet = Snippet::source(window.text)
        .line_start(location.line as usize)
        .annotation(caret);
    let path = clean(&location.file).into_owned();
    if !window.cut {
        return group.element(snippet.path(path));
    }
    // The column cannot be seen in what is left of the line.
    let origin = Origin::path(path)
        .line(location.line as usize)
        .char_column(location.column as usize);
    group.element(origin).element(snippet)
}

/// The part of a line that is shown, and the caret in it.
struct Window {
    text: String,
    caret: Range<usize>,
    /// Something is missing on the left, so columns do not count.
    cut: bool,
}

impl Window {
    fn new(text: &str, span: Span) -> Window {
        let mut start = (span.start as usize).min(text.len());
        while !text.is_char_boundary(start) {
            start -= 1;
        }
        let before = &text[..start];
        let line = before.rfind('\n').map_or(0, |at| at + 1);
        let skipped = before[line..]
            .char_indices()
            .rev()
            .nth(BEFORE)
            .map_or(0, |(at, _)| at);
        let cut = skipped > 0;
        let mut out = String::new();
        if cut {
            out.push_str("...");
        }
        out.extend(before[line + skipped..].chars().map(visible));
        let from = out.len();
        let mut to = from;
        let mut at = start;
        let line = text[start..].split('\n').next().unwrap_or_default();
        let mut rest = line.strip_suffix('\r').unwrap_or(line).chars();
        for c in rest.by_ref().take(BEHIND) {
            out.push(visible(c));
            at += c.len_utf8();
            if at <= span.end as usize {
                to = out.len();
            }
        }
        if rest.next().is_some() {
            out.push_str("...");
        }
        Window {
            text: out,
            caret: from..to,
            cut,
        }
    }
}

/// Control characters could move the cursor; one mark stands for each of them.
fn visible(c: char) -> char {
    let bidirectional = matches!(c, '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}');
    if (c.is_control() && c != '\t') || bidirectional {
        '\u{fffd}'
    } else {
        c
    }
}

/// A text without control characters, and not too long.
fn clean(text: &str) -> Cow<'_, str> {
    if text.len() <= MAX_TEXT && text.chars().all(|c| visible(c) == c) {
        return text.into();
    }
    let mut out: String = text.chars().take(MAX_TEXT).map(visible).collect();
    if text.chars().nth(MAX_TEXT).is_some() {
        out.push_str("...");
    }
    out.into()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::source::FileId;

    #[track_caller]
    fn check(text: &str, start: u32, end: u32, expected: &str) {
        let mut sources = SourceMap::default();
        sources.add_file("m.pml", text);
        let span = Span {
            file: FileId(0),
            start,
            end,
            ..Span::default()
        };
        let diagnostic = Diagnostic::error(span, "wrong").label("here").help("do it");
        let rendered = render(&[diagnostic], &sources, false);
        assert_eq!(rendered.trim_end(), expected.trim_matches('\n'));
    }

    #[test]
    fn a_line_and_a_caret() {
        check(
            "byte x;\nbyte y = q;\n",
            17,
            18,
            "
error: wrong
 --> m.pml:2:10
  |
2 | byte y = q;
  |          ^ here
  |
  = help: do it",
        );
    }

    #[test]
    fn the_end_of_a_file() {
        check(
            "init {",
            6,
            6,
            "
error: wrong
 --> m.pml:1:7
  |
1 | init {
  |       ^ here
  |
  = help: do it",
        );
    }

    #[test]
    fn line_ends_of_two_characters() {
        check(
            "byte x;\r\nbyte y = q;\r\n",
            18,
            19,
            "
error: wrong
 --> m.pml:2:10
  |
2 | byte y = q;
  |          ^ here
  |
  = help: do it",
        );
    }

    #[test]
    fn a_long_line_is_cut() {
        let text = format!("{}y{}", "x".repeat(1_000_000), "z".repeat(1_000_000));
        let mut sources = SourceMap::default();
        sources.add_file("m.pml", text);
        let span = Span {
            file: FileId(0),
            start: 1_000_000,
            end: 2_000_000,
            ..Span::default()
        };
        let diagnostic = Diagnostic::error(span, "wrong");
        let rendered = render(&vec![diagnostic; 60], &sources, false);
        assert!(rendered.len() < 50_000, "{}", rendered.len());
        assert!(rendered.contains("m.pml:1:1000001"), "{}", &rendered[..400]);
        assert!(rendered.ends_with("... and 10 more\n"));
    }

    #[test]
    fn control_characters_are_replaced() {
        let mut sources = SourceMap::default();
        sources.add_file("m.pml", "a\u{1b}[31m\0é\u{202e}b");
        let span = Span {
            file: FileId(0),
            start: 7,
            end: 9,
            ..Span::default()
        };
        let diagnostic = Diagnostic::error(span, "wrong \u{7}\n");
        let rendered = render(&[diagnostic], &sources, false);
        assert!(!rendered.contains(['\u{1b}', '\0', '\u{7}', '\u{202e}']));
    }
}
