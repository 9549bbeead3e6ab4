//! The study: batches of relations as jobs of a campaign, and the totals over them.

use std::collections::BTreeMap;
use std::error::Error;
use std::path::PathBuf;
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::{Duration, Instant};

use serde::{Deserialize, Serialize};
use serde_json::json;
use twinrun_base::Hash;
use twinrun_campaign::{Campaign, Config as Workers, Entry, Halt, Job, What};
use twinrun_prove::Config;
use twinrun_results::{Results, cpu_seconds, workspace_root};
use twinrun_solve::Program;
use twinrun_soundness::batch::{Batch, Relation, Workshop, folder, relations, source};
use twinrun_soundness::families::FAMILIES;
use twinrun_soundness::judge::{Falsehood, Judged, judge, without_net};
use twinrun_soundness::shrink::shrink;

/// Relations in one module.
const BATCH: u64 = 48;
/// Relations of each family in the full study.
const EACH: u64 = 450;

/// A batch of one family.
#[derive(Serialize, Deserialize)]
struct Numbers {
    family: String,
    seed: u64,
    from: u64,
    to: u64,
    /// What is judged, and by what: another generator or another prover makes the recorded result void.
    hash: Hash,
}

impl Job for Numbers {
    fn label(&self) -> String {
        format!("{} {}–{}", self.family, self.from, self.to - 1)
    }
}

struct Options {
    minutes: Option<f64>,
    jobs: usize,
    each: u64,
    only: Vec<String>,
    seed: u64,
    fresh: bool,
    show: Option<String>,
    shrink: Option<String>,
    folder: Option<PathBuf>,
}

pub(crate) fn run(arguments: impl Iterator<Item = String>) -> Result<(), Box<dyn Error>> {
    let options = options(arguments)?;
    if let Some(name) = options.show.as_ref().or(options.shrink.as_ref()) {
        return single(name, &options);
    }
    let root = workspace_root();
    let work = root.join("target/soundness");
    if let Some(sources) = &options.folder {
        let config = config(Program::find(&root)?);
        let batch = Batch::build(folder(sources)?, &work.join("folder"), &root)?;
        let tell = &mut |judged: &Judged, seconds: f64| {
            println!(
                "{}: {}, safety {}, {:?} {:?} ({seconds:.1} s)",
                judged.name, judged.verdict, judged.safety, judged.false_answers, judged.reasons
            );
        };
        judge(&batch, &config, tell)?.iter().for_each(|judged| tell(judged, 0.0));
        return Ok(());
    }
    std::fs::create_dir_all(&work)?;
    let tool = twinrun_results::sources(&[
        "crates/base/src",
        "crates/explore/src",
        "crates/interp/src",
        "crates/prove/src",
        "crates/solve/src",
        "crates/term/src",
        "experiments/soundness/native",
        "experiments/soundness/src",
        "sdk/c",
    ]);
    let mut jobs = Vec::new();
    // All families grow together, so that a slice says something of each.
    for from in (0..options.each).step_by(BATCH as usize) {
        for (family, _) in FAMILIES
            .iter()
            .filter(|(name, _)| options.only.is_empty() || options.only.iter().any(|it| it == name))
        {
            let to = (from + BATCH).min(options.each);
            let hash = Hash::of(
                relations(family, options.seed, from..to)
                    .iter()
                    .map(|it| it.source.as_str())
                    .chain([tool.as_str()]),
            );
            jobs.push(Numbers { family: (*family).to_owned(), seed: options.seed, from, to, hash });
        }
    }
    let journal = work.join("study.journal");
    let spent = work.join("cpu-seconds");
    if options.fresh {
        for path in [&journal, &spent] {
            if path.exists() {
                std::fs::remove_file(path)?;
            }
        }
    }
    let config = config(Program::find(&root)?);
    let mut campaign = Campaign::open(&journal, "soundness")?;
    let deadline = options.minutes.map(|minutes| Instant::now() + Duration::from_secs_f64(60.0 * minutes));
    let workers = Workers { workers: options.jobs, deadline, ..Workers::default() };
    let before = cpu_seconds();
    let (shops, made) = (Mutex::new(Vec::new()), AtomicUsize::new(0));
    let outcome = campaign.run(
        &jobs,
        &workers,
        |job, _| {
            let numbers = job.from..job.to;
            let done = (|| {
                let free = shops.lock().map_err(|error| error.to_string())?.pop();
                let count = made.fetch_add(usize::from(free.is_none()), Ordering::Relaxed);
                let shop = match free {
                    Some(shop) => shop,
                    None => Workshop::new(&work.join(format!("shop{count}")), &root)?,
                };
                let judged = shop.judge(relations(&job.family, job.seed, numbers.clone()), &config);
                shops.lock().map_err(|error| error.to_string())?.push(shop);
                judged
            })();
            done.map_err(|error: Box<dyn Error>| {
                // The source of whatever could not be judged is kept.
                let kept = work.join(format!("failed-{}-{}.c", job.family, job.from));
                let _ = std::fs::write(kept, source(&relations(&job.family, job.seed, numbers)));
                Halt::Failed(error.to_string())
            })
        },
        |event| {
            if let What::Finished { job, recorded: false, .. } = &event.what {
                eprintln!("{}", jobs[*job].label());
            }
        },
    )?;
    let seconds = cpu_seconds() - before + read_number(&spent);
    std::fs::write(&spent, seconds.to_string())?;
    let mut all: Vec<&Judged> = Vec::new();
    let mut open = 0;
    for (job, entry) in jobs.iter().zip(&outcome.entries) {
        match entry {
            Entry::Finished(judged) => all.extend(judged),
            Entry::Failed(reason) => eprintln!("{}: {reason}", job.label()),
            Entry::Open => open += 1,
        }
    }
    for judged in &all {
        for answer in &judged.false_answers {
            println!("{} {:?} ({}): {}", judged.name, answer.kind, judged.verdict, answer.detail);
        }
    }
    report(&all, open, seconds, &options)
}

/// What a relation may cost, in counted seconds: relations are small, and what is not decided by then is hardly decided in a minute. Less work makes answers fewer, never other
/// ones.
const WORK: u64 = 1;

/// The net is off: no tests before a proof, no proofs by enumeration.
fn config(solver: Program) -> Config {
    without_net(Config { work: WORK * twinrun_base::work::SECOND, ..Config::new(solver) })
}

fn read_number(path: &std::path::Path) -> f64 {
    std::fs::read_to_string(path).ok().and_then(|text| text.trim().parse().ok()).unwrap_or(0.0)
}

fn options(mut arguments: impl Iterator<Item = String>) -> Result<Options, Box<dyn Error>> {
    let mut options = Options {
        minutes: None,
        jobs: 1,
        each: EACH,
        only: Vec::new(),
        seed: 1,
        fresh: false,
        show: None,
        shrink: None,
        folder: None,
    };
    while let Some(argument) = arguments.next() {
        let mut value = || arguments.next().ok_or_else(|| format!("{argument} needs a value"));
        match argument.as_str() {
            "experiment" => {}
            "--minutes" => options.minutes = Some(value()?.parse()?),
            "--jobs" => options.jobs = value()?.parse()?,
            "--relations" => options.each = value()?.parse()?,
            "--only" => options.only = value()?.split(',').map(str::to_owned).collect(),
            "--seed" => options.seed = value()?.parse()?,
            "--fresh" => options.fresh = true,
            "--show" => options.show = Some(value()?),
            "--folder" => options.folder = Some(value()?.into()),
            "--shrink" => options.shrink = Some(value()?),
            other => return Err(format!("unknown option {other}").into()),
        }
    }
    Ok(options)
}

/// One relation by its name: judged, with its source; made smaller where that is asked.
fn single(name: &str, options: &Options) -> Result<(), Box<dyn Error>> {
    let root = workspace_root();
    let digits = name.find(|c: char| c.is_ascii_digit()).ok_or("a relation is named as heap17")?;
    let number: u64 = name[digits..].parse()?;
    let mut one: Vec<Relation> = relations(&name[..digits], options.seed, number..number + 1);
    let relation = one.pop().ok_or("there is no such family")?;
    let folder: PathBuf = root.join("target/soundness").join(format!("one-{name}"));
    let config = config(Program::find(&root)?);
    let judged = judge(&Batch::build(vec![relation.clone()], &folder, &root)?, &config, &mut |_, _| ())?;
    println!("{}\n{}", relation.source, serde_json::to_string_pretty(&judged)?);
    if options.shrink.is_some()
        && let Some(answer) = judged[0].false_answers.first()
    {
        let small = shrink(&relation, answer.kind, &config, &folder, &root)?;
        println!("smaller:\n{}", small.source);
    }
    Ok(())
}

fn report(all: &[&Judged], open: usize, seconds: f64, options: &Options) -> Result<(), Box<dyn Error>> {
    let mut results = Results::new("soundness");
    results.notes.push(format!(
        "Random relations, seed {}; what is true of each was found by running all of its cases in the other engine. Relations with more than {} cases are \
         left out.",
        options.seed,
        twinrun_soundness::truth::MOST_CASES
    ));
    results.notes.push(
        "\"Safe\" is compared with AddressSanitizer, UndefinedBehaviorSanitizer and MemorySanitizer in native builds that run all cases; a use of an uninitialised byte that MemorySanitizer does not see, with valgrind's memcheck too."
            .to_owned(),
    );
    results.notes.push(format!("Each relation had {WORK} counted second of work. The development build. The net was run for every {}th relation that is called proved or safe without it. Of relations that are unknown without it although a thousand drawn groups show a violation, `unknown_refuted_by_1000_cases` counts those that stay unknown with it, as users have it.", twinrun_soundness::judge::NET));
    if open > 0 {
        results.notes.push(format!("{open} batches are still to be judged."));
    }
    let known: Vec<&&Judged> = all.iter().filter(|judged| judged.truth.is_some()).collect();
    let count = |test: &dyn Fn(&Judged) -> bool| known.iter().filter(|judged| test(judged)).count();
    let wrong =
        |kind: Falsehood| count(&|judged| judged.false_answers.iter().any(|answer| answer.kind == kind));
    let mut families: BTreeMap<&str, Vec<&Judged>> = BTreeMap::new();
    known.iter().for_each(|judged| families.entry(judged.family.as_str()).or_default().push(judged));
    let unknown = count(&|judged| judged.verdict == "unknown");
    results.total("relations", known.len());
    results.total("families", families.len());
    results.total("proved", count(&|judged| judged.verdict == "proved"));
    results.total("false_proved", wrong(Falsehood::Proved));
    results.total("false_exact", wrong(Falsehood::Exact));
    results.total("false_safe", wrong(Falsehood::Safe));
    results.total("false_uninitialised", wrong(Falsehood::Uninitialised));
    results.total("pretested", count(&|judged| judged.pretested));
    results.total("caught_by_pretest", count(&|judged| judged.caught_by_pretest));
    results.total("unknown_refuted_by_1000_cases", count(&|judged| judged.unknown_to_users));
    results.total("unknown_refuted_without_net", count(&|judged| judged.unknown_refuted));
    results.total("unknown_pct", 100.0 * unknown as f64 / known.len().max(1) as f64);
    results.total("cpu_hours", seconds / 3600.0);
    results.total("proved_over_reals", count(&|judged| judged.verdict == "over reals"));
    results.total("false_over_reals", wrong(Falsehood::OverReals));
    results.total("false_violated", wrong(Falsehood::Violated));
    results.total("false_unsafe", wrong(Falsehood::Unsafe));
    results.total("engines_differ", wrong(Falsehood::Engine));
    results.total("errors", wrong(Falsehood::Failed));
    results.total("violated", count(&|judged| judged.verdict == "violated"));
    results.total("safety_proved", count(&|judged| judged.safety == "proved"));
    results.total("run_natively", count(&|judged| judged.natively));
    results.total("conditions", known.iter().map(|judged| judged.conditions.0).sum::<u32>());
    results.total("conditions_unread", known.iter().map(|judged| judged.conditions.1).sum::<u32>());
    results.total("too_many_cases", all.len() - known.len());
    for (family, judged) in families {
        let count = |test: &dyn Fn(&Judged) -> bool| judged.iter().filter(|judged| test(judged)).count();
        let truth = |test: &dyn Fn(&twinrun_soundness::truth::Truth) -> bool| {
            count(&|judged| judged.truth.as_ref().is_some_and(test))
        };
        results.row(&json!({
            "family": family,
            "relations": judged.len(),
            "true": truth(&|truth| truth.holds()),
            "false": truth(&|truth| !truth.holds()),
            "rare": truth(&|truth| truth.is_rare()),
            "proved": count(&|judged| judged.verdict == "proved"),
            "violated": count(&|judged| judged.verdict == "violated"),
            "unknown": count(&|judged| judged.verdict == "unknown"),
            "safe": count(&|judged| judged.safety == "proved"),
            "unsafe": count(&|judged| judged.safety == "broken"),
            "false answers": count(&|judged| !judged.false_answers.is_empty()),
        }));
    }
    println!("{}", results.write()?.display());
    println!("{}", serde_json::to_string(&results.totals)?);
    for row in &results.rows {
        println!("{}", serde_json::to_string(row)?);
    }
    Ok(())
}
