//! `channel-arity`: a message that has not as many fields as its channel.
//!
//! Also constants that the fields cannot hold, which is for `constant-truncation` to say: both need
//! a channel whose type is known from the text.

use super::Lint;
use super::channels::{Channels, Message, Traffic};
use super::constant_truncation::{Holds, store};
use super::walk::Walk;
use crate::ast::{ChanInit, TypeName};
use crate::diagnostic::Diagnostic;

pub(super) fn finish<'a>(walk: &mut Walk<'a>, channels: Channels<'a>) {
    for (traffic, init, fields) in channels.known(&walk.scope) {
        let is_poll = matches!(traffic.message, Message::Polled(_));
        match fields {
            Some(fields) if is_poll && traffic.given < fields => {}
            Some(fields) if fields != traffic.given => arity(walk, &traffic, init, fields),
            _ => constants(walk, &traffic, init),
        }
    }
}

fn arity(walk: &mut Walk<'_>, traffic: &Traffic<'_>, init: &ChanInit, fields: u64) {
    let Traffic { name, given, .. } = traffic;
    let counted = match given {
        1 => "1 field".to_owned(),
        _ => format!("{given} fields"),
    };
    let (verb, help) = match traffic.message {
        Message::Sent(_) => ("sends", "this send fails at run time"),
        Message::Received(_) if *given < fields => ("receives", "write `_` for fields to ignore"),
        Message::Received(_) => ("receives", "this receive fails at run time"),
        Message::Polled(_) => ("tests", "a poll cannot test more fields than a message has"),
    };
    let message = format!("this {verb} {counted}, but messages of `{name}` have {fields}");
    walk.report(
        Diagnostic::lint(Lint::ChannelArity, traffic.span, message)
            .note(init.span, "declared here")
            .help(help),
    );
}

fn constants(walk: &mut Walk<'_>, traffic: &Traffic<'_>, init: &ChanInit) {
    let Message::Sent(args) = traffic.message else {
        return;
    };
    // A message of one bit is kept as a byte.
    if matches!(init.fields.as_slice(), [TypeName::Bit | TypeName::Bool]) {
        return;
    }
    for (ty, arg) in init.fields.iter().zip(args) {
        if matches!(ty, TypeName::Named(_)) {
            return;
        }
        store(walk, Holds::of_field(ty), arg);
    }
}
