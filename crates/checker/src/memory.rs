//! The memory of this process and of the machine, as the kernel tells it.

use std::fs;

/// The most memory this process has had at once; 0 where the system does not tell.
pub fn peak_rss() -> u64 {
    kilobytes("/proc/self/status", "VmHWM:").unwrap_or(0) * 1024
}

/// The memory this process has now; 0 where the system does not tell.
pub fn resident() -> u64 {
    kilobytes("/proc/self/status", "VmRSS:").unwrap_or(0) * 1024
}

/// What a search may take unless told otherwise: nine tenths of what is free, so that a
/// state space that is too large ends in an answer and not in a killed process.
pub fn default_limit() -> Option<u64> {
    let free = kilobytes("/proc/meminfo", "MemAvailable:")? * 1024;
    let allowed = [
        "/sys/fs/cgroup/memory.max",
        "/sys/fs/cgroup/memory/memory.limit_in_bytes",
    ]
    .iter()
    .filter_map(|path| fs::read_to_string(path).ok()?.trim().parse::<u64>().ok())
    .fold(free, u64::min);
    Some(allowed / 10 * 9)
}

/// A line `name: n kB` of a file of the kernel.
fn kilobytes(file: &str, name: &str) -> Option<u64> {
    let text = fs::read_to_string(file).ok()?;
    let line = text.lines().find_map(|line| line.strip_prefix(name))?;
    line.trim().trim_end_matches("kB").trim().parse().ok()
}
