//! Which single changes of the subject's code make failing groups hold: such a change stands at the fault, or where its effect passes (Papadakis and
//! Le Traon, 2015; Moon, Kim, Kim and Yoo, 2014). A real mend leaves the answers of holding groups as they are.

use std::collections::BTreeMap;

use twinrun_base::{Budget, Case, Limits};
use twinrun_localize::lines::Lines;
use twinrun_localize::mend::{Config, Mended, Sample, mend};
use twinrun_testing::engine::WasmSubject;
use twinrun_testing::replay::Replay;
use twinrun_testing::target::{Build, Target};

use crate::error::Error;
use crate::trace::{Line, Watched};

/// How much is tried.
const TRIED: Config = Config { patches: 6000, violated: 12, screened: 3, held: 200, budget: None };
/// A changed group that takes so many times the work has gone astray.
const LONGER: u64 = 4;

/// The changes that mend some failing group.
#[derive(Default)]
pub(crate) struct Mends {
    lines: Lines,
    mended: Vec<Mended>,
}

impl Mends {
    /// For each line the change that mends best.
    pub(crate) fn best(&self, watched: &Watched<'_>) -> BTreeMap<Line, &Mended> {
        let files = &watched.subject().sites.files;
        let mut best: BTreeMap<Line, &Mended> = BTreeMap::new();
        for mended in &self.mended {
            let location = &self.lines.lines[mended.line as usize].location;
            let Some(file) = files.iter().position(|file| *file == location.file) else { continue };
            let known = best.entry((file as u32, location.line)).or_insert(mended);
            if mended.score() > known.score() {
                *known = mended;
            }
        }
        best
    }
}

/// Tries single changes of what the failing groups execute.
pub(crate) fn find(
    subject: &WasmSubject,
    relation: &str,
    limits: Limits,
    failing: &[Case],
    holding: &[&Case],
    until: Budget,
) -> Result<Mends, Error> {
    let lines = Lines::of(subject.modules());
    let target = subject.target(relation)?;
    let Some(mut executor) = target.executor(Build::Plain)? else { return Ok(Mends::default()) };
    let mut replay = Replay::default();
    let mut work = 0;
    let mut sample = |case: &Case| -> Result<Sample, Error> {
        work = work.max(executor.explain(case)?.group.work);
        replay.begin(case);
        executor.run(&mut replay)?;
        let slice = executor.touched().to_vec();
        Ok(Sample { relation: relation.to_owned(), case: case.clone(), slice })
    };
    let failing = failing.iter().map(&mut sample).collect::<Result<Vec<_>, _>>()?;
    let holding = holding.iter().map(|case| sample(case)).collect::<Result<Vec<_>, _>>()?;
    let order = lines.touched(failing.iter().map(|sample| sample.slice.as_slice()));
    let limits = Limits { work: (work * LONGER).clamp(1, limits.work), ..limits };
    let tried = Config { budget: Some(until), ..TRIED };
    let mended = mend(subject.modules(), &lines, limits, &order, (&failing, &holding), &tried)?;
    Ok(Mends { lines, mended })
}
