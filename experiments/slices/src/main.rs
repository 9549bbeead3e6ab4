//! `./x experiment slices [--only NAME,NAME] [--mutants N] [--hand N] [--pairs N] [--groups N] [--jobs N] [--time SECONDS]
//! [--relations]`: localisation without an
//! oracle on the nine programs of the published study, beside localisation with a perfect oracle.
//!
//! Stage 1 is a campaign: every fault is built, run and judged, its evidence journalled under `target/slices`; an interrupted
//! study goes on where it was. Stage 2 ranks by every method, from the journal alone.

mod analysis;
mod clusters;
mod judge;
mod methods;
mod pairs;
mod program;
mod runner;
mod suite;
mod tables;

use std::collections::BTreeMap;
use std::sync::Mutex;

use twinrun_base::Hash;
use twinrun_campaign::{Campaign, Halt};
use twinrun_results::{cpu_seconds, workspace_root};

use crate::analysis::Judged;
use crate::judge::{ALGORITHM, Outcome, State, Trial};
use crate::pairs::Search;
use crate::program::{CHOSEN_ON, REPORTED_ON, Workshop};
use crate::suite::Suite;

/// Killed mutants wanted of each program, beside the faults written by hand.
const WANTED: usize = 40;

struct Options {
    only: Option<Vec<String>>,
    mutants: usize,
    groups: usize,
    jobs: usize,
    hand: usize,
    pairs: usize,
    /// When no further fault is begun; what is recorded by then is the sample.
    until: Option<std::time::Instant>,
    relations: bool,
}

fn main() {
    let options = options();
    let names: Vec<&str> = CHOSEN_ON
        .iter()
        .chain(&REPORTED_ON)
        .copied()
        .filter(|name| options.only.as_ref().is_none_or(|only| only.iter().any(|it| it == name)))
        .collect();
    let result = if options.relations { check_relations(&names) } else { study(&names, &options) };
    if let Err(message) = result {
        eprintln!("error: {message}");
        std::process::exit(3);
    }
}

fn text(error: impl ToString) -> String {
    error.to_string()
}

/// Runs 10,000 groups of every relation on the correct versions.
fn check_relations(names: &[&str]) -> Result<(), String> {
    let workshop = Workshop::new(0).map_err(text)?;
    for name in names {
        let modules = workshop.build(name, None).map_err(text)?.ok_or(format!("{name} cannot be built"))?;
        let suite = Suite::new(modules, 10_000, 7).map_err(text)?;
        let lines: usize = program::line_counts(name).values().sum();
        println!(
            "{name}: {lines} lines, {} relations, {} holding groups, {} violated",
            suite.relations.len(),
            suite.groups.len(),
            suite.violated
        );
    }
    Ok(())
}

fn study(names: &[&str], options: &Options) -> Result<(), String> {
    let began = cpu_seconds();
    let workers = if options.jobs == 0 {
        std::thread::available_parallelism().map_or(1, usize::from)
    } else {
        options.jobs
    };
    let workshops: Vec<Workshop> = (0..workers).map(Workshop::new).collect::<Result<_, _>>().map_err(text)?;
    let free = Mutex::new((0..workers).collect::<Vec<usize>>());
    let mut campaign =
        Campaign::open(workspace_root().join("target/slices/journal"), "slices").map_err(text)?;
    let mut judged: BTreeMap<String, Vec<Judged>> = BTreeMap::new();
    let mut two_faults: Vec<Vec<Search>> = Vec::new();
    for name in names {
        let modules =
            workshops[0].build(name, None).map_err(text)?.ok_or(format!("{name} cannot be built"))?;
        let suite = Suite::new(modules, options.groups, 1).map_err(text)?;
        if suite.violated > 0 {
            return Err(format!("{name}: {} groups of the correct version are violated", suite.violated));
        }
        let relations = twinrun_jit::Compiled::new(
            &suite.modules.relations.bytes,
            &suite.modules.relations.sites,
            &judge::config(&suite),
        )
        .map_err(text)?;
        let sources = Hash::of([
            &suite.modules.relations.hash.to_string(),
            &suite.modules.programs[0].1.hash.to_string(),
        ]);
        let trial = |fault: program::Fault| Trial {
            algorithm: ALGORITHM,
            program: (*name).to_owned(),
            sources: sources.to_string(),
            fault,
            groups: options.groups,
            seed: 1,
        };
        let work = |trial: &Trial, _: &twinrun_campaign::Context<'_>| -> Result<Outcome, Halt> {
            let number = free.lock().unwrap_or_else(std::sync::PoisonError::into_inner).pop().unwrap_or(0);
            let modules = workshops[number].build(&trial.program, Some(&trial.fault));
            let outcome = modules.map_err(|error| error.to_string()).and_then(|modules| {
                judge::judge(&suite, &relations, modules, &trial.fault).map_err(|error| error.to_string())
            });
            free.lock().unwrap_or_else(std::sync::PoisonError::into_inner).push(number);
            outcome.map_err(Halt::Failed)
        };
        let mut mutants = program::mutants(name).into_iter();
        let mut faults: Vec<program::Fault> = program::hand_faults(name);
        faults.truncate(options.hand);
        let mut results: Vec<Judged> = Vec::new();
        let mut killed = 0;
        let wanted = options.mutants;
        // Hand-written faults first, then mutants until enough are killed.
        loop {
            let trials: Vec<Trial> = faults.drain(..).map(trial).collect();
            let mut progress = twinrun_report::Progress::lines(std::io::stderr(), 10_000);
            let config = twinrun_campaign::Config { workers, deadline: options.until, ..Default::default() };
            let outcome =
                campaign.run(&trials, &config, work, |event| progress.event(event)).map_err(text)?;
            for (index, entry) in outcome.finished() {
                let trial = &trials[index];
                killed += usize::from(!trial.fault.hand && entry.state == State::Killed);
                results.push(Judged::new(trial, entry));
            }
            if killed >= wanted {
                break;
            }
            faults.extend(mutants.by_ref().take(((wanted - killed) * 3 / 2).max(4)));
            if faults.is_empty() {
                break;
            }
        }
        let singles = results.iter().filter(|it| it.detected && !it.hand).map(|it| it.fault.clone());
        let singles: Vec<program::Fault> = singles.collect();
        let trials: Vec<Trial> = pairs::pairs(&singles, options.pairs).into_iter().map(trial).collect();
        let mut progress = twinrun_report::Progress::lines(std::io::stderr(), 10_000);
        let config = twinrun_campaign::Config { workers, deadline: options.until, ..Default::default() };
        let outcome = campaign.run(&trials, &config, work, |event| progress.event(event)).map_err(text)?;
        let found = outcome.finished().filter(|(_, entry)| entry.evidence.violations() > 0);
        two_faults.extend(found.map(|(_, entry)| pairs::searches(entry)));
        eprintln!("{name}: {killed} mutants killed; {:.0} s of CPU so far", cpu_seconds() - began);
        judged.insert((*name).to_owned(), results);
    }
    tables::write(&judged, &two_faults, cpu_seconds() - began)
}

fn options() -> Options {
    let mut options = Options {
        only: None,
        mutants: WANTED,
        groups: 100,
        jobs: 0,
        hand: usize::MAX,
        pairs: 12,
        until: None,
        relations: false,
    };
    let mut arguments = std::env::args().skip(1);
    while let Some(argument) = arguments.next() {
        let mut value = || arguments.next().unwrap_or_default();
        match argument.as_str() {
            "--only" => options.only = Some(value().split(',').map(str::to_owned).collect()),
            "--mutants" => options.mutants = value().parse().unwrap_or(options.mutants),
            "--groups" => options.groups = value().parse().unwrap_or(options.groups),
            "--jobs" => options.jobs = value().parse().unwrap_or(options.jobs),
            "--hand" => options.hand = value().parse().unwrap_or(options.hand),
            "--pairs" => options.pairs = value().parse().unwrap_or(options.pairs),
            "--time" => {
                let seconds = value().parse().unwrap_or(0);
                options.until = Some(std::time::Instant::now() + std::time::Duration::from_secs(seconds));
            }
            "--relations" => options.relations = true,
            _ => {}
        }
    }
    options
}
