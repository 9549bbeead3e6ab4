//! Pairs of paths enumerated by several threads: the exploration is cut into parts, and what a part finds comes back as cases.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::mpsc::{Sender, channel};
use std::thread;
use std::time::Instant;

use twinrun_base::Case;
use twinrun_explore::{Config as Limits, Coverage, Explorer, Part, Path};

use crate::enumerate::PHASE;
use crate::error::Error;
use crate::prepare::{Config, Loaded, Progress, solver};

/// So many branches are open before the exploration is cut. It does not depend on the number of threads, so that neither does the order of what is found.
const PARTS: usize = 64;

/// What all parts found.
#[derive(Default)]
pub(crate) struct Found {
    /// The inputs of every path.
    pub(crate) cases: Vec<Case>,
    pub(crate) coverage: Coverage,
    pub(crate) reasons: BTreeSet<String>,
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
    until: Instant,
    tell: &mut dyn FnMut(Progress),
) -> Result<Found, Error> {
    let mut all = Found::default();
    let mut keep = |explorer: &Explorer, path: Path| {
        all.cases.push(path.case(&explorer.engine.domain.terms, &path.model));
    };
    let parts = explorer.parts(PARTS, &mut keep)?;
    let next = AtomicUsize::new(0);
    let mut done: BTreeMap<usize, Found> = BTreeMap::new();
    let (sender, receiver) = channel();
    thread::scope(|scope| {
        for _ in 0..config.jobs.min(parts.len()) {
            let (sender, parts, next) = (sender.clone(), &parts, &next);
            scope.spawn(move || {
                loop {
                    let number = next.fetch_add(1, Ordering::Relaxed);
                    let Some(part) = parts.get(number) else { break };
                    let found = explore_part(part, loaded, relation, config, until, &sender);
                    if sender.send(Message::Part(number, found)).is_err() {
                        break;
                    }
                }
            });
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
    until: Instant,
    sender: &Sender<Message>,
) -> Result<Found, Error> {
    let engine = loaded.engine(relation, config.limits)?;
    let limits = Limits { deadline: Some(until), max_depth: config.depth, ..Limits::default() };
    let mut explorer = Explorer::of_part(engine, solver(&config.solver, until), limits, part);
    let mut found = Found::default();
    while let Some(path) = explorer.next_path()? {
        found.cases.push(path.case(&explorer.engine.domain.terms, &path.model));
        // Whoever listens may have stopped because of an error elsewhere.
        let _ = sender.send(Message::Path);
    }
    found.coverage = explorer.coverage();
    found.reasons = explorer.reasons().clone();
    Ok(found)
}
