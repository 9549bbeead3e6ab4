//! Noticing: which lines could be wrong without any relation being violated?
//!
//! Single changes of instructions, as for mending, are tried on holding groups. A change that alters the answer of some run and
//! leaves every group holding goes unnoticed; a line whose changes all go unnoticed is blind. It is mutation analysis without
//! building mutants: all changes are compiled in once.

use serde::{Deserialize, Serialize};
use twinrun_base::{Limits, Location, Verdict};
use twinrun_jit::patch::patches;
use twinrun_testing::engine::Modules;
use twinrun_testing::executor::ExecuteError;

use crate::gather::Gathered;
use crate::mend::{Bench, line_of, sample, subject_proper};
use crate::report::words;

/// How much is tried.
#[derive(Clone, Copy, Debug)]
pub struct Config {
    /// Changes on one line, spread over what can be changed there.
    pub per_line: usize,
    /// Holding groups that run the changed block and are tried.
    pub groups: usize,
}

impl Default for Config {
    fn default() -> Config {
        Config { per_line: 6, groups: 24 }
    }
}

/// What the relations notice in a subject.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Noticed {
    /// Changes that alter an answer or end in a crash or time-out.
    pub tried: u64,
    /// Of these, changes that violate a group, crash or do not end.
    pub noticed: u64,
    /// Lines with code, and of these lines that some group runs.
    pub lines: u64,
    /// See `lines`.
    pub run: u64,
    /// Lines on which changes alter answers and none is noticed, in source order.
    pub blind: Vec<Blind>,
    /// All changes were tried; otherwise time was short.
    pub complete: bool,
}

/// A line where no relation notices anything.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Blind {
    /// Where.
    pub location: Location,
    /// Changes there that alter an answer.
    pub changes: u32,
    /// One of them in words.
    pub example: String,
}

/// Tries changes on the gathered holding groups until all are done or `late` says so.
///
/// # Errors
/// When the engine cannot answer.
pub fn notice(
    modules: &Modules,
    limits: Limits,
    gathered: &Gathered,
    config: &Config,
    late: &dyn Fn() -> bool,
) -> Result<Noticed, ExecuteError> {
    let lines = &gathered.evidence.lines;
    let (module, first) = subject_proper(modules);
    let samples = sample(gathered, false);
    let run = lines.touched(samples.iter().map(|sample| sample.slice.as_slice()));
    let mut runs = vec![false; lines.lines.len()];
    run.iter().flat_map(|block| &lines.blocks[*block]).for_each(|line| runs[*line as usize] = true);
    let found = patches(&module.bytes, &module.sites, &|block| run.binary_search(&(block + first)).is_ok())
        .map_err(ExecuteError::new)?;
    let mut by_line: Vec<Vec<_>> = vec![Vec::new(); lines.lines.len()];
    for (block, patch) in found {
        if let Some(line) = line_of(module, lines, patch.offset, block + first) {
            by_line[line as usize].push((block + first, patch));
        }
    }
    // Spread over the line, so that not all are changes of its first instruction.
    let spread = |(line, all): (usize, Vec<_>)| {
        let step = all.len().div_ceil(config.per_line).max(1);
        all.into_iter().step_by(step).map(move |(block, patch)| (line, block, patch)).collect::<Vec<_>>()
    };
    let chosen: Vec<(usize, usize, twinrun_jit::patch::Patch)> =
        by_line.into_iter().enumerate().flat_map(spread).collect();
    let mut bench = Bench::new(modules, limits, chosen.iter().map(|(_, _, patch)| *patch).collect())?;
    let holding = bench.baseline(&samples, Verdict::Holds, usize::MAX)?;
    let mut noticed = Noticed {
        lines: lines.lines.len() as u64,
        run: runs.iter().filter(|run| **run).count() as u64,
        complete: true,
        ..Noticed::default()
    };
    let mut of_line: Vec<(u32, u32, String)> = vec![(0, 0, String::new()); lines.lines.len()];
    for (number, (line, block, patch)) in chosen.iter().enumerate() {
        if late() {
            noticed.complete = false;
            break;
        }
        bench.patched.activate(Some(number));
        let (mut seen, mut altered) = (false, false);
        for sample in holding.iter().filter(|sample| sample.touches(*block)).take(config.groups) {
            let (verdict, answers) = bench.run(&sample.case)?;
            match verdict {
                Verdict::Holds => altered |= answers != sample.answers,
                Verdict::Discarded => {}
                Verdict::Violated | Verdict::Crashed | Verdict::Timeout => seen = true,
            }
            if seen {
                break;
            }
        }
        if seen || altered {
            let (tried, caught, example) = &mut of_line[*line];
            *tried += 1;
            *caught += u32::from(seen);
            if !seen && example.is_empty() {
                *example = words(patch.change);
            }
        }
    }
    bench.patched.activate(None);
    for (line, (tried, caught, example)) in lines.lines.iter().zip(of_line) {
        noticed.tried += u64::from(tried);
        noticed.noticed += u64::from(caught);
        if tried > 0 && caught == 0 {
            noticed.blind.push(Blind { location: line.location.clone(), changes: tried, example });
        }
    }
    Ok(noticed)
}
