//! The library facade and the command line: options, plan, run, report.
