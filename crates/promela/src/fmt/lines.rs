//! The lines that come out, and the columns of the comments at their ends.

use super::gap::column_after;

/// Blanks between a statement and the comment behind it.
const BEFORE_COMMENT: usize = 2;
/// A longer line does not push the comments of its neighbours to the right.
const LONGEST_ALIGNED: usize = 60;

/// One line, or several when a comment or C text in it spans lines.
#[derive(Debug, Default)]
pub(super) struct Line<'a> {
    /// A blank line stands before it.
    pub blank: bool,
    /// Blanks before the text.
    pub indent: usize,
    /// The text.
    pub code: String,
    /// The comment at its end. Without code before it, it continues that of the line before.
    pub comment: Option<&'a str>,
}

impl Line<'_> {
    /// The column behind its text.
    pub fn width(&self) -> usize {
        if self.code.is_empty() {
            return 0;
        }
        column_after(self.indent, &self.code)
    }
}

/// The text of all lines. Comments at the ends of neighbouring lines are aligned.
pub(super) fn render(lines: &[Line<'_>]) -> String {
    let columns = comment_columns(lines);
    let mut out = String::new();
    for (i, (line, column)) in lines.iter().zip(columns).enumerate() {
        if line.blank && i > 0 {
            out.push('\n');
        }
        if !line.code.is_empty() {
            push_blanks(&mut out, line.indent);
            out.push_str(&line.code);
        }
        if let Some(comment) = line.comment {
            push_blanks(&mut out, column - line.width());
            out.push_str(comment);
        }
        out.push('\n');
    }
    out
}

fn push_blanks(out: &mut String, count: usize) {
    out.extend(std::iter::repeat_n(' ', count));
}

/// The column of the comment of each line.
fn comment_columns(lines: &[Line<'_>]) -> Vec<usize> {
    let mut columns = vec![0; lines.len()];
    let mut start = 0;
    while start < lines.len() {
        if lines[start].comment.is_none() {
            start += 1;
            continue;
        }
        let is_long = |line: &Line<'_>| line.width() > LONGEST_ALIGNED;
        let mut end = start + 1;
        while let Some(line) = lines.get(end) {
            let separate = is_long(&lines[start]) || is_long(line);
            if line.blank || line.comment.is_none() || (separate && !line.code.is_empty()) {
                break;
            }
            end += 1;
        }
        let group = &lines[start..end];
        let widest = group.iter().map(Line::width).max().unwrap_or_default();
        columns[start..end].fill(widest + BEFORE_COMMENT);
        start = end;
    }
    columns
}

#[cfg(test)]
mod tests {
    use super::*;

    fn line(indent: usize, code: &str, comment: Option<&'static str>) -> Line<'static> {
        Line {
            blank: false,
            indent,
            code: code.to_owned(),
            comment,
        }
    }

    #[test]
    fn comments_are_aligned() {
        let long = "x".repeat(70);
        let lines = [
            line(0, "a", Some("// 1")),
            line(4, "b", Some("// 2")),
            line(0, "", Some("// 3")),
            line(0, &long, Some("// 4")),
            line(0, "c", None),
            line(0, "d", Some("// 5")),
        ];
        let expected = format!("a      // 1\n    b  // 2\n       // 3\n{long}  // 4\nc\nd  // 5\n");
        assert_eq!(render(&lines), expected);
    }
}
