//! `./x experiment semi-proving [--paths N] [--enough N] [--only NAME,NAME] [--fresh]`: 32 faulty versions of the replacer against the four published kinds of
//! relations on symbolic strings, as a whole program.
//!
//! Every version is a job of a campaign: an interrupted study goes on where it was.

mod faults;
mod study;

use std::error::Error;
use std::io;

use serde_json::json;
use twinrun_campaign::{Campaign, Config, Entry, Halt};
use twinrun_report::Progress;
use twinrun_results::{Results, workspace_root};

use study::{Cell, KINDS, Version};

fn main() -> Result<(), Box<dyn Error>> {
    let (mut paths, mut enough, mut only, mut fresh) = (1500, 12, None, false);
    let mut arguments = std::env::args().skip(1);
    while let Some(argument) = arguments.next() {
        match argument.as_str() {
            "experiment" => {}
            "--paths" => paths = arguments.next().unwrap_or_default().parse()?,
            "--enough" => enough = arguments.next().unwrap_or_default().parse()?,
            "--only" => {
                let names = arguments.next().unwrap_or_default();
                only = Some(names.split(',').map(str::to_owned).collect::<Vec<_>>());
            }
            "--fresh" => fresh = true,
            other => return Err(format!("unknown option {other}").into()),
        }
    }
    let root = workspace_root();
    let subject = root.join("subjects/replace");
    let work = root.join("target/semi-proving");
    let all = faults::read(&subject)?;
    let wanted =
        |name: &str| only.as_ref().is_none_or(|only| only.iter().any(|it| name.starts_with(it.as_str())));
    let commit = twinrun_results::method_version();
    let mut jobs = vec![Version::new("v00_base", paths, enough, commit.clone())];
    jobs.extend(all.iter().map(|fault| Version::new(&fault.name, paths, enough, commit.clone())));
    jobs.retain(|job| wanted(&job.name));
    let journal = work.join("study.journal");
    if fresh && journal.exists() {
        std::fs::remove_file(&journal)?;
    }
    let mut campaign = Campaign::open(&journal, "semi-proving")?;
    let mut progress = Progress::lines(io::stderr(), 5_000);
    // One at a time: the seconds of a cell are CPU seconds of the process.
    let config = Config { workers: 1, ..Config::default() };
    let outcome = campaign.run(
        &jobs,
        &config,
        |job, context| {
            let fault = all.iter().find(|fault| fault.name == job.name);
            let mut tell = |relation: &str| context.progress(0, None, &format!("{}: {relation}", job.name));
            study::run(job, fault, &subject, &work, &root, &mut tell)
                .map_err(|error| Halt::Failed(error.to_string()))
        },
        |event| progress.event(event),
    )?;
    drop(progress);
    let mut results = Results::new("semi-proving");
    results.notes.push(format!(
        "Each relation has {paths} paths of symbolic testing, branches that no path has taken yet first, and stops at {enough} failing pairs. A version is \
         detected by a kind of relation when one of its relations fails on inputs that the other engine confirms. Seconds are CPU seconds of Twinrun and its \
         solver. The faulty line of a removed statement is either of its neighbours."
    ));
    let mut totals = Totals::default();
    for (job, entry) in jobs.iter().zip(&outcome.entries) {
        let fault = all.iter().find(|fault| fault.name == job.name);
        let cells: &[Cell] = match entry {
            Entry::Finished(cells) => cells,
            Entry::Failed(reason) => return Err(format!("{}: {reason}", job.name).into()),
            Entry::Open => continue,
        };
        totals.version(job, fault.is_some(), cells);
        for (kind, relations) in KINDS {
            let own: Vec<&Cell> =
                cells.iter().filter(|cell| relations.contains(&cell.relation.as_str())).collect();
            let told = own.iter().find(|cell| cell.detected);
            results.row(&json!({
                "version": job.name,
                "fault": fault.map(|fault| fault.kind.clone()).unwrap_or_default(),
                "relations": kind,
                "detected": told.map(|cell| cell.relation.clone()).unwrap_or_default(),
                "crashed": own.iter().any(|cell| cell.crashed),
                "fault_highlighted": told.map(|cell| cell.fault_highlighted),
                "fault_rank": told.and_then(|cell| cell.fault_rank),
                "lines_pct": told.map(|cell| cell.lines_percent),
                "rows_pct": told.map(|cell| cell.rows_percent),
                "pairs": own.iter().map(|cell| cell.pairs).sum::<usize>(),
                "failing": own.iter().map(|cell| cell.failing).sum::<usize>(),
                "seconds": own.iter().map(|cell| cell.seconds).sum::<f64>(),
                "fails_when": told.map(|cell| cell.fails_when.clone()).unwrap_or_default(),
            }));
        }
    }
    totals.write(&mut results);
    println!("{}", results.write()?.display());
    println!("{}", serde_json::to_string(&results.totals)?);
    Ok(())
}

/// The formula of the ranking was chosen on the versions before this one.
const LOOKED_AT: &str = "v17";

#[derive(Default)]
struct Totals {
    detected: usize,
    crashed: usize,
    false_alarms: usize,
    cells: f64,
    highlighted: f64,
    /// The same for the versions that were not looked at while the ranking was made.
    fresh_cells: f64,
    fresh_highlighted: f64,
    lines: f64,
    rows: f64,
    seconds: f64,
}

impl Totals {
    fn version(&mut self, job: &Version, faulty: bool, cells: &[Cell]) {
        if !faulty {
            self.false_alarms = cells.iter().filter(|cell| cell.detected || cell.crashed).count();
            return;
        }
        let detected = cells.iter().any(|cell| cell.detected);
        self.detected += usize::from(detected);
        let crashed = !detected && cells.iter().any(|cell| cell.crashed);
        self.crashed += usize::from(crashed);
        if !detected {
            eprintln!("{}: {}", job.name, if crashed { "crashed" } else { "not detected" });
        }
        for (_, relations) in KINDS {
            let own: Vec<&Cell> =
                cells.iter().filter(|cell| relations.contains(&cell.relation.as_str())).collect();
            self.seconds = self.seconds.max(own.iter().map(|cell| cell.seconds).sum());
            if let Some(cell) = own.iter().find(|cell| cell.detected) {
                self.cells += 1.0;
                self.highlighted += f64::from(u8::from(cell.fault_highlighted));
                if job.name.as_str() > LOOKED_AT {
                    self.fresh_cells += 1.0;
                    self.fresh_highlighted += f64::from(u8::from(cell.fault_highlighted));
                }
                self.lines += cell.lines_percent;
                self.rows += cell.rows_percent;
            }
        }
    }

    fn write(&self, results: &mut Results) {
        let cells = self.cells.max(1.0);
        results.total("versions_detected", self.detected);
        results.total("versions_crashed", self.crashed);
        results.total("cells_detected", self.cells as u64);
        results.total("fault_highlighted_pct", 100.0 * self.highlighted / cells);
        let fresh = 100.0 * self.fresh_highlighted / self.fresh_cells.max(1.0);
        results.total("fault_highlighted_pct_v17_to_v32", fresh);
        results.total("mean_lines_pct", self.lines / cells);
        results.total("mean_rows_pct", self.rows / cells);
        results.total("max_seconds", self.seconds);
        results.total("false_alarms_of_the_base_program", self.false_alarms);
    }
}
