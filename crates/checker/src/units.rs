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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sizes_are_read() {
        for (text, bytes) in [
            ("4096", 4096),
            ("1b", 1),
            ("2k", 2048),
            ("512M", 512 << 20),
            ("1.5 GiB", 3 << 29),
            ("1TB", 1 << 40),
        ] {
            assert_eq!(parse_size(text), Ok(bytes), "{text}");
        }
        for text in [
            "",
            "M",
            "-1",
            "0",
            "5Q",
            "1e400",
            "9999999999999T",
            "1.2.3M",
        ] {
            assert!(parse_size(text).is_err(), "{text}");
        }
    }

    #[test]
    fn durations_are_read() {
        for (text, millis) in [
            ("10", 10_000),
            ("0.5s", 500),
            ("500ms", 500),
            ("5m", 300_000),
            ("1h30m", 5_400_000),
            ("1m 1s", 61_000),
        ] {
            let expected = Duration::from_millis(millis);
            assert_eq!(parse_duration(text), Ok(expected), "{text}");
        }
        for text in ["", "s", "5y", "1h-3m", "1e99", "99999999999999999999999d"] {
            assert!(parse_duration(text).is_err(), "{text}");
        }
    }

    #[test]
    fn figures_are_shown() {
        assert_eq!(count(0), "0");
        assert_eq!(count(999), "999");
        assert_eq!(count(1_234_567), "1,234,567");
        assert_eq!(plural(1, "state"), "1 state");
        assert_eq!(plural(1000, "state"), "1,000 states");
        assert_eq!(size(1023), "1023 B");
        assert_eq!(size(1536), "1.5 KiB");
        assert_eq!(duration(0.123), "0.12 s");
        assert_eq!(duration(200.5), "3 min 20 s");
        assert_eq!(duration(7500.0), "2 h 5 min");
    }
}
