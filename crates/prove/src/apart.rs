//! Pairs of paths enumerated by several threads: the exploration is cut into parts, and what a part finds comes back as cases.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::mpsc::{Sender, channel};
use std::thread;

use twinrun_base::{Budget, Case, cut, work};
use twinrun_explore::{Config as Limits, Coverage, Explorer, Part, Path};

use crate::enumerate::PHASE;
use crate::error::Error;
use crate::prepare::{Config, Loaded, Progress, solver};

/// So many branches are open before the exploration is cut into parts. It does not depend on the number of threads, so that neither does what is
/// found; more would cost a solver process each.
const PARTS: usize = 16;

/// What all parts found.
#[derive(Default)]
pub(crate) struct Found {
    /// The inputs of every path.
    pub(crate) cases: Vec<Case>,
    pub(crate) coverage: Coverage,
    pub(crate) reasons: BTreeSet<String>,
    /// The work of a part.
    cost: u64,
}

enum Message {
    /// Another path was run.
    Path,
    /// A part is done.
    Part(usize, Result<Found, Error>),
}

/// Runs all paths that the explorer has left.
pub(crate) fn explore(
    explorer: &mut Explorer,
    loaded: &Loaded,
    relation: &str,
    config: &Config,
    until: Budget,
    tell: &mut dyn FnMut(Progress),
) -> Result<Found, Error> {
    let mut all = Found::default();
    let mut keep = |explorer: &Explorer, path: Path| {
        all.cases.push(path.case(&explorer.engine.domain.terms, &path.model));
    };
    let parts = explorer.parts(PARTS, &mut keep)?;
    let next = AtomicUsize::new(0);
    // A part has a clock of its own on the thread that explores it: equal shares, whoever takes which part when.
    let share = until.part(parts.len() as u64).left();
    let cut = cut::current();
    let mut done: BTreeMap<usize, Found> = BTreeMap::new();
    let (sender, receiver) = channel();
    thread::scope(|scope| {
        for _ in 0..config.jobs.max(1).min(parts.len()) {
            let (sender, parts, next, cut) = (sender.clone(), &parts, &next, cut.clone());
            let explore = move || {
                loop {
                    let number = next.fetch_add(1, Ordering::Relaxed);
                    let Some(part) = parts.get(number) else { break };
                    let found = explore_part(part, loaded, relation, config, share, &sender);
                    if sender.send(Message::Part(number, found)).is_err() {
                        break;
                    }
                }
            };
            scope.spawn(move || cut::within(cut, explore));
        }
        drop(sender);
        let mut paths = all.cases.len() as u64;
        for message in receiver {
            match message {
                Message::Path => paths += 1,
                Message::Part(number, found) => {
                    done.insert(number, found?);
                }
            }
            tell(Progress { phase: PHASE, done: paths, left: (parts.len() - done.len()) as u64 });
        }
        Ok::<(), Error>(())
    })?;
    for found in done.into_values() {
        work::charge(found.cost);
        all.cases.extend(found.cases);
        all.coverage = all.coverage.plus(found.coverage);
        all.reasons.extend(found.reasons);
    }
    Ok(all)
}

fn explore_part(
    part: &Part,
    loaded: &Loaded,
    relation: &str,
    config: &Config,
    share: u64,
    sender: &Sender<Message>,
) -> Result<Found, Error> {
    let (until, before) = (Budget::of(share), work::spent());
    let engine = loaded.engine(relation, config.limits)?;
    let limits = Limits { budget: Some(until), max_depth: config.depth, ..Limits::default() };
    let mut explorer = Explorer::of_part(engine, solver(&config.solver, until), limits, part);
    let mut found = Found::default();
    while let Some(path) = explorer.next_path()? {
        found.cases.push(path.case(&explorer.engine.domain.terms, &path.model));
        // Whoever listens may have stopped because of an error elsewhere.
        let _ = sender.send(Message::Path);
    }
    found.coverage = explorer.coverage();
    found.reasons = explorer.reasons().clone();
    found.cost = work::spent() - before;
    Ok(found)
}
