//! `./x experiment determinism [--time SECONDS] [--only NAME] [--commands test,prove] [--without-load] [--every N] [--sample] [--hostile-only] [--dump FOLDER]`: the same answers for
//! any number of threads and at any load, and cuts that are heard in time.
//!
//! Every example and every program of the debugging study, with `test`, `locate`, `debug`, `prove` and `hunt`, on 1, 2 and 8 threads and once
//! more on 2 beside eight busy processes: the JSON must agree byte for byte but for the listed time fields. Then modules that do their worst,
//! each with every command under `--time 2s`: how late they end, and whether something breaks. Resumable: what is in the journal is not done
//! again; `--time` ends a slice. With `--sample` each project has one of the commands in turn, in an order of which any first part is a fair sample, and what is done by
//! the end of the slice is written. `--dump` only writes the hostile modules, each as a project.

mod hostile;
mod runs;

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::{Duration, Instant};

use serde::{Deserialize, Serialize};
use serde_json::json;
use twinrun_base::Hash;
use twinrun_campaign::{Campaign, Config, Halt, Job, What};
use twinrun_results::{Results, workspace_root};

use runs::{Busy, Failure, Workplace};

const COMMANDS: [&str; 5] = ["test", "locate", "debug", "prove", "hunt"];
/// The time that hostile modules are given, and what they may need beyond it.
const GIVEN: f64 = 2.0;
const LATE: f64 = 2.0;
/// A run that takes longer than this is ended and counts as different.
const MOST: Duration = Duration::from_secs(3600);

/// One piece of the study.
#[derive(Clone, Debug, Serialize, Deserialize)]
struct Piece {
    /// The version of the study.
    study: u32,
    /// Of the tool.
    tool: String,
    what: Kind,
    command: String,
}

#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
enum Kind {
    /// A project, below the workspace.
    Project { path: String, load: bool },
    /// A hostile module.
    Hostile { name: String },
}

impl Job for Piece {
    fn label(&self) -> String {
        format!("{} {}", self.command, self.name())
    }
}

impl Piece {
    fn name(&self) -> &str {
        match &self.what {
            Kind::Project { path, .. } => path,
            Kind::Hostile { name } => name,
        }
    }
}

/// What a piece gave.
#[derive(Clone, Debug, Serialize, Deserialize)]
struct Outcome {
    runs: u64,
    different: u64,
    panics: u64,
    /// Seconds beyond the time that was given.
    late: f64,
    /// The time of the first run.
    seconds: f64,
}

struct Options {
    time: Option<Duration>,
    only: Option<String>,
    commands: Vec<String>,
    load: bool,
    projects: bool,
    dump: Option<PathBuf>,
    every: usize,
    sample: bool,
}

fn main() -> Result<(), Failure> {
    if std::env::args().nth(1).as_deref() == Some("--busy") {
        Busy::work();
        return Ok(());
    }
    let options = options()?;
    if let Some(folder) = &options.dump {
        for hostile in hostile::modules() {
            Workplace::of_module(&wat::parse_str(&hostile.text)?, &folder.join(hostile.name))?;
        }
        return Ok(());
    }
    let root = workspace_root();
    let built =
        Command::new("cargo").args(["build", "--quiet", "--bin", "twinrun"]).current_dir(&root).status()?;
    if !built.success() {
        return Err("twinrun does not build".into());
    }
    let tool = root.join("target/debug/twinrun");
    let mut all = pieces(&root, &tool, options.every)?;
    if options.sample {
        all = sampled(all);
    }
    let chosen: Vec<Piece> = all.iter().filter(|piece| wanted(piece, &options)).cloned().collect();
    let scratch = root.join("target/determinism");
    let mut campaign = Campaign::open(scratch.join("journal.db"), "determinism")?;
    let config = Config {
        // Times are measured, and load is made: one at a time.
        workers: 1,
        deadline: options.time.map(|time| Instant::now() + time),
        retry_failed: true,
        ..Config::default()
    };
    let work = |piece: &Piece, _: &twinrun_campaign::Context<'_>| {
        attend(piece, &root, &tool, &scratch).map_err(|error| Halt::Failed(error.to_string()))
    };
    let outcome = campaign.run(&chosen, &config, work, |event| match &event.what {
        What::Finished { job, result, recorded: false, .. } => println!("{}: {result}", chosen[*job].label()),
        What::Failed { job, message, .. } => println!("{}: {message}", chosen[*job].label()),
        _ => {}
    })?;
    let done: Vec<(&Piece, &Outcome)> =
        outcome.finished().map(|(job, result)| (&chosen[job], result)).collect();
    let mut results = table(&done, options.every);
    if options.sample {
        results.notes.push(format!(
            "A sample: {} of {} pieces: of the hostile modules one command each, then of the projects, from places spread over all of them, one command each in turn, every \
             third one beside busy processes too. The rows say which.",
            done.len(),
            all.len()
        ));
    }
    println!("{}", results.markdown());
    if done.len() == all.len() || options.sample {
        println!("written: {}", results.write()?.display());
    } else {
        println!(
            "{} of {} pieces are done: nothing is written; run it again to go on",
            done.len(),
            all.len()
        );
    }
    Ok(())
}

fn wanted(piece: &Piece, options: &Options) -> bool {
    let kind = match &piece.what {
        Kind::Project { load, .. } => options.projects && (options.load || !load),
        Kind::Hostile { .. } => true,
    };
    let only = options.only.as_ref().is_none_or(|only| piece.name().contains(only.as_str()));
    kind && only && (options.commands.is_empty() || options.commands.contains(&piece.command))
}

/// All pieces, projects first; of projects and of hostile modules each so many-th.
fn pieces(root: &Path, tool: &Path, every: usize) -> Result<Vec<Piece>, Failure> {
    // Not its version: another binary makes what was recorded void.
    let tool = Hash::of([fs::read(tool)?]).to_string();
    let mut all = Vec::new();
    let add = |all: &mut Vec<Piece>, what: Kind| {
        all.extend(COMMANDS.map(|command| Piece {
            study: 1,
            tool: tool.clone(),
            what: what.clone(),
            command: command.to_owned(),
        }));
    };
    for folder in ["examples", "subjects/comedy"] {
        let mut projects: Vec<PathBuf> = fs::read_dir(root.join(folder))?
            .map(|entry| Ok(entry?.path()))
            .collect::<Result<_, Failure>>()?;
        projects.retain(|path| path.join("twinrun.toml").exists());
        projects.sort();
        for (number, project) in projects.iter().enumerate().step_by(every) {
            let name =
                project.file_name().map(|name| name.to_string_lossy().into_owned()).unwrap_or_default();
            add(&mut all, Kind::Project { path: format!("{folder}/{name}"), load: false });
            // Beside busy processes everything takes five times as long: every third project.
            if (number / every).is_multiple_of(3) {
                add(&mut all, Kind::Project { path: format!("{folder}/{name}"), load: true });
            }
        }
    }
    let projects = all.len();
    for hostile in hostile::modules() {
        add(&mut all, Kind::Hostile { name: hostile.name });
    }
    // In a sample every module is there, with one of the commands.
    let hostile = all.split_off(projects);
    let chosen = hostile.into_iter().enumerate().filter(|(number, _)| {
        let (module, command) = (number / COMMANDS.len(), number % COMMANDS.len());
        every == 1 || module % COMMANDS.len() == command
    });
    all.extend(chosen.map(|(_, piece)| piece));
    Ok(all)
}

/// Each module and each project with one of the commands, projects from all over the list first.
fn sampled(all: Vec<Piece>) -> Vec<Piece> {
    let turns = |kind: fn(&Kind) -> bool| -> Vec<Piece> {
        let own: Vec<Piece> = all.iter().filter(|piece| kind(&piece.what)).cloned().collect();
        let chosen = own.chunks(COMMANDS.len()).enumerate();
        chosen.filter_map(|(place, commands)| commands.get(place % COMMANDS.len()).cloned()).collect()
    };
    let mut hostile = turns(|kind| matches!(kind, Kind::Hostile { .. }));
    let plain = turns(|kind| matches!(kind, Kind::Project { load: false, .. }));
    let mut load = turns(|kind| matches!(kind, Kind::Project { load: true, .. })).into_iter();
    // A step that has no divisor in common with the number of projects reaches each once.
    let step = (7..).find(|step| (2..=*step).all(|by| step % by != 0 || plain.len() % by != 0)).unwrap_or(1);
    for number in 0..plain.len() {
        hostile.push(plain[number * step % plain.len()].clone());
        if number % 3 == 2 {
            hostile.extend(load.next());
        }
    }
    hostile.extend(load);
    hostile
}

fn attend(piece: &Piece, root: &Path, tool: &Path, scratch: &Path) -> Result<Outcome, Failure> {
    match &piece.what {
        Kind::Project { path, load } => compare(piece, &root.join(path), *load, tool, scratch),
        Kind::Hostile { name } => {
            let all = hostile::modules();
            let hostile = all.iter().find(|it| it.name == *name).ok_or("it is gone")?;
            let place = Workplace::of_module(&wat::parse_str(&hostile.text)?, &scratch.join("hostile"))?;
            let time = format!("{GIVEN}s");
            let mut outcome = Outcome { runs: 0, different: 0, panics: 0, late: 0.0, seconds: 0.0 };
            for line in place.lines(&piece.command) {
                let run = place.run(tool, &line, &["--time", &time], Duration::from_secs(60))?;
                outcome.runs += 1;
                outcome.panics += u64::from(run.panicked());
                outcome.late = outcome.late.max(run.seconds - GIVEN);
                outcome.seconds += run.seconds;
            }
            Ok(outcome)
        }
    }
}

/// The same command on 1, 2 and 8 threads, or on 1 and on 2 beside busy processes.
fn compare(
    piece: &Piece,
    project: &Path,
    load: bool,
    tool: &Path,
    scratch: &Path,
) -> Result<Outcome, Failure> {
    let place = Workplace::copy(project, &scratch.join("project"))?;
    let mut outcome = Outcome { runs: 0, different: 0, panics: 0, late: 0.0, seconds: 0.0 };
    for line in place.lines(&piece.command) {
        // Debugging runs on one thread; it is repeated instead.
        let jobs = |count: usize| {
            if piece.command == "debug" { vec![] } else { vec!["--jobs".to_owned(), count.to_string()] }
        };
        let mut first: Option<String> = None;
        for count in if load { &[2, 2][..] } else { &[1, 2, 8][..] } {
            let busy = (load && first.is_some()).then(|| Busy::start(8)).transpose()?;
            let more = jobs(*count);
            let more: Vec<&str> = more.iter().map(String::as_str).collect();
            let run = place.run(tool, &line, &more, MOST)?;
            drop(busy);
            outcome.runs += 1;
            outcome.panics += u64::from(run.panicked());
            let essence = run.essence();
            match &first {
                None => {
                    outcome.seconds += run.seconds;
                    first = Some(essence);
                }
                Some(first) if *first == essence && run.code.is_some() => {}
                Some(first) => {
                    outcome.different += 1;
                    let name = format!("{} {} {count}", piece.command, piece.name()).replace(['/', ' '], "-");
                    fs::write(scratch.join(format!("{name}.first")), first)?;
                    fs::write(scratch.join(format!("{name}.other")), &essence)?;
                }
            }
        }
    }
    Ok(outcome)
}

fn table(done: &[(&Piece, &Outcome)], every: usize) -> Results {
    let mut results = Results::new("determinism");
    results.notes.push(format!(
        "Projects: `test --cases 2000`, `locate`, `debug`, `prove` and `hunt --cases 1000` of every example and every program of the debugging \
         study on 1, 2 and 8 threads (`debug` has one thread and is run three times); every third project once more, on 2 threads alone and beside \
         eight busy processes. The JSON is compared byte for byte without the fields {:?}. Hostile modules: the same commands with `--time 2s`; \
         `late` is the time beyond two seconds from start to end of the process.",
        twinrun_base::report::TIME_FIELDS
    ));
    results.notes.push("The development build, with overflow checks.".to_owned());
    if every > 1 {
        results.notes.push(format!(
            "A sample: of the projects in the order of their names one in {every}, beside busy processes one in {}; of the hostile modules all, each with one of the commands.",
            3 * every
        ));
    }
    let hostile = |piece: &Piece| matches!(piece.what, Kind::Hostile { .. });
    let mut names: Vec<&str> =
        done.iter().filter(|(piece, _)| hostile(piece)).map(|(piece, _)| piece.name()).collect();
    names.sort_unstable();
    names.dedup();
    let late = || done.iter().filter(|(piece, _)| hostile(piece)).map(|(_, outcome)| outcome.late.max(0.0));
    results.total("runs", done.iter().map(|(_, outcome)| outcome.runs).sum::<u64>());
    results.total("different", done.iter().map(|(_, outcome)| outcome.different).sum::<u64>());
    results.total("late_seconds_max", (late().fold(0.0, f64::max) * 1000.0).round() / 1000.0);
    results.total("hostile_modules", names.len());
    results.total("hostile_late", late().filter(|late| *late > LATE).count());
    results.total("panics", done.iter().map(|(_, outcome)| outcome.panics).sum::<u64>());
    for (piece, outcome) in done {
        let load = matches!(piece.what, Kind::Project { load: true, .. });
        results.row(&json!({
            "what": piece.name(),
            "command": piece.command,
            "load": load,
            "runs": outcome.runs,
            "different": outcome.different,
            "panics": outcome.panics,
            "late": (outcome.late.max(0.0) * 1000.0).round() / 1000.0,
            "seconds": (outcome.seconds * 100.0).round() / 100.0,
        }));
    }
    results
}

fn options() -> Result<Options, Failure> {
    let mut options = Options {
        time: None,
        only: None,
        commands: Vec::new(),
        load: true,
        projects: true,
        dump: None,
        every: 1,
        sample: false,
    };
    let mut arguments = std::env::args().skip(1);
    while let Some(argument) = arguments.next() {
        let mut value = || arguments.next().ok_or(format!("{argument} needs a value"));
        match argument.as_str() {
            "experiment" => {}
            "--time" => options.time = Some(Duration::from_secs(value()?.parse()?)),
            "--only" => options.only = Some(value()?),
            "--commands" => options.commands = value()?.split(',').map(str::to_owned).collect(),
            "--without-load" => options.load = false,
            "--dump" => options.dump = Some(value()?.into()),
            "--every" => options.every = value()?.parse::<usize>()?.max(1),
            "--sample" => options.sample = true,
            "--hostile-only" => options.projects = false,
            other => {
                return Err(format!(
                    "unknown option {other}; there are --time SECONDS, --only NAME, --commands A,B, --without-load, --every N, --sample, --hostile-only, --dump FOLDER"
                )
                .into());
            }
        }
    }
    Ok(options)
}
