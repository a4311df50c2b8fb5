//! The accounting of a search in a checkpoint.

use std::io::{self, Read, Write};
use std::time::Duration;

use space::{ErrorKind, Pid, SiteId, Step, Trace, TransitionId, Violation, ViolationKind as Kind};

use super::wire::{get, get_bytes, put, put_bytes};
use crate::Finding;
use crate::accounting::Accounting;

/// The kinds of violations by their number in a file. Only to be appended to.
const KINDS: [Kind; 20] = [
    Kind::Assertion,
    Kind::InvalidEndState,
    Kind::ArrayBounds,
    Kind::ChannelClaim,
    Kind::EventTrace,
    Kind::Error(ErrorKind::DivisionByZero),
    Kind::Error(ErrorKind::DStepBlocks),
    Kind::Error(ErrorKind::DStepEndless),
    Kind::Error(ErrorKind::DStepRendezvous),
    Kind::Error(ErrorKind::TooManyProcesses),
    Kind::Error(ErrorKind::TooManyChannels),
    Kind::Error(ErrorKind::UninitialisedChannel),
    Kind::Error(ErrorKind::WrongFieldCount),
    Kind::Error(ErrorKind::PollOfRendezvous),
    Kind::Error(ErrorKind::Nondeterminism),
    Kind::Error(ErrorKind::EnabledSelf),
    Kind::Error(ErrorKind::PriorityRange),
    Kind::AcceptanceCycle,
    Kind::NonProgressCycle,
    Kind::Claim,
];

pub(super) fn write(accounting: &Accounting<'_>, out: &mut impl Write) -> io::Result<()> {
    let statistics = &accounting.statistics;
    for number in [
        statistics.stored,
        statistics.matched,
        statistics.atomic_steps,
        statistics.depth,
        statistics.errors,
        statistics.endless_atomics,
        statistics.longest_state as u64,
        u64::from(accounting.truncated),
        accounting.elapsed().as_nanos() as u64,
    ] {
        put(out, number)?;
    }
    let reached: Vec<u8> = accounting
        .reached
        .iter()
        .map(|&reached| reached.into())
        .collect();
    put_bytes(out, &reached)?;
    put(out, accounting.findings.list().len() as u64)?;
    (accounting.findings.list().iter()).try_for_each(|finding| write_finding(finding, out))
}

pub(super) fn read(accounting: &mut Accounting<'_>, input: &mut impl Read) -> io::Result<()> {
    let statistics = &mut accounting.statistics;
    for number in [
        &mut statistics.stored,
        &mut statistics.matched,
        &mut statistics.atomic_steps,
        &mut statistics.depth,
        &mut statistics.errors,
        &mut statistics.endless_atomics,
    ] {
        *number = get(input)?;
    }
    statistics.longest_state = get(input)? as usize;
    accounting.truncated = get(input)? != 0;
    accounting.earlier = Duration::from_nanos(get(input)?);
    let reached = get_bytes(input)?;
    if reached.len() != accounting.reached.len() {
        return Err(io::ErrorKind::InvalidData.into());
    }
    accounting.reached = reached.into_iter().map(|reached| reached != 0).collect();
    let mut findings = Vec::new();
    for _ in 0..get(input)? {
        findings.push(read_finding(input)?);
    }
    accounting.findings.resume(findings);
    Ok(())
}

fn write_finding(finding: &Finding, out: &mut impl Write) -> io::Result<()> {
    let violation = finding.violation;
    let kind = KINDS.iter().position(|&kind| kind == violation.kind);
    let kind = kind.ok_or(io::ErrorKind::InvalidInput)?;
    put(out, kind as u64)?;
    put(out, violation.site.map_or(0, |site| u64::from(site.0) + 1))?;
    // From -1 on.
    put(out, (finding.depth + 1) as u64)?;
    put(out, finding.count)?;
    put(out, finding.trace.steps.len() as u64)?;
    for step in &finding.trace.steps {
        put(out, u64::from(step.transition.0))?;
        put(out, u64::from(step.pid.0))?;
        let partner = step.partner;
        put(
            out,
            partner.map_or(0, |(_, transition)| u64::from(transition.0) + 1),
        )?;
        if let Some((pid, _)) = partner {
            put(out, u64::from(pid.0))?;
        }
    }
    put(out, finding.trace.claim.len() as u64)?;
    for &edge in &finding.trace.claim {
        put(out, u64::from(edge))?;
    }
    let cycle = finding.trace.cycle;
    put(out, cycle.map_or(0, |start| start as u64 + 1))
}

fn read_finding(input: &mut impl Read) -> io::Result<Finding> {
    let kind = KINDS.get(get(input)? as usize);
    let kind = *kind.ok_or(io::ErrorKind::InvalidData)?;
    let site = get(input)?.checked_sub(1).map(|site| SiteId(site as u32));
    let depth = get(input)? as i64 - 1;
    let count = get(input)?;
    let mut trace = Trace::default();
    for _ in 0..get(input)? {
        let transition = TransitionId(get(input)? as u32);
        let pid = Pid(get(input)? as u8);
        let partner = match get(input)?.checked_sub(1) {
            None => None,
            Some(transition) => {
                let pid = Pid(get(input)? as u8);
                Some((pid, TransitionId(transition as u32)))
            }
        };
        trace.steps.push(Step {
            pid,
            transition,
            partner,
        });
    }
    for _ in 0..get(input)? {
        trace.claim.push(get(input)? as u32);
    }
    trace.cycle = get(input)?.checked_sub(1).map(|start| start as usize);
    Ok(Finding {
        violation: Violation { kind, site },
        depth,
        count,
        trace,
    })
}
