//! `twinrun test`: draw cases, run groups, judge, shrink, report.

use std::num::NonZeroU64;
use std::path::PathBuf;
use std::sync::Mutex;
use std::time::Duration;

use clap::Args;
use twinrun_base::Case;
use twinrun_campaign::Config;
use twinrun_testing::saved::SavedCase;
use twinrun_testing::session::{self, Plan, Progress};
use twinrun_testing::target::Target;

use crate::Outcome;
use crate::cluster::Cluster;
use crate::error::Error;
use crate::options::{Common, Search};
use crate::targets;
use crate::{apart, baseline, output, stop};

/// Draws cases, runs groups, judges and shrinks.
#[derive(Debug, Args)]
pub(crate) struct Test {
    /// What to test: SUBJECT or SUBJECT:RELATION [default: everything in the project]
    #[arg(value_name = "SUBJECT[:RELATION]")]
    what: Vec<String>,
    #[command(flatten)]
    search: Search,
    #[command(flatten)]
    cluster: Cluster,
    /// Cases for each relation [default: `cases` of the project, else 10000; with --time as many as the time allows]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u64).range(1..))]
    cases: Option<u64>,
    /// A folder of saved cases to begin from, beside the project's own
    #[arg(long, value_name = "FOLDER")]
    corpus: Option<PathBuf>,
    /// Report only findings that this earlier JSON report does not have
    #[arg(long, value_name = "FILE")]
    baseline: Option<PathBuf>,
    /// Do not run the checked build (overflow, bounds, null, heap)
    #[arg(long)]
    no_checked: bool,
    /// Neither replay nor save violating cases
    #[arg(long)]
    no_saved: bool,
    /// Forget an interrupted test instead of going on with it
    #[arg(long)]
    fresh: bool,
}

pub(crate) fn run(options: &Test, common: &Common) -> Outcome {
    let project = targets::project(common)?;
    let known = options.baseline.as_deref().map_or(Ok(Vec::new()), baseline::fingerprints)?;
    let defaults = &project.file.project;
    let of_project = defaults.time.and_then(|seconds| Duration::try_from_secs_f64(seconds).ok());
    let time = options.search.time.or(of_project);
    stop::begin("test", time, common);
    let subjects = targets::opened(&project, &options.what, common)?;
    let mut boxed: Vec<Box<dyn Target + '_>> = Vec::new();
    for (ready, relations) in &subjects {
        for relation in relations {
            boxed.push(ready.target(relation)?);
        }
    }
    let targets: Vec<&dyn Target> = boxed.iter().map(|target| &**target).collect();
    let cache = project.cache();
    let journal = cache.join("test.journal");
    if options.fresh {
        // What cannot be removed is told by the campaign itself.
        let _ = std::fs::remove_file(&journal);
        let _ = std::fs::remove_file(cache.join("test.written"));
    }
    let cases = options.cases.or(defaults.cases.map(NonZeroU64::get)).unwrap_or(10_000);
    let corpus = corpus(options.corpus.as_ref(), &targets)?;
    let away = options.cluster.away(Some(&project), common)?;
    let remote = away
        .map(|away| apart::test::remote(&away, &project, &subjects, &targets, &corpus, !options.no_checked));
    let plan = Plan {
        seed: options.search.seed.or(defaults.seed).unwrap_or(1),
        cases,
        // With a time, rounds follow each other until it is over.
        rounds: if time.is_some() { u64::MAX } else { 1 },
        campaign: Config {
            workers: if options.search.jobs > 0 {
                options.search.jobs
            } else {
                defaults.jobs.unwrap_or(0) as usize
            },
            remote,
            ..Config::default()
        },
        saved: (!options.no_saved).then(|| cache.join("cases")),
        written: Some(cache.join("test.written")),
        journal: Some(journal),
        corpus,
        first: Vec::new(),
        checked: !options.no_checked,
    };
    let shown = Mutex::new(output::progress(common));
    let tell = |event: Progress<'_>| {
        let mut shown = shown.lock().unwrap_or_else(std::sync::PoisonError::into_inner);
        let Some(shown) = shown.as_mut() else { return };
        match event {
            Progress::Campaign(event) => shown.event(event),
            Progress::Shrinking { subject, relation, failures } => {
                shown.suspend(|| {
                    eprintln!("{subject}: {relation}: shrinking what fails: {failures} distinct");
                });
            }
            Progress::Resumed { done, of } => {
                shown.suspend(|| {
                    eprintln!("resumed an interrupted test: {done} of {of} jobs were already done");
                });
            }
            Progress::Found(_) => {}
        }
    };
    let mut report = session::test(&targets, &plan, &tell)?;
    baseline::leave_out(&mut report, &known);
    relative_paths(&mut report, &project.folder);
    output::report(&report, &project.folder, common)?;
    Ok(report.exit())
}

/// Saved cases of a folder that belong to the chosen relations.
fn corpus(folder: Option<&PathBuf>, targets: &[&dyn Target]) -> Result<Vec<(String, String, Case)>, Error> {
    let Some(folder) = folder else { return Ok(Vec::new()) };
    let entries = std::fs::read_dir(folder).map_err(|source| Error::Read { path: folder.clone(), source })?;
    let mut paths: Vec<PathBuf> =
        entries.filter_map(|entry| Some(entry.ok()?.path())).filter(|path| path.is_file()).collect();
    paths.sort();
    let mut cases = Vec::new();
    for path in paths {
        let saved = SavedCase::read(&path)?;
        if targets
            .iter()
            .any(|target| target.subject() == saved.subject && target.relation() == saved.relation)
        {
            cases.push((saved.subject, saved.relation, saved.case));
        }
    }
    Ok(cases)
}

/// Paths of saved cases as one would type them in the project's folder.
fn relative_paths(report: &mut twinrun_base::Report, folder: &std::path::Path) {
    for finding in &mut report.findings {
        if let Some(saved) = &mut finding.saved
            && let Ok(relative) = std::path::Path::new(saved).strip_prefix(folder)
        {
            *saved = relative.display().to_string();
        }
    }
}
