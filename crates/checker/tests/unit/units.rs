//! Sizes, durations and counts.

use std::time::Duration;

use checker::units::{count, duration, parse_duration, parse_size, plural, size};

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
