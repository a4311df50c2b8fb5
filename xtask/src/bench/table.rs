//! Tables in Markdown, and the numbers in them.

/// What stands where there is nothing to say.
pub const NOTHING: &str = "-";

/// A table; the first column is text and the others are numbers.
pub struct Table {
    rows: Vec<Vec<String>>,
}

impl Table {
    /// A table with this head.
    pub fn new<S: Into<String>>(head: impl IntoIterator<Item = S>) -> Table {
        Table {
            rows: vec![head.into_iter().map(Into::into).collect()],
        }
    }

    /// One more row.
    pub fn row<S: Into<String>>(&mut self, cells: impl IntoIterator<Item = S>) {
        self.rows.push(cells.into_iter().map(Into::into).collect());
    }

    /// The text, with aligned columns.
    pub fn render(&self) -> String {
        let columns = self.rows[0].len();
        let cell = |row: &Vec<String>, column: usize| row.get(column).cloned().unwrap_or_default();
        let width = |column: usize| {
            let cells = self.rows.iter().map(|row| cell(row, column));
            cells.map(|text| text.chars().count()).max().unwrap_or(0)
        };
        let widths: Vec<usize> = (0..columns).map(|column| width(column).max(3)).collect();
        let mut text = String::new();
        for (number, row) in self.rows.iter().enumerate() {
            for (column, &width) in widths.iter().enumerate() {
                let content = cell(row, column);
                match column {
                    0 => text.push_str(&format!("| {content:<width$} ")),
                    _ => text.push_str(&format!("| {content:>width$} ")),
                }
            }
            text.push_str("|\n");
            if number == 0 {
                for (column, &width) in widths.iter().enumerate() {
                    match column {
                        0 => text.push_str(&format!("| {} ", "-".repeat(width))),
                        _ => text.push_str(&format!("| {}: ", "-".repeat(width - 1))),
                    }
                }
                text.push_str("|\n");
            }
        }
        text
    }
}

/// A paragraph in lines of at most 100 characters.
pub fn wrap(text: &str) -> String {
    let mut lines = vec![String::new()];
    for word in text.split_whitespace() {
        let last = lines.len() - 1;
        if lines[last].is_empty() {
            lines[last].push_str(word);
        } else if lines[last].chars().count() + 1 + word.chars().count() <= 100 {
            lines[last] = format!("{} {word}", lines[last]);
        } else {
            lines.push(word.to_owned());
        }
    }
    lines.join("\n") + "\n"
}

/// The geometric mean of positive numbers; `None` without any.
pub fn geometric_mean(numbers: &[f64]) -> Option<f64> {
    if numbers.is_empty() {
        return None;
    }
    let logarithms: f64 = numbers.iter().map(|number| number.ln()).sum();
    Some((logarithms / numbers.len() as f64).exp())
}

/// The smallest number; `None` without any.
pub fn worst(numbers: &[f64]) -> Option<f64> {
    numbers.iter().copied().reduce(f64::min)
}

/// `1,726,040`
pub fn count(number: u64) -> String {
    let digits = number.to_string();
    let mut text = String::new();
    for (place, digit) in digits.chars().enumerate() {
        if place > 0 && (digits.len() - place).is_multiple_of(3) {
            text.push(',');
        }
        text.push(digit);
    }
    text
}

/// A number with three digits that mean something.
pub fn short(number: f64) -> String {
    match number {
        n if n >= 100.0 => format!("{n:.0}"),
        n if n >= 10.0 => format!("{n:.1}"),
        n if n >= 1.0 => format!("{n:.2}"),
        n => format!("{n:.3}"),
    }
}

/// A ratio, or nothing.
pub fn ratio(number: Option<f64>) -> String {
    number.map_or(NOTHING.to_owned(), |n| match n {
        n if n >= 10.0 => format!("{n:.0}×"),
        n if n >= 1.0 => format!("{n:.1}×"),
        n => format!("{n:.2}×"),
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn means() {
        let mean = geometric_mean(&[2.0, 8.0]).expect("two numbers");
        assert!((mean - 4.0).abs() < 1e-12);
        let inverse = geometric_mean(&[0.5, 2.0, 1.0]).expect("three numbers");
        assert!((inverse - 1.0).abs() < 1e-12);
        assert_eq!(geometric_mean(&[]), None);
        assert_eq!(worst(&[3.0, 0.5, 2.0]), Some(0.5));
        assert_eq!(worst(&[]), None);
    }

    #[test]
    fn numbers() {
        let counts = [7, 123, 1_000, 28_005_642].map(count);
        assert_eq!(counts, ["7", "123", "1,000", "28,005,642"]);
        let shorts = [1234.5, 56.78, 3.456, 0.0123].map(short);
        assert_eq!(shorts, ["1234", "56.8", "3.46", "0.012"]);
        let ratios = [Some(12.6), Some(1.25), Some(0.875), None].map(ratio);
        assert_eq!(ratios, ["13×", "1.2×", "0.88×", "-"]);
    }

    #[test]
    fn paragraphs_are_wrapped() {
        let line = ["word"; 20].join(" ");
        assert_eq!(wrap(&format!("{line} word")), format!("{line}\nword\n"));
        assert_eq!(wrap(""), "\n");
    }

    #[test]
    fn columns_are_aligned() {
        let mut table = Table::new(["model", "states"]);
        table.row(["a", "1,000"]);
        table.row(["longest"]);
        let expected = "\
| model   | states |
| ------- | -----: |
| a       |  1,000 |
| longest |        |
";
        assert_eq!(table.render(), expected);
    }
}
