//! `./x experiment verdict [--every N] [--variants N] [--time SECONDS] [--only PROGRAM] [--dump FILE]`: what a hunt says, on mutants and on faults written by hand.
//!
//! The faults of the programs of two studies (`comedy`, `slices`) are hunted as a user would. The model is fitted on one half of the programs and reported on the
//! other. Every so manieth fault is hunted again with no edit that gives the original text back, and again with relations that name no outputs. The study is
//! resumable: what is in the journal is not done again; `--time` ends a slice of it.

mod fit;
mod program;
mod study;
mod tables;

use std::error::Error;
use std::path::PathBuf;
use std::sync::{Mutex, PoisonError};
use std::time::{Duration, Instant};

use twinrun_campaign::{Campaign, Config, Halt};
use twinrun_report::Progress;
use twinrun_results::{cpu_seconds, workspace_root};
use twinrun_solve::Program as Solver;

use program::{Program, Workshop, faults, programs};
use study::{Studied, Trial, VERSION, Variant, study};
use tables::Judged;

struct Options {
    only: Vec<String>,
    time: Option<Duration>,
    every: usize,
    variants: usize,
    dump: Option<PathBuf>,
}

fn main() -> Result<(), Box<dyn Error>> {
    let options = options()?;
    let root = workspace_root();
    let solver = Solver::find(&root)?;
    let wanted =
        |program: &Program| options.only.is_empty() || options.only.iter().any(|it| it == program.name);
    let programs: Vec<Program> = programs().into_iter().filter(wanted).collect();
    let mut trials: Vec<(usize, Trial)> = Vec::new();
    for (index, program) in programs.iter().enumerate() {
        for (turn, fault) in faults(program, options.every).into_iter().enumerate() {
            let trial = |variant| Trial {
                version: VERSION,
                study: program.study.to_owned(),
                program: program.name.to_owned(),
                variant,
                fault: fault.clone(),
            };
            trials.push((turn * 1000 + index, trial(Variant::Plain)));
            // The programs begin at different turns.
            if options.variants > 0 && (turn + index).is_multiple_of(options.variants) {
                trials.push((turn * 1000 + index, trial(Variant::InverseOff)));
                // Whole programs print: there is nothing to name.
                if program.study == "comedy" {
                    trials.push((turn * 1000 + index, trial(Variant::WithoutOutput)));
                }
            }
        }
    }
    // All programs in turn, so that every slice of the study tells something of each.
    trials.sort_by_key(|(turn, _)| *turn);
    let trials: Vec<Trial> = trials.into_iter().map(|(_, trial)| trial).collect();
    let workshops = Mutex::new([Workshop::new(0, false)?, Workshop::new(0, true)?]);
    let mut campaign = Campaign::open(root.join("target/verdict/journal"), "verdict")?;
    let config = Config {
        workers: 1,
        deadline: options.time.map(|time| Instant::now() + time),
        retry_failed: true,
        ..Config::default()
    };
    let find = |trial: &Trial| programs.iter().find(|it| it.study == trial.study && it.name == trial.program);
    let began = cpu_seconds();
    let mut progress = Progress::lines(std::io::stderr(), 20_000);
    let work = |trial: &Trial, _: &twinrun_campaign::Context<'_>| -> Result<Studied, Halt> {
        let program = find(trial).ok_or_else(|| Halt::Failed("its program is gone".to_owned()))?;
        let workshops = workshops.lock().unwrap_or_else(PoisonError::into_inner);
        let workshop = &workshops[usize::from(trial.variant == Variant::WithoutOutput)];
        study(trial, program, workshop, &solver).map_err(Halt::Failed)
    };
    let outcome = campaign.run(&trials, &config, work, |event| progress.event(event))?;
    for (index, message) in outcome.failed() {
        eprintln!("{} {}: {message}", trials[index].program, trials[index].fault.name);
    }
    let judged: Vec<Judged<'_>> = outcome
        .finished()
        .filter_map(|(index, studied)| Some((find(&trials[index])?, &trials[index], studied.told())))
        .collect();
    if let Some(path) = &options.dump {
        let lines: Result<Vec<String>, _> = outcome
            .finished()
            .map(|(index, studied)| serde_json::to_string(&(&trials[index], studied, studied.told().lines)))
            .collect();
        std::fs::write(path, lines?.join("\n") + "\n")?;
    }
    eprintln!("{} of {} faults are done", judged.len(), trials.len());
    let table = tables::results(&judged, options.every, cpu_seconds() - began);
    println!("{}", table.markdown());
    if judged.len() == trials.len() && options.only.is_empty() {
        eprintln!("{}", table.write()?.display());
    } else {
        eprintln!("the study is not complete: nothing is written; run it again to go on");
    }
    Ok(())
}

fn options() -> Result<Options, Box<dyn Error>> {
    let mut options = Options { only: Vec::new(), time: None, every: 20, variants: 3, dump: None };
    let mut words = std::env::args().skip(1).filter(|word| word != "experiment");
    while let Some(word) = words.next() {
        let mut value = || words.next().ok_or_else(|| format!("{word} needs a value"));
        match word.as_str() {
            "--only" => options.only.push(value()?),
            "--time" => options.time = Some(Duration::from_secs(value()?.parse()?)),
            "--every" => options.every = value()?.parse::<usize>()?.max(1),
            "--variants" => options.variants = value()?.parse()?,
            "--dump" => options.dump = Some(value()?.into()),
            other => {
                return Err(format!(
                    "unknown option {other}; there are --only PROGRAM, --time SECONDS, --every N, --variants N, --dump FILE"
                )
                .into());
            }
        }
    }
    Ok(options)
}
