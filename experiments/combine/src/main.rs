//! `./x bench combine [--data DIR] [--time2 S] [--time3 S] [--only NAME,NAME] [--jobs N] [--minutes M]
//! [--shapes] [--uniform] [--features]`: covering
//! arrays of the 25 models of the literature, quick and optimised, at strengths 2 and 3, every array checked
//! independently. What is done is journalled under `target/` and never done again while the generator is the same, so
//! that several runs of some minutes add up.

mod peer;
mod shapes;

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use serde::{Deserialize, Serialize};
use serde_json::json;
use twinrun_campaign::{Campaign, Halt, Job, What};
use twinrun_combine::readers::read_file;
use twinrun_combine::{Config, Model, generate, verify};
use twinrun_results::{Results, sources, workspace_root};

/// What the literature and other tools reach on one model at one strength.
#[derive(Debug, Clone, Default)]
struct Known {
    best: f64,
    pict: Option<f64>,
    pict_seconds: Option<f64>,
}

struct Options {
    data: PathBuf,
    time: [f64; 2],
    only: Option<Vec<String>>,
    jobs: usize,
    minutes: Option<f64>,
}

fn main() {
    // In a process of its own, because the memory that it takes is measured.
    if std::env::args().any(|argument| argument == "--growth") {
        println!("{}", shapes::growth());
        return;
    }
    if std::env::args().any(|argument| argument == "--features") {
        println!("{}", shapes::features());
        return;
    }
    if std::env::args().any(|argument| argument == "--uniform") {
        let mut results = Results::new("bench-combine");
        shapes::uniform_models(&mut results);
        println!("{:#}", serde_json::Value::Object(results.totals));
        results.rows.iter().for_each(|row| println!("{}", serde_json::Value::Object(row.clone())));
        return;
    }
    let options = options();
    if std::env::args().any(|argument| argument == "--shapes") {
        let mut results = Results::new("bench-combine");
        shapes::write(&mut results, apart("--growth").as_ref(), apart("--features").as_ref());
        println!("{:#}", serde_json::Value::Object(results.totals));
        results.rows.iter().for_each(|row| println!("{}", serde_json::Value::Object(row.clone())));
        return;
    }
    let Ok(sizes) = std::fs::read_to_string(options.data.join("sizes.csv")) else {
        eprintln!("skipped: no models in {} (give their folder with --data)", options.data.display());
        return;
    };
    let known = read_known(&sizes);
    let wanted = |name: &String| options.only.as_ref().is_none_or(|only| only.contains(name));
    let generator = sources(&GENERATOR.map(|file| format!("crates/combine/src/{file}.rs")));
    let jobs: Vec<Task> = known
        .keys()
        .filter(|(name, strength)| (2..=3).contains(strength) && wanted(name))
        .map(|(name, strength)| Task {
            model: name.clone(),
            strength: *strength,
            seconds: options.time[strength - 2],
            generator: generator.clone(),
        })
        .collect();
    if let Err(error) = study(&jobs, &known, &options) {
        eprintln!("{error}");
    }
}

/// What the growth to many parameters and the large feature model take, each measured in a process of its own.
fn apart(what: &str) -> Option<serde_json::Value> {
    let output = std::process::Command::new(std::env::current_exe().ok()?).arg(what).output().ok()?;
    serde_json::from_slice(&output.stdout).ok()
}

/// What sizes and times depend on.
const GENERATOR: [&str; 15] = [
    "algebra",
    "algebra/circulants",
    "algebra/starters",
    "bound",
    "cnf",
    "cover",
    "feasible",
    "generate",
    "greedy",
    "optimise",
    "propagate",
    "random",
    "rule",
    "space",
    "tuples",
];

/// One model at one strength: all that the figures depend on.
#[derive(Debug, Serialize, Deserialize)]
struct Task {
    model: String,
    strength: usize,
    /// CPU seconds of the optimising mode.
    seconds: f64,
    /// The hash of the generator's source.
    generator: String,
}

impl Job for Task {
    fn label(&self) -> String {
        format!("{} at strength {}", self.model, self.strength)
    }
}

fn study(
    jobs: &[Task],
    known: &BTreeMap<(String, usize), Known>,
    options: &Options,
) -> Result<(), Box<dyn std::error::Error>> {
    // CPU time is that of a thread, so models may share the machine.
    let limits = twinrun_campaign::Config {
        workers: options.jobs.max(1),
        deadline: options.minutes.map(|minutes| Instant::now() + Duration::from_secs_f64(60.0 * minutes)),
        ..twinrun_campaign::Config::default()
    };
    let mut campaign = Campaign::open(workspace_root().join("target/bench-combine.journal"), "combine")?;
    let work = |job: &Task, _: &twinrun_campaign::Context<'_>| {
        let known = &known[&(job.model.clone(), job.strength)];
        measure(job, known, &options.data).map_err(Halt::Failed)
    };
    let outcome = campaign.run(jobs, &limits, work, |event| {
        if let What::Finished { result, .. } = &event.what {
            println!("{}", result["row"]);
        }
    })?;
    outcome.failed().for_each(|(job, why)| eprintln!("{}: {why}", jobs[job].label()));
    let mut results = Results::new("bench-combine");
    let mut totals = Totals::default();
    let mut order: Vec<(usize, &Measured)> = outcome.finished().collect();
    order.sort_by_key(|(job, _)| (jobs[*job].strength, &jobs[*job].model));
    for (job, found) in order {
        totals.add(jobs[job].strength - 2, found);
        results.row(&found.row);
    }
    if !outcome.is_complete() {
        eprintln!("{} models are left: run the same again to go on", outcome.open().count());
        return Ok(());
    }
    totals.spins(&options.data, &mut results);
    totals.write(&mut results, options);
    shapes::write(&mut results, apart("--growth").as_ref(), apart("--features").as_ref());
    println!("{}", results.write()?.display());
    Ok(())
}

/// Sums over the models.
#[derive(Default)]
struct Totals {
    /// Logarithms of size over best known: quick and optimised, for each strength.
    ratios: [[Vec<f64>; 2]; 2],
    missing: usize,
    broken: usize,
    /// CPU seconds of the quick mode on all models, and on those that PICT finishes too.
    cpu: [(f64, f64); 2],
    pict: [f64; 2],
    slowest: f64,
    deep: Vec<String>,
    beside: bool,
}

impl Totals {
    fn add(&mut self, at: usize, found: &Measured) {
        self.ratios[at][0].push(found.ratios[0]);
        self.ratios[at][1].push(found.ratios[1]);
        self.missing += found.missing;
        self.broken += found.broken;
        self.cpu[at].0 += found.seconds;
        self.slowest = self.slowest.max(found.seconds);
        self.beside |= found.beside;
        if let Some(peer) = found.pict_seconds {
            self.cpu[at].1 += found.seconds;
            self.pict[at] += peer;
        }
    }

    /// All strengths up to 6 on the smallest model of a real system.
    fn spins(&mut self, data: &Path, results: &mut Results) {
        let Ok(model) = read_file(&data.join("spins.model")) else { return };
        for strength in 4..=6 {
            let before = cpu();
            let Ok(array) =
                generate(&model, &Config { strength: Some(strength), steps: Some(500), ..Config::default() })
            else {
                continue;
            };
            let seconds = (cpu() - before).as_secs_f64();
            let verification = verify(&model, &array.rows, strength).unwrap_or_default();
            self.missing += verification.missing_count;
            self.broken += verification.broken.len();
            self.deep
                .push(format!("strength {strength}: {} rows in {seconds:.1} s of CPU", array.rows.len()));
            results.row(&json!({ "model": "spins", "t": strength, "best": null, "bound": array.lower_bound,
                "quick": array.rows.len(), "quick_cpu_s": seconds, "optimised": null, "pict": null, "pict_cpu_s": null,
                "missing": verification.missing_count, "tuples": array.tuples }));
        }
    }

    fn write(&self, results: &mut Results, options: &Options) {
        let mean = |logs: &[f64]| (logs.iter().sum::<f64>() / logs.len().max(1) as f64).exp();
        for (at, strength) in [2, 3].iter().enumerate() {
            results.total(&format!("greedy_t{strength}"), mean(&self.ratios[at][0]));
            results.total(&format!("optimised_t{strength}"), mean(&self.ratios[at][1]));
        }
        results.total("missing_tuples", self.missing);
        results.total("broken_rows", self.broken);
        results.total("cpu_vs_pict", self.cpu[0].1 / self.pict[0]);
        results.total("cpu_vs_pict_t3", self.cpu[1].1 / self.pict[1]);
        results.total("cpu_t2", self.cpu[0].0);
        results.total("cpu_t3", self.cpu[1].0);
        results.total("slowest_quick_s", self.slowest);
        results.notes.push(format!(
            "Sizes are geometric means of size over best known. Quick mode: greedy construction and 2,000 steps of local search. \
             Optimised: {} s of CPU a model at strength 2 and {} s at strength 3, one thread. Every array was checked \
             independently: validity by the constraints as written, feasibility of uncovered tuples by SAT.",
            options.time[0], options.time[1]
        ));
        let peer = if self.beside {
            "PICT ran beside us."
        } else {
            "PICT is not installed: its figures are those of sizes.csv."
        };
        results.notes.push(format!(
            "{peer} CPU is compared on the models that PICT finishes. SPIN-S: {}.",
            self.deep.join("; ")
        ));
    }
}

/// What one model gave at one strength.
#[derive(Debug, Serialize, Deserialize)]
struct Measured {
    row: serde_json::Value,
    /// Logarithms of size over best known: quick and optimised.
    ratios: [f64; 2],
    missing: usize,
    broken: usize,
    seconds: f64,
    pict_seconds: Option<f64>,
    beside: bool,
}

fn measure(job: &Task, known: &Known, data: &Path) -> Result<Measured, String> {
    let (name, strength) = (&job.model, job.strength);
    let model: Model = read_file(&data.join(format!("{name}.model"))).map_err(|error| error.to_string())?;
    let quick = Config { strength: Some(strength), ..Config::default() };
    let before = cpu();
    let array = generate(&model, &quick).expect("the models of the literature are sound");
    let seconds = (cpu() - before).as_secs_f64();
    let time = Some(Duration::from_secs_f64(job.seconds));
    let smaller = generate(&model, &Config { time, clock: cpu, ..quick })
        .expect("the models of the literature are sound");
    let (mut missing, mut broken) = (0, 0);
    for rows in [&array.rows, &smaller.rows] {
        let verification = verify(&model, rows, strength).expect("the strength fits");
        missing += verification.missing_count;
        broken += verification.broken.len();
    }
    let beside = peer::pict(&data.join(format!("{name}.pict")), strength);
    let (pict, pict_seconds) = match beside {
        Some((size, seconds)) => (size, seconds),
        None => (known.pict, known.pict_seconds.filter(|_| known.pict.is_some())),
    };
    let row = json!({ "model": name, "t": strength, "best": known.best, "bound": array.lower_bound, "quick": array.rows.len(),
        "quick_cpu_s": seconds, "optimised": smaller.rows.len(), "pict": pict, "pict_cpu_s": pict_seconds,
        "missing": missing, "tuples": array.tuples });
    let ratios = [array.rows.len(), smaller.rows.len()].map(|size| (size as f64 / known.best).ln());
    Ok(Measured { row, ratios, missing, broken, seconds, pict_seconds, beside: beside.is_some() })
}

fn read_known(text: &str) -> BTreeMap<(String, usize), Known> {
    let mut known = BTreeMap::new();
    for line in text.lines().skip(1) {
        let cells: Vec<&str> = line.split(',').collect();
        if let (Some(Ok(strength)), Some(Ok(best))) =
            (cells.get(1).map(|c| c.parse()), cells.get(2).map(|c| c.parse()))
        {
            let number = |at: usize| cells.get(at).and_then(|cell| cell.parse().ok());
            known.insert(
                (cells[0].to_owned(), strength),
                Known { best, pict: number(4), pict_seconds: number(5) },
            );
        }
    }
    known
}

fn options() -> Options {
    let mut options = Options {
        data: workspace_root().join("../shared/data/combine"),
        time: [5.0, 60.0],
        only: None,
        jobs: 1,
        minutes: None,
    };
    let mut arguments = std::env::args().skip(1);
    while let Some(argument) = arguments.next() {
        let mut value = || arguments.next().unwrap_or_default();
        match argument.as_str() {
            "--data" => options.data = value().into(),
            "--time2" => options.time[0] = value().parse().unwrap_or(options.time[0]),
            "--time3" => options.time[1] = value().parse().unwrap_or(options.time[1]),
            "--jobs" => options.jobs = value().parse().unwrap_or(1),
            "--minutes" => options.minutes = value().parse().ok(),
            "--only" => options.only = Some(value().split(',').map(str::to_owned).collect()),
            _ => {}
        }
    }
    options
}

/// CPU time of this thread: the machine may be busy with other work.
fn cpu() -> Duration {
    // SAFETY: `timespec` is plain data for which all-zero is valid, and the call only writes into it.
    let time = unsafe {
        let mut time: libc::timespec = std::mem::zeroed();
        libc::clock_gettime(libc::CLOCK_THREAD_CPUTIME_ID, &raw mut time);
        time
    };
    Duration::new(time.tv_sec.unsigned_abs(), u32::try_from(time.tv_nsec).unwrap_or(0))
}
