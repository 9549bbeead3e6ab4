//! The cases that edits are judged by: drawn once, run once as they are, then again and again under edits.

use std::collections::{BTreeMap, BTreeSet};

use twinrun_base::{Case, Rng, Verdict};
use twinrun_subject::Module;
use twinrun_testing::engine::{Modules, WasmSubject};
use twinrun_testing::executor::ExecuteError;
use twinrun_testing::generate::Generator;
use twinrun_testing::target::{Build, Target as _};

use crate::bench::{Answer, Bench};
use crate::repair::Config;

/// A case with what it gives without an edit.
#[derive(Clone, Debug)]
pub struct Stored {
    /// The relation.
    pub relation: String,
    /// The case.
    pub case: Case,
    /// What it gives.
    pub answer: Answer,
}

/// Cases of all relations.
#[derive(Clone, Debug, Default)]
pub struct Cases {
    /// Those that fail: violated, crashed or without an end; the quickest first.
    pub failing: Vec<Stored>,
    /// Those that hold, in the order in which they were drawn.
    pub holding: Vec<Stored>,
    /// Relations of which a case fails.
    pub violated: Vec<String>,
}

/// Whether a verdict is a failure.
pub fn fails(verdict: Verdict) -> bool {
    matches!(verdict, Verdict::Violated | Verdict::Crashed | Verdict::Timeout)
}

/// How many cases are drawn, and how many of each relation are kept.
#[derive(Clone, Copy, Debug)]
pub struct Amount {
    /// Drawn.
    pub drawn: u64,
    /// Failing ones that are kept.
    pub failing: usize,
    /// Holding ones that are kept.
    pub holding: usize,
}

impl Cases {
    /// The given cases and drawn ones of these relations.
    ///
    /// # Errors
    /// When the engine cannot answer.
    pub fn draw(
        bench: &mut Bench,
        relations: &[String],
        dictionary: &[i64],
        config: &Config,
    ) -> Result<Cases, ExecuteError> {
        let Amount { drawn, failing: most_failing, holding: most_holding } = config.amount;
        let mut cases = Cases::default();
        for relation in relations {
            let mut generator = Generator::new(Rng::new(config.seed), dictionary);
            let (mut failing, mut holding): (Vec<Stored>, Vec<Stored>) = (Vec::new(), Vec::new());
            let mut keep = |case: Case, answer: Answer| {
                let (kept, most) = match answer.verdict {
                    Verdict::Holds => (&mut holding, most_holding),
                    verdict if fails(verdict) => (&mut failing, most_failing),
                    _ => return,
                };
                if kept.len() < most && kept.iter().all(|it| it.case != case) {
                    kept.push(Stored { relation: relation.clone(), case, answer });
                }
            };
            for (_, case) in config.given.iter().filter(|(of, _)| of == relation) {
                let answer = bench.run(relation, case)?;
                keep(case.clone(), answer);
            }
            for _ in 0..drawn {
                if twinrun_base::cut::is_requested() {
                    break;
                }
                generator.begin(&[]);
                let answer = bench.draw(relation, &mut generator)?;
                keep(generator.case(), answer);
            }
            if !failing.is_empty() {
                cases.violated.push(relation.clone());
            }
            cases.failing.extend(failing);
            cases.holding.extend(holding);
        }
        cases.failing.sort_by_key(|stored| stored.answer.work);
        Ok(cases)
    }

    /// All of them, failing ones first.
    pub fn all(&self) -> impl Iterator<Item = &Stored> {
        self.failing.iter().chain(&self.holding)
    }
}

/// How often failing and passing cases run each line of user code.
#[derive(Clone, Debug, Default)]
pub struct Executed {
    lines: BTreeMap<(String, u32), (u32, u32)>,
    failing: u32,
    passing: u32,
}

impl Executed {
    /// Whether a failing case runs the line.
    pub fn fails(&self, file: &str, line: u32) -> bool {
        self.lines.get(&(file.to_owned(), line)).is_some_and(|(failing, _)| *failing > 0)
    }

    /// All lines that a failing case runs, by file and number.
    pub fn failing_lines(&self) -> impl Iterator<Item = (&str, u32)> {
        let fails = self.lines.iter().filter(|(_, (failing, _))| *failing > 0);
        fails.map(|((file, line), _)| (file.as_str(), *line))
    }

    /// The shares of failing and of passing cases that run the line.
    pub fn shares(&self, file: &str, line: u32) -> (f64, f64) {
        let (failing, passing) = self.lines.get(&(file.to_owned(), line)).copied().unwrap_or_default();
        (
            f64::from(failing) / f64::from(self.failing.max(1)),
            f64::from(passing) / f64::from(self.passing.max(1)),
        )
    }

    /// Op2 (Naish, Lee and Ramamohanarao, 2011) as shares: what failing cases run, less what passing ones do.
    pub fn suspicion(&self, file: &str, line: u32) -> f64 {
        let Some((failing, passing)) = self.lines.get(&(file.to_owned(), line)) else { return -1.0 };
        f64::from(*failing) / f64::from(self.failing.max(1))
            - f64::from(*passing) / f64::from(self.passing + 1)
    }
}

/// What some of the cases run: so many of each kind, evenly.
///
/// # Errors
/// When the engine cannot answer.
pub fn executed(subject: &WasmSubject, cases: &Cases, most: usize) -> Result<Executed, ExecuteError> {
    let mut executed = Executed::default();
    for (stored, fails) in [(&cases.failing, true), (&cases.holding, false)] {
        for stored in stored.iter().step_by(stored.len().div_ceil(most.max(1)).max(1)) {
            let target = subject.target(&stored.relation)?;
            let Some(mut executor) = target.executor(Build::Plain)? else { continue };
            let mut lines = BTreeSet::new();
            for block in executor.explain(&stored.case)?.coverage.into_iter().flatten() {
                let Some((module, block)) = located(subject.modules(), block as usize) else { continue };
                let Some(block) = module.sites.blocks.get(block) else { continue };
                for place in block.places.iter().filter(|place| module.user_file(place.file)) {
                    let location = module.sites.location(*place);
                    lines.insert((location.file, location.line));
                }
            }
            *(if fails { &mut executed.failing } else { &mut executed.passing }) += 1;
            for line in lines {
                let (failing, passing) = executed.lines.entry(line).or_default();
                *(if fails { failing } else { passing }) += 1;
            }
        }
    }
    Ok(executed)
}

/// The module of a block in the numbering over all modules: each begins at a multiple of 64.
fn located(modules: &Modules, block: usize) -> Option<(&Module, usize)> {
    let mut begin = 0;
    for module in std::iter::once(&modules.relations).chain(modules.programs.iter().map(|(_, module)| module))
    {
        let next = begin + module.sites.blocks.len().next_multiple_of(64);
        if block < next {
            return Some((module, block - begin));
        }
        begin = next;
    }
    None
}
