//! Sizes, durations and counts, as people write and read them.

use std::time::Duration;

/// A size such as `512M`, `1.5G` or `4096`: powers of 1024, bytes without a unit.
pub fn parse_size(text: &str) -> Result<u64, String> {
    let (number, unit) = split(text)?;
    let shift = match unit.to_ascii_lowercase().trim_end_matches("ib") {
        "" | "b" => 0,
        "k" | "kb" => 10,
        "m" | "mb" => 20,
        "g" | "gb" => 30,
        "t" | "tb" => 40,
        _ => return Err(format!("unknown unit `{unit}`; use K, M, G or T")),
    };
    let bytes = number * (1_u64 << shift) as f64;
    if !(1.0..=u64::MAX as f64).contains(&bytes) {
        return Err("the size is out of range".to_owned());
    }
    Ok(bytes as u64)
}

/// A duration such as `10s`, `5m`, `1h30m` or `500ms`: seconds without a unit.
pub fn parse_duration(text: &str) -> Result<Duration, String> {
    let mut seconds = 0.0;
    let mut rest = text.trim();
    loop {
        let end = rest
            .find(|c: char| c.is_ascii_alphabetic())
            .and_then(|at| {
                let digit = |c: char| c.is_ascii_digit() || c == '.';
                rest[at..].find(digit).map(|length| at + length)
            })
            .unwrap_or(rest.len());
        let (number, unit) = split(&rest[..end])?;
        let factor = match unit.to_ascii_lowercase().as_str() {
            "ms" => 0.001,
            "" | "s" | "sec" => 1.0,
            "m" | "min" => 60.0,
            "h" => 3600.0,
            "d" => 86400.0,
            _ => return Err(format!("unknown unit `{unit}`; use ms, s, m, h or d")),
        };
        seconds += number * factor;
        rest = &rest[end..];
        if rest.is_empty() {
            break;
        }
    }
    Duration::try_from_secs_f64(seconds).map_err(|_| "the time is out of range".to_owned())
}

/// A number and the unit behind it.
fn split(text: &str) -> Result<(f64, &str), String> {
    let text = text.trim();
    let end = text
        .find(|c: char| !c.is_ascii_digit() && c != '.')
        .unwrap_or(text.len());
    let (number, unit) = text.split_at(end);
    let value = number
        .parse()
        .map_err(|_| "expected a number such as 10 or 1.5".to_owned())?;
    Ok((value, unit.trim()))
}

/// A count with its thousands apart: `1,234,567`.
pub fn count(number: u64) -> String {
    let digits = number.to_string();
    let mut text = String::new();
    for (i, digit) in digits.chars().enumerate() {
        if i > 0 && (digits.len() - i).is_multiple_of(3) {
            text.push(',');
        }
        text.push(digit);
    }
    text
}

/// A count with its noun: `1 state`, `2 states`.
pub fn plural(number: u64, noun: &str) -> String {
    let s = if number == 1 { "" } else { "s" };
    format!("{} {noun}{s}", count(number))
}

/// A size for people: `512 B`, `1.5 MiB`.
pub fn size(bytes: u64) -> String {
    const UNITS: [&str; 5] = ["B", "KiB", "MiB", "GiB", "TiB"];
    let mut value = bytes as f64;
    let mut unit = 0;
    while value >= 1024.0 && unit + 1 < UNITS.len() {
        value /= 1024.0;
        unit += 1;
    }
    match unit {
        0 => format!("{bytes} B"),
        _ => format!("{value:.1} {}", UNITS[unit]),
    }
}

/// A duration for people: `0.02 s`, `3 min 20 s`, `2 h 5 min`.
pub fn duration(seconds: f64) -> String {
    let whole = seconds as u64;
    match whole {
        0..60 => format!("{seconds:.2} s"),
        60..3600 => format!("{} min {} s", whole / 60, whole % 60),
        _ => format!("{} h {} min", whole / 3600, whole / 60 % 60),
    }
}
