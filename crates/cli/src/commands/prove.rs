//! `twinrun prove`: a relation for all inputs, or every condition under which it fails.

use std::io::IsTerminal as _;
use std::path::{Path, PathBuf};
use std::time::Duration;

use clap::Args;
use serde::{Deserialize, Serialize};
use twinrun_base::{Exit, cut};
use twinrun_campaign::{Campaign, Config as Workers, Entry, Halt, Job};
use twinrun_prove::{
    Builds, Claimed, Config, Given, Misfit, Report, RowKind, Safety, Statement, Verdict, certificate,
    extrapolate, render, render_trace,
};
use twinrun_solve::Program;
use twinrun_testing::engine::WasmSubject;

use crate::error::Error;
use crate::options::{Common, Effort, Format, duration};
use crate::targets::{self, Opened};
use crate::{Outcome, output, stop};

/// Proves relations by semi-proving.
#[derive(Debug, Args)]
pub(crate) struct Prove {
    /// What to prove: SUBJECT or SUBJECT:RELATION [default: everything in the project]
    #[arg(value_name = "SUBJECT[:RELATION]")]
    what: Vec<String>,
    /// Threads: relations at a time, and the paths of a relation where there are more threads than relations [default: one on each core]
    #[arg(long, short, default_value_t = 0, hide_default_value = true, value_name = "N")]
    jobs: usize,
    /// Cut after this time, e.g. 30s, 5m; what was found until then is reported [default: never]
    #[arg(long, value_parser = duration, value_name = "TIME")]
    time: Option<Duration>,
    #[command(flatten)]
    effort: Effort,
    /// Enumerate the feasible pairs of paths also when the relation is proved, and print tables of paths, conditions and answers
    #[arg(long)]
    pairs: bool,
    /// Do not merge paths
    #[arg(long)]
    no_merging: bool,
    /// Leave out the safety checks (overflow, bounds, null, shifts, division)
    #[arg(long)]
    no_safety: bool,
    /// Leave out the test in the other engine before and behind a proof
    #[arg(long, hide = true)]
    no_pretest: bool,
    /// Leave out the proof by running every case where there are few
    #[arg(long, hide = true)]
    no_enumeration: bool,
    /// Leave branches beyond so many on a path as they are; the answer is then bounded
    #[arg(long, value_name = "N")]
    depth: Option<usize>,
    /// Run only so many paths, those that reach new branches first: symbolic testing, no proof
    #[arg(long, value_name = "N")]
    paths: Option<u64>,
    /// What is known to be correct: a case `a=1, b=2 -> 1` and a condition `a <= b <= c -> b`, each with the right answer, or a function `f(x) = x*x`; the answers are looked at, and proofs tell for which further inputs correctness follows
    #[arg(long, value_name = "INPUTS -> ANSWER")]
    correct: Vec<Given>,
    /// Look into so many failing pairs
    #[arg(long, value_name = "N", default_value_t = 20)]
    failures: usize,
    /// Stop when so many failing pairs are known; what fails beside them is then not told
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..))]
    stop_after: Option<u32>,
    /// Look for the fault in this run (1, 2, …) instead of the one whose path occurs in more violations
    #[arg(long, value_name = "RUN")]
    suspect: Option<u32>,
    /// Print the whole chain of events of the first failure too
    #[arg(long)]
    trace: bool,
    /// Of the chain of events print these kinds of rows only, e.g. trace,failure,trigger [default: all]
    #[arg(long, value_name = "KIND,…", value_delimiter = ',', requires = "trace")]
    rows: Vec<RowKind>,
    /// Save a certificate of each proof below this folder; `twinrun check` and every SMT-LIB solver check it
    #[arg(long, value_name = "FOLDER")]
    certificate: Option<PathBuf>,
}

/// One relation.
#[derive(Serialize, Deserialize)]
struct Relation {
    subject: String,
    relation: String,
}

impl Job for Relation {
    fn label(&self) -> String {
        format!("{}:{}", self.subject, self.relation)
    }
}

pub(crate) fn run(options: &Prove, common: &Common) -> Outcome {
    if !matches!(common.format, Format::Human | Format::Json | Format::Html) {
        // Said before the work is done.
        return Err(Error::Usage(
            "`twinrun prove` prints human text, JSON or HTML; `twinrun hunt` also SARIF".to_owned(),
        ));
    }
    stop::begin("prove", options.time, common);
    let project = targets::project(common)?;
    let solver = Program::find(&project.folder).map_err(|error| Error::Infrastructure(error.to_string()))?;
    let mut subjects: Vec<(String, WasmSubject)> = Vec::new();
    let mut jobs: Vec<Relation> = Vec::new();
    for (name, relations) in targets::chosen(&project, &options.what)? {
        if !common.quiet {
            eprintln!("building {name}");
        }
        let ready = targets::ready(&project, &name)?;
        let chosen = if relations.is_empty() { ready.relations.clone() } else { relations };
        for relation in &chosen {
            ready.target(relation)?;
        }
        let Opened::Wasm(subject) = ready.opened else {
            return Err(Error::Usage(format!(
                "`{name}` is a command: proving needs a subject that is WebAssembly (C, C++, Rust or a ready .wasm)"
            )));
        };
        jobs.extend(chosen.into_iter().map(|relation| Relation { subject: name.clone(), relation }));
        subjects.push((name, subject));
    }
    if jobs.is_empty() {
        return Err(Error::Usage(
            "there is no relation to prove: write `RELATION(name) { … }` in C or C++, or `relation!(name, { … })` in Rust".to_owned(),
        ));
    }
    let threads = match options.jobs {
        0 => std::thread::available_parallelism().map_or(1, usize::from),
        jobs => jobs,
    };
    let config = Config {
        jobs: (threads / jobs.len()).max(1),
        work: twinrun_prove::WORK.saturating_mul(options.effort.effort),
        pairs: options.pairs,
        no_merging: options.no_merging,
        no_safety: options.no_safety,
        no_pretest: options.no_pretest,
        no_enumeration: options.no_enumeration,
        depth: options.depth,
        paths: options.paths,
        failures: options.failures,
        enough: options.stop_after.map(|pairs| pairs as usize),
        suspect: options.suspect,
        sources: Some(project.folder.clone()),
        ..Config::new(solver)
    };
    let failed = |error: twinrun_campaign::Error| Error::Infrastructure(error.to_string());
    let mut campaign = Campaign::in_memory("prove").map_err(failed)?;
    let workers = Workers { workers: threads, ..Workers::default() };
    let mut shown = output::progress(common);
    let outcome = campaign
        .run(
            &jobs,
            &workers,
            |job, context| {
                let known = subjects.iter().find(|(name, _)| *name == job.subject);
                let (_, subject) = known.ok_or_else(|| Halt::Failed("no such subject".to_owned()))?;
                let mut tell = |progress: twinrun_prove::Progress| {
                    let note = format!(
                        "{}: {} {} done, {} open",
                        job.label(),
                        progress.done,
                        progress.phase,
                        progress.left
                    );
                    context.progress(progress.done, Some(progress.done + progress.left), &note);
                };
                twinrun_prove::prove(subject, &job.relation, &config, &mut tell).map_err(Halt::from)
            },
            |event| {
                if let Some(shown) = &mut shown {
                    shown.event(event);
                }
            },
        )
        .map_err(failed)?;
    drop(shown);
    let mut reports: Vec<Report> = Vec::new();
    let mut open = 0;
    for entry in outcome.entries {
        match entry {
            Entry::Finished(report) => reports.push(report),
            Entry::Failed(reason) => return Err(Error::Infrastructure(reason)),
            Entry::Open => open += 1,
        }
    }
    if let Some(cause) = cut::requested() {
        let unknown = |report: &&mut Report| matches!(report.verdict, Verdict::Unknown { .. });
        reports.iter_mut().filter(unknown).for_each(|report| report.notes.push(format!("cut: {cause}")));
        if !common.quiet {
            eprintln!("cut: {cause}");
        }
    }
    let find = |name: &str| subjects.iter().find(|(known, _)| known == name).map(|(_, subject)| subject);
    let mut given = options.correct.clone();
    let mut statements = follow(&reports, &given, &find, &config)?;
    // Where somebody is there to be asked, the expected answer is asked for.
    if ask(&mut given, &statements, common) {
        statements = follow(&reports, &given, &find, &config)?;
    }
    let refused = statements.iter().any(|statement| statement.claim == Some(Claimed::Refused));
    for statement in statements {
        let first = reports.iter_mut().rev().find(|report| {
            report.subject == statement.subject && statement.relations.contains(&report.relation)
        });
        if let Some(report) = first {
            report.follows.push(statement);
        }
    }
    if let Some(folder) = &options.certificate {
        for report in &mut reports {
            let known = subjects.iter().find(|(name, _)| *name == report.subject);
            if let Some((_, subject)) = known {
                save(folder, report, subject, &config, common)?;
            }
        }
    }
    let text = match common.format {
        Format::Json => serde_json::to_string_pretty(&reports).unwrap_or_default() + "\n",
        Format::Html => twinrun_hunt::page::proofs(&reports),
        _ => {
            let kinds = if options.rows.is_empty() { &RowKind::ALL[..] } else { &options.rows };
            let whole = |report: &Report| {
                let trace = report.failure_report.as_ref().filter(|_| options.trace);
                render(report) + &trace.map(|trace| render_trace(trace, kinds)).unwrap_or_default()
            };
            reports.iter().map(whole).collect::<Vec<_>>().join("\n")
        }
    };
    output::text(&text, common)?;
    let exit = if refused { Exit::Violated } else { exit(&reports) };
    Ok(if open > 0 && exit == Exit::Holds { Exit::Inconclusive } else { exit })
}

/// What follows from what is known to be correct.
fn follow<'a>(
    reports: &[Report],
    given: &[Given],
    subject: &dyn Fn(&str) -> Option<&'a WasmSubject>,
    config: &Config,
) -> Result<Vec<Statement>, Error> {
    extrapolate(reports, given, subject, config).map_err(|misfit| match misfit {
        Misfit::Failed(error) => Error::Infrastructure(error.to_string()),
        misfit => Error::Usage(misfit.to_string()),
    })
}

/// Asks for the right answer of each claim that has none, on a terminal; whether one was told.
fn ask(given: &mut [Given], statements: &[Statement], common: &Common) -> bool {
    if common.quiet || !std::io::stdin().is_terminal() || !std::io::stderr().is_terminal() {
        return false;
    }
    let mut told = false;
    for known in given {
        let Given::Inputs(inputs) = known else { continue };
        let about = format!("where {},", inputs.text);
        let asked = statements
            .iter()
            .find(|statement| statement.claim == Some(Claimed::Asked) && statement.text.starts_with(&about));
        let Some(asked) = asked.filter(|_| inputs.expected.is_none()) else { continue };
        let question = asked.text.split(": what is").next().unwrap_or_default();
        eprint!("{question}\nThe right answer (nothing: not known): ");
        let mut line = String::new();
        if std::io::stdin().read_line(&mut line).is_err() || line.trim().is_empty() {
            continue;
        }
        match format!("{} -> {}", inputs.text, line.trim()).parse() {
            Ok(answered) => {
                *known = answered;
                told = true;
            }
            Err(error) => eprintln!("{error}"),
        }
    }
    told
}

fn exit(reports: &[Report]) -> Exit {
    let broken =
        |report: &Report| report.verdict.is_failing() || matches!(report.safety, Safety::Broken { .. });
    if reports.iter().any(broken) {
        Exit::Violated
    } else if reports
        .iter()
        .all(|report| matches!(report.verdict, Verdict::Proved(_) | Verdict::ProvedOverReals(_)))
    {
        Exit::Holds
    } else {
        Exit::Inconclusive
    }
}

/// Writes the certificate of a proof, if the report is one.
fn save(
    folder: &Path,
    report: &mut Report,
    subject: &WasmSubject,
    config: &Config,
    common: &Common,
) -> Result<(), Error> {
    let (Verdict::Proved(proof) | Verdict::ProvedOverReals(proof)) = &report.verdict else { return Ok(()) };
    let failed = |error: twinrun_prove::Error| Error::Infrastructure(error.to_string());
    let config = Config { no_safety: true, ..config.clone() };
    let builds = Builds::of(subject, &config).map_err(failed)?;
    match certificate::derive(subject, &builds, &report.relation, proof.by(), &config).map_err(failed)? {
        Ok(certificate) => {
            let folder = folder.join(&report.subject).join(&report.relation);
            certificate.save(&folder).map_err(|source| Error::Write { path: folder.clone(), source })?;
            if !common.quiet {
                eprintln!("{} obligations in {}", certificate.files.len(), folder.display());
            }
        }
        Err(reasons) => report.notes.push(format!(
            "no certificate: without simplified terms the proof is not found again ({})",
            reasons.join("; ")
        )),
    }
    Ok(())
}
