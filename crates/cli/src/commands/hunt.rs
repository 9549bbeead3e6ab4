//! `twinrun hunt`: test, locate, debug and prove under one budget, and say in one place what is wrong and where.

use std::num::NonZeroU64;
use std::path::{Path, PathBuf};
use std::time::Duration;

use clap::Args;
use twinrun_base::Exit;
use twinrun_hunt::{
    CHOSEN, Config, Hunt as Found, Language, News, Opened as Hunted, Sources as Repairable, Stage, Subject,
    page, present,
};
use twinrun_report::{Options, Sources};
use twinrun_solve::Program;
use twinrun_subject::Project;
use twinrun_subject::build::Environment;
use twinrun_subject::sdk::Sdk;

use crate::apart;
use crate::cluster::Cluster;
use crate::error::Error;
use crate::options::{Common, Effort, Format, Search};
use crate::targets::{self, Opened, Ready};
use crate::{Outcome, baseline, output, stop};

/// Tests every relation and explains what it finds: minimal case, suspects, critical branch, failure condition.
#[derive(Debug, Args)]
pub(crate) struct Hunt {
    /// Where to hunt: SUBJECT or SUBJECT:RELATION [default: everything in the project]
    #[arg(value_name = "SUBJECT[:RELATION]")]
    what: Vec<String>,
    #[command(flatten)]
    search: Search,
    #[command(flatten)]
    cluster: Cluster,
    #[command(flatten)]
    effort: Effort,
    /// Cases for each relation [default: `cases` of the project, else 10000]; in as many rounds as the effort is
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u64).range(1..))]
    cases: Option<u64>,
    /// Report only findings that this earlier JSON report does not have
    #[arg(long, value_name = "FILE")]
    baseline: Option<PathBuf>,
    /// Do not run the checked build (overflow, bounds, null, heap)
    #[arg(long)]
    no_checked: bool,
    /// Do not try to prove relations that were not violated
    #[arg(long)]
    no_proofs: bool,
    /// Do not look for places where a fault would go unnoticed
    #[arg(long)]
    no_score: bool,
    /// Forget an interrupted hunt instead of going on with it
    #[arg(long)]
    fresh: bool,
    /// Write the HTML page to this file too
    #[arg(long, value_name = "FILE")]
    page: Option<PathBuf>,
}

pub(crate) fn run(options: &Hunt, common: &Common) -> Outcome {
    let project = targets::project(common)?;
    let baseline = options.baseline.as_deref().map_or(Ok(Vec::new()), baseline::fingerprints)?;
    let defaults = &project.file.project;
    let asked =
        options.search.time.or(defaults.time.and_then(|seconds| Duration::try_from_secs_f64(seconds).ok()));
    stop::begin("hunt", asked, common);
    let mut opened: Vec<(Ready, Option<Ready>, Vec<String>)> = Vec::new();
    for (ready, relations) in targets::opened(&project, &options.what, common)? {
        for relation in &relations {
            ready.target(relation)?;
        }
        let tells = matches!(&ready.opened, Opened::Command(command) if command.coverage().is_some());
        let covered = tells.then(|| targets::ready_with_coverage(&project, &ready.name)).transpose()?;
        opened.push((ready, covered, relations));
    }
    let environment = targets::environment(&project.folder);
    let subjects: Vec<Subject<'_>> = opened
        .iter()
        .map(|(ready, covered, relations)| {
            subject((&project, &environment), ready, covered.as_ref(), relations)
        })
        .collect::<Result<_, _>>()?;
    let jobs =
        if options.search.jobs > 0 { options.search.jobs } else { defaults.jobs.unwrap_or(0) as usize };
    let away = options.cluster.away(Some(&project), common)?;
    let config = Config {
        project: project.name(),
        folder: project.folder.clone(),
        cache: project.cache(),
        version: env!("CARGO_PKG_VERSION").to_owned(),
        seed: options.search.seed.or(defaults.seed).unwrap_or(1),
        cases: options.cases.or(defaults.cases.map(NonZeroU64::get)).unwrap_or(10_000),
        effort: options.effort.effort,
        jobs,
        checked: !options.no_checked,
        fresh: options.fresh,
        solver: Program::find(&project.folder).map_err(|error| error.to_string()),
        prove_others: !options.no_proofs,
        score: !options.no_score,
        weights: CHOSEN,
        forbidden: Vec::new(),
        baseline,
        away: away.as_ref().map(|away| {
            let packed = opened.iter().map(|(ready, _, relations)| (ready, relations.as_slice()));
            apart::hunt::pack(away, &project, packed)
        }),
    };
    let mut shown = output::progress(common);
    let mut tell = |news: News<'_>| {
        let Some(shown) = &mut shown else { return };
        match news {
            News::Event(event) => shown.event(event),
            News::Line(line) => shown.suspend(|| eprintln!("{}", twinrun_report::inert(&line))),
        }
    };
    let hunt = twinrun_hunt::hunt(&subjects, &config, &mut tell).map_err(|error| match error {
        twinrun_hunt::Error::Busy { .. } => Error::Usage(error.to_string()),
        other => Error::Infrastructure(other.to_string()),
    })?;
    drop(shown);
    let sources = sources(&hunt, &project.folder);
    if let Some(path) = &options.page {
        let text = page::page(&hunt, &plain(&sources), None);
        std::fs::write(path, text).map_err(|source| Error::Write { path: path.clone(), source })?;
    }
    print(&hunt, &project, &sources, common)?;
    if !common.quiet && common.format == Format::Human {
        eprintln!("\n{}", next(&hunt, options.page.as_deref()));
    }
    Ok(match hunt.report.exit() {
        Exit::Holds if hunt.stage == Stage::Interrupted => Exit::Inconclusive,
        exit => exit,
    })
}

/// What the page shows of the sources.
pub(crate) fn sources(hunt: &Found, folder: &Path) -> Sources {
    let mut sources = Sources::read(folder, &hunt.report);
    sources.read_more(folder, page::traced_files(hunt));
    sources
}

/// Options for what is not shown on a terminal.
pub(crate) fn plain(sources: &Sources) -> Options<'_> {
    Options { width: 120, color: false, verbose: true, sources }
}

fn print(hunt: &Found, project: &Project, sources: &Sources, common: &Common) -> Result<(), Error> {
    match common.format {
        Format::Html => output::text(&page::page(hunt, &plain(sources), None), common),
        Format::Json => output::text(&present::json(hunt, &plain(sources)), common),
        Format::Sarif => output::text(&present::sarif(hunt, &plain(sources)), common),
        Format::Human | Format::Junit | Format::Github => {
            output::report(&hunt.report, &project.folder, common)
        }
    }
}

/// What to do now.
fn next(hunt: &Found, page: Option<&Path>) -> String {
    if hunt.stage == Stage::Interrupted {
        return "next: the same command goes on where this one stopped".to_owned();
    }
    match (hunt.report.findings.is_empty(), page) {
        (false, Some(page)) => format!("next: open {} in a browser, fix, and hunt again", page.display()),
        (false, None) => "next: `twinrun serve` shows traces, failing region and a test to copy in a browser; fix, and hunt again".to_owned(),
        (true, _) => "next: `twinrun score` says which parts of the subject no relation would notice".to_owned(),
    }
}

fn subject<'a>(
    (project, environment): (&'a Project, &'a Environment),
    ready: &'a Ready,
    covered: Option<&'a Ready>,
    relations: &[String],
) -> Result<Subject<'a>, Error> {
    let opened = match &ready.opened {
        Opened::Wasm(subject) => Hunted::Wasm(subject),
        Opened::Command(plain) => Hunted::Command {
            plain,
            covered: covered.and_then(|covered| match &covered.opened {
                Opened::Command(command) => Some(command),
                Opened::Wasm(_) => None,
            }),
        },
    };
    Ok(Subject {
        name: ready.name.clone(),
        opened,
        relations: relations.to_vec(),
        language: language(project, &ready.name)?,
        sources: Some(Repairable { project, environment, relations: &ready.relations }),
    })
}

/// What a ready-made test is written in, and how it is built.
fn language(project: &Project, name: &str) -> Result<Language, Error> {
    let file = project.subject(name)?;
    if file.crate_folder.is_some() {
        return Ok(Language::Rust);
    }
    if file.sources.is_empty() || file.program.is_some() {
        return Ok(Language::Other);
    }
    let sdk = Sdk::unpack(&project.cache())?;
    let include = sdk.c.strip_prefix(&project.folder).unwrap_or(&sdk.c).display().to_string();
    let is_cxx = |source: &String| [".cpp", ".cc", ".cxx"].iter().any(|ending| source.ends_with(ending));
    let flags: String = file.flags.iter().map(|flag| format!("{flag} ")).collect();
    let sources = file.sources.join(" ");
    let build = if file.sources.iter().any(is_cxx) {
        format!(
            "cc -g -I {include} -c {{test}}.c && c++ -g {flags}-I {include} -o {{test}} {{test}}.o {sources} && ./{{test}}"
        )
    } else {
        format!("cc -g {flags}-I {include} -o {{test}} {{test}}.c {sources} -lm && ./{{test}}")
    };
    Ok(Language::C { build })
}
