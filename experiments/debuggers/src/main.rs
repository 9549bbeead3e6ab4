//! The study of debuggers: random campaigns against several versions of V8's debugger, Chromium, lldb-dap and debugpy.
//!
//! Usage: `twinrun-experiment-debuggers [SECONDS [DEBUGGER...]]`; `speed` counts as a
//! debugger, `program=TEXT` takes only the programs whose name contains the text. Each debugger gets at most that many seconds in this run
//! (default 240); what is done is journalled under `.twinrun/` and never done again, so that several runs add up.

mod bugs;
mod judged;
mod programs;

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write as _;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::Mutex;
use std::time::{Duration, Instant};

use serde_json::{Value, json};
use twinrun_campaign::{Campaign, Config as Limited};
use twinrun_debugger::backends::chromium::Chromium;
use twinrun_debugger::backends::debugpy::Debugpy;
use twinrun_debugger::backends::lldb::Lldb;
use twinrun_debugger::backends::node::{Isolation, Node};
use twinrun_debugger::{
    Backend, Config, Limits, Program, Report, Summary, Warning, compare_versions, jobs, replay_script,
    run_campaign, run_test,
};
use twinrun_results::{Results, cpu_seconds, workspace_root};

/// What is tested, with its seeds a program.
const DEBUGGERS: &[(&str, u64)] = &[
    ("node-11.15.0", 6),
    ("node-14.21.3", 1),
    ("node-16.20.2", 4),
    ("node-18.20.8", 3),
    ("node-24.1.0", 4),
    ("node-24.21.0", 4),
    ("chromium", 1),
    ("lldb-dap", 2),
    ("debugpy", 2),
];

type Failure = Box<dyn std::error::Error>;

fn main() -> Result<(), Failure> {
    let arguments: Vec<String> = std::env::args().skip(1).filter(|word| word != "experiment").collect();
    let seconds: u64 = arguments.first().map_or(Ok(240), |word| word.parse())?;
    let wanted: &[String] = arguments.get(1..).unwrap_or_default();
    let root = workspace_root();
    let fetched = Command::new(root.join("experiments/debuggers/fetch")).arg("all").status()?;
    if !fetched.success() {
        eprintln!("not everything could be fetched; what is missing is left out");
    }
    let own = programs::own(&root.join("subjects/javascript"));
    let mut javascript = own.clone();
    javascript.extend(programs::variants(&own));
    let from_npm = programs::fetched(&root.join(".deps/javascript"));
    eprintln!(
        "{} programs of our own, {} with variants, {} from npm",
        own.len(),
        javascript.len(),
        from_npm.len()
    );

    let mut summaries: BTreeMap<&str, Summary> = BTreeMap::new();
    for (name, seeds) in DEBUGGERS {
        let time = if wanted.is_empty() || wanted.iter().any(|word| word == name) { seconds } else { 0 };
        let (programs, seeds): (Vec<Program>, u64) = match *name {
            "lldb-dap" => (programs::own(&root.join("subjects/debugger-c")), *seeds),
            "debugpy" => (programs::own(&root.join("subjects/debugger-python")), *seeds),
            "chromium" => (own.clone(), *seeds),
            _ => (javascript.clone(), *seeds),
        };
        let filter = wanted.iter().find_map(|word| word.strip_prefix("program="));
        let programs = chosen(programs, filter);
        let Some(mut reports) = campaign(&root, name, &programs, seeds, time)? else { continue };
        if name.starts_with("node-11") || name.starts_with("node-24.21") {
            reports.extend(
                campaign(&root, &format!("{name} npm"), &chosen(from_npm.clone(), filter), 1, time)?
                    .unwrap_or_default(),
            );
        }
        summaries.insert(name, Summary::of(&reports));
    }
    let measure = wanted.is_empty() || wanted.iter().any(|word| word == "speed");
    let speed = if measure { speed(&root, &own)? } else { earlier_speed(&root) };
    write(&root, own.len(), &summaries, speed)
}

/// The rates of an earlier run.
fn earlier_speed(root: &Path) -> Option<(f64, f64)> {
    let text = std::fs::read_to_string(root.join("experiments/results/debuggers.json")).ok()?;
    let totals = &serde_json::from_str::<Value>(&text).ok()?["totals"];
    Some((totals["tests_per_second"].as_f64()?, totals["five_round_tests_per_second"].as_f64()?))
}

/// The programs whose name contains the filter, in an order that mixes kinds, so that a stopped campaign has seen all of them.
fn chosen(mut programs: Vec<Program>, filter: Option<&str>) -> Vec<Program> {
    programs.retain(|program| filter.is_none_or(|filter| program.name.contains(filter)));
    let mix = |name: &str| {
        name.bytes()
            .fold(0u32, |hash, byte| hash.wrapping_mul(31).wrapping_add(u32::from(byte)).rotate_left(7))
    };
    programs.sort_by_key(|program| (mix(&program.name), program.name.clone()));
    programs
}

/// Runs or resumes one campaign; none when the debugger is not installed.
fn campaign(
    root: &Path,
    name: &str,
    programs: &[Program],
    seeds: u64,
    seconds: u64,
) -> Result<Option<Vec<Report>>, Failure> {
    let folder = std::env::temp_dir().join(format!("twinrun-debuggers-{}", std::process::id()));
    let debugger = name.split(' ').next().unwrap_or_default();
    // Tabs of one browser serve all workers.
    let browser: Mutex<Option<Chromium>> = Mutex::new(None);
    let counter = std::sync::atomic::AtomicUsize::new(0);
    let start = || -> twinrun_debugger::Result<Box<dyn Backend>> {
        let limits = Limits { answer: Duration::from_secs(60), ..Limits::default() };
        let own = folder.join(counter.fetch_add(1, std::sync::atomic::Ordering::Relaxed).to_string());
        Ok(match debugger {
            "chromium" => {
                let mut browser = browser.lock().map_err(|_| twinrun_debugger::Error::Closed)?;
                match browser.as_mut() {
                    Some(first) => Box::new(first.another_tab()?),
                    None => {
                        let mut first = Chromium::new(Path::new("/usr/bin/chromium"), &own, limits)?;
                        let tab = first.another_tab()?;
                        *browser = Some(first);
                        Box::new(tab)
                    }
                }
            }
            "lldb-dap" => Box::new(Lldb::new(
                Path::new("/usr/bin/lldb-dap-19"),
                Path::new("/usr/bin/cc"),
                &own,
                limits,
            )?),
            "debugpy" => {
                Box::new(Debugpy::new(Path::new("python3"), &root.join(".deps/python"), &own, limits)?)
            }
            node => Box::new(Node::new(&node_binary(root, node), Isolation::Context, limits)?),
        })
    };
    // Chromium tells its version without being started.
    let version = match debugger {
        "chromium" => Chromium::new(Path::new("/usr/bin/chromium"), &folder, Limits::default())
            .map(|chromium| chromium.name().to_owned()),
        _ => start().map(|backend| backend.name().to_owned()),
    };
    let version = match version {
        Ok(version) => version,
        Err(error) => {
            eprintln!("{name} is left out: {error}");
            return Ok(None);
        }
    };
    let jobs = jobs(&version, programs, 0..seeds, 1, &Config::default(), 60);
    let journal = root.join(".twinrun").join("debuggers.sqlite");
    let mut campaign = Campaign::open(journal, &format!("debuggers {name}"))?;
    // Sessions mostly wait for the debugger, and it for them: several workers a core.
    let workers = 4 * std::thread::available_parallelism().map_or(1, usize::from);
    let limits = Limited {
        workers,
        deadline: Some(Instant::now() + Duration::from_secs(seconds)),
        ..Limited::default()
    };
    let outcome = run_campaign(&mut campaign, &jobs, &limits, &start, |_| ())?;
    let reports: Vec<Report> = outcome.finished().flat_map(|(_, reports)| reports.clone()).collect();
    for (job, why) in outcome.failed() {
        eprintln!("{name}: {} failed: {why}", jobs[job].program.name);
    }
    eprintln!("{name}: {} of {} jobs done", outcome.finished().count(), jobs.len());
    let _ = std::fs::remove_dir_all(&folder);
    Ok(Some(reports))
}

fn node_binary(root: &Path, name: &str) -> PathBuf {
    root.join(".deps/node").join(name.trim_start_matches("node-")).join("bin/node")
}

/// Metamorphic test cases and five-round tests in a second of processor time, ours and Node's together.
fn speed(root: &Path, programs: &[Program]) -> Result<Option<(f64, f64)>, Failure> {
    let binary = node_binary(root, "node-24.21.0");
    if !binary.exists() {
        return Ok(None);
    }
    let mut node = Node::new(&binary, Isolation::Context, Limits::default())?;
    // The first tests start the process and warm it up.
    run_test(&mut node, &programs[0], 1_000, &Config::default())?;
    let before = cpu_seconds();
    let began = Instant::now();
    let (mut cases, mut tests) = (0usize, 0usize);
    for (index, program) in programs.iter().cycle().enumerate() {
        let report = run_test(&mut node, program, 1_000 + index as u64, &Config::default())?;
        cases += report.rounds.len();
        tests += 1;
        if tests >= 150 || began.elapsed() > Duration::from_secs(90) {
            break;
        }
    }
    // A child's time counts once it is waited for.
    node.discard();
    let spent = cpu_seconds() - before;
    Ok(Some((cases as f64 / spent, tests as f64 / spent)))
}

fn write(
    root: &Path,
    programs: usize,
    summaries: &BTreeMap<&str, Summary>,
    speed: Option<(f64, f64)>,
) -> Result<(), Failure> {
    let judgements = judged::judgements();
    let mut results = Results::new("debuggers");
    let found = |name: &str| -> BTreeSet<&'static str> {
        let warnings = summaries.get(name).into_iter().flat_map(|summary| summary.groups.values().flatten());
        warnings.filter_map(bugs::known).collect()
    };
    let eleven = found("node-11.15.0");
    let list = |names: BTreeSet<&str>| Value::from(names.into_iter().map(Value::from).collect::<Vec<_>>());
    results.total("found_11", list(eleven.clone()));
    results.total("found_16", list(found("node-16.20.2")));
    results.total("found_24_1", list(found("node-24.1.0")));
    let clean = ["node-18.20.8", "node-24.21.0"]
        .iter()
        .all(|name| summaries.get(name).is_some_and(|summary| summary.tests > 0) && found(name).is_empty());
    results.total("controls_clean", clean);
    let is_true = |warning: &Warning| {
        bugs::known(warning).is_some()
            || judged::judge(&judgements, warning).is_some_and(|judgement| judgement.bug)
    };
    let share = |name: &str| {
        let all: Vec<&Warning> =
            summaries.get(name).into_iter().flat_map(|summary| summary.groups.values().flatten()).collect();
        let good = all.iter().filter(|warning| is_true(warning)).count();
        if all.is_empty() { 0.0 } else { 100.0 * good as f64 / all.len() as f64 }
    };
    results.total("true_pct", share("node-11.15.0"));
    let (cases, tests) = speed.unwrap_or_default();
    results.total("tests_per_second", cases);
    results.total("five_round_tests_per_second", tests);
    results.total("programs", programs);
    for (name, summary) in summaries {
        let discarded: usize = summary.discarded.values().sum();
        results.row(&json!({
            "debugger": name, "tests": summary.tests, "cases": summary.cases, "sessions": summary.sessions,
            "unsteady": summary.unsteady, "discarded": discarded, "leaked": summary.leaked,
            "warnings": summary.warnings(), "groups": summary.groups.len(), "true_pct": share(name),
            "interactive": summary.interactive, "by_round": serde_json::to_string(&summary.warnings_by_round)?,
            "known": list(found(name)),
        }));
    }
    if let (Some(old), Some(new)) = (summaries.get("node-11.15.0"), summaries.get("node-24.21.0")) {
        let difference = compare_versions(old, new);
        results.notes.push(format!(
            "From node 11.15 to 24.21: {} groups of warnings gone, {} new, {} in both.",
            difference.fixed.len(),
            difference.new.len(),
            difference.kept.len()
        ));
    }
    results.notes.push(
        "Warnings in fresh processes confirmed and reduced; judged by hand in debuggers-judged.md. Rates are in seconds of \
         processor time, client and debugger together, so one core does that many a second and two cores twice as many."
            .to_owned(),
    );
    println!("{}", results.write()?.display());
    write_judged(root, summaries, &judgements)
}

/// The table of judgements, with one replay script for each group.
fn write_judged(
    root: &Path,
    summaries: &BTreeMap<&str, Summary>,
    judgements: &[judged::Judgement],
) -> Result<(), Failure> {
    let mut text = "# Warnings, judged by hand\n\nOne row a group of warnings; the reduced reproduction of each stands below.\n\n\
                    | debugger | group | warnings | verdict | why |\n| --- | --- | --- | --- | --- |\n"
        .to_owned();
    let mut examples = String::new();
    let scripts = root.join("experiments/debuggers/reproductions");
    std::fs::create_dir_all(&scripts)?;
    for (name, summary) in summaries {
        for (group, warnings) in &summary.groups {
            let Some(first) = warnings.first() else { continue };
            let known = bugs::known(first);
            let judgement = judged::judge(judgements, first);
            let (verdict, why) = match (known, judgement) {
                (Some(bug), _) => ("true", bug.to_owned()),
                (None, Some(judgement)) => {
                    (if judgement.bug { "true" } else { "false" }, judgement.why.clone())
                }
                (None, None) => ("not judged", String::new()),
            };
            let _ = writeln!(text, "| {name} | {group} | {} | {verdict} | {why} |", warnings.len());
            let _ = writeln!(examples, "## {name}: {group}\n\n```text\n{}```\n", first.text());
            let file: String = format!("{name} {group}")
                .chars()
                .map(|c| if c.is_ascii_alphanumeric() { c } else { '-' })
                .collect();
            std::fs::write(scripts.join(format!("{file}.py")), replay_script(first))?;
        }
    }
    std::fs::write(root.join("experiments/results/debuggers-judged.md"), format!("{text}\n{examples}"))?;
    Ok(())
}
