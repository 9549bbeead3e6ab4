//! `twinrun explore`: all paths of a relation with their conditions, one case for each.

use std::fmt::Write as _;
use std::sync::Arc;

use clap::{Args, ValueEnum};
use serde_json::{Value, json};
use twinrun_base::{Exit, Verdict, cut};
use twinrun_explore::{Config, Coverage, Engine, Explorer, Kind, Pairs, Path, Source, Strategy};
use twinrun_interp::module::LoadOptions;
use twinrun_solve::{Program, Solver};
use twinrun_subject::{Modules, Project, SubjectKind, open};
use twinrun_term::{Model, readable};
use twinrun_testing::replay::Replay;
use twinrun_testing::saved::SavedCase;
use twinrun_testing::target::Build;

use crate::Outcome;
use crate::error::Error;
use crate::options::{Common, Format, Search};
use crate::{output, stop, targets};

/// Runs every path of a relation and says for which inputs it is taken.
#[derive(Debug, Args)]
pub(crate) struct Explore {
    /// What to explore: SUBJECT or SUBJECT:RELATION [default: everything in the project]
    #[arg(value_name = "SUBJECT[:RELATION]")]
    what: Vec<String>,
    #[command(flatten)]
    search: Search,
    /// Which open branch comes next
    #[arg(long, value_enum, default_value = "depth")]
    strategy: Order,
    /// At most this many paths for each relation
    #[arg(long, value_name = "N")]
    paths: Option<u64>,
    /// Leave branches beyond this many conditions as they are
    #[arg(long, value_name = "N")]
    depth: Option<usize>,
    /// Vary only what happens inside runs, not the relation's own branches
    #[arg(long)]
    runs_only: bool,
}

/// The order of exploration.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum Order {
    /// The deepest open branch
    Depth,
    /// The oldest open branch
    Breadth,
    /// A branch with an outcome that no path has taken yet
    Uncovered,
}

pub(crate) fn run(options: &Explore, common: &Common) -> Outcome {
    if !matches!(common.format, Format::Human | Format::Json) {
        return Err(Error::Usage("explore prints `--format human` or `--format json`".to_owned()));
    }
    stop::begin("explore", options.search.time, common);
    let project = targets::project(common)?;
    let solver = Program::find(&project.folder).map_err(|error| Error::Infrastructure(error.to_string()))?;
    let mut explored = Vec::new();
    for (name, relations) in targets::chosen(&project, &options.what)? {
        let subject = open(&project, &name, &targets::environment(&project.folder))?;
        let SubjectKind::Module(modules) = subject.kind else {
            return Err(Error::Usage(format!(
                "the subject `{name}` is a command: exploring needs WebAssembly, built from C, C++ or Rust"
            )));
        };
        let relations = if relations.is_empty() { modules.relations.clone() } else { relations };
        let (module, programs) = loaded(&modules)?;
        for relation in relations {
            let engine = Engine::new(&module, &relation, programs.clone(), subject.limits)
                .map_err(|error| Error::Usage(error.to_string()))?;
            let config = Config {
                strategy: match options.strategy {
                    Order::Depth => Strategy::DepthFirst,
                    Order::Breadth => Strategy::BreadthFirst,
                    Order::Uncovered => Strategy::Uncovered,
                },
                max_paths: options.paths,
                max_depth: options.depth,
                runs_only: options.runs_only,
                ..Config::default()
            };
            let solver = Solver::new(solver.clone(), twinrun_solve::Config::default());
            let explorer = Explorer::new(engine, solver, config, Source::Model(Model::new()));
            if !common.quiet {
                eprintln!("exploring {name}:{relation}");
            }
            explored.push(explore(&project, &name, &relation, explorer)?);
        }
    }
    let text = match common.format {
        Format::Json => {
            let relations: Vec<Value> = explored.iter().map(Explored::json).collect();
            let report =
                json!({"command": "explore", "version": env!("CARGO_PKG_VERSION"), "relations": relations});
            serde_json::to_string_pretty(&report).unwrap_or_default() + "\n"
        }
        _ => explored.iter().map(Explored::human).collect(),
    };
    output::text(&text, common)?;
    let any = |wanted: Verdict| explored.iter().flat_map(|it| &it.paths).any(|path| path.verdict == wanted);
    Ok(if any(Verdict::Violated) || any(Verdict::Crashed) {
        Exit::Violated
    } else if explored.iter().all(|it| it.coverage.is_complete()) && !any(Verdict::Timeout) {
        Exit::Holds
    } else {
        Exit::Inconclusive
    })
}

type Interpreted = Arc<twinrun_interp::Module>;

/// The modules as the interpreter wants them.
fn loaded(modules: &Modules) -> Result<(Interpreted, Vec<(String, Interpreted)>), Error> {
    let load = |module: &twinrun_subject::Module| {
        let options = LoadOptions { sites: Some(Arc::new(module.sites.clone())), ..LoadOptions::default() };
        let loaded = twinrun_interp::Module::new(&module.bytes, options);
        loaded.map(Arc::new).map_err(|error| Error::Usage(error.to_string()))
    };
    let programs = match &modules.program {
        Some(program) => vec![(String::new(), load(program)?)],
        None => Vec::new(),
    };
    Ok((load(&modules.module)?, programs))
}

/// One path as it is reported.
struct Reported {
    verdict: Verdict,
    case: twinrun_base::Case,
    condition: Vec<String>,
    saved: String,
    /// What the other engine said, where it was asked and said something else.
    other_engine: Option<Verdict>,
}

struct Explored {
    subject: String,
    relation: String,
    paths: Vec<Reported>,
    pairs: Pairs,
    coverage: Coverage,
    counters: twinrun_solve::Counters,
    reasons: Vec<String>,
}

fn explore(
    project: &Project,
    subject: &str,
    relation: &str,
    mut explorer: Explorer,
) -> Result<Explored, Error> {
    let folder = project.cache().join("paths");
    let mut pairs = Pairs::default();
    let mut paths = Vec::new();
    let mut failing = Vec::new();
    while !cut::is_requested() {
        let Some(path) = explorer.next_path().map_err(|error| Error::Usage(error.to_string()))? else {
            break;
        };
        if path.verdict == Verdict::Discarded {
            continue;
        }
        pairs.add(&path);
        let terms = &explorer.engine.domain.terms;
        let case = path.case(terms, &path.model);
        let saved = SavedCase::new(subject, relation, path.verdict, case.clone()).write(&folder)?;
        let saved = saved.strip_prefix(&project.folder).unwrap_or(&saved).display().to_string();
        if path.verdict != Verdict::Holds {
            failing.push(paths.len());
        }
        let condition = conditions(&explorer, &path);
        paths.push(Reported { verdict: path.verdict, case, condition, saved, other_engine: None });
    }
    if !failing.is_empty() {
        // Every counterexample is replayed in the other engine before it is reported.
        let ready = targets::ready(project, subject)?;
        let target = ready.target(relation)?;
        if let Some(mut executor) = target.executor(Build::Plain)? {
            for index in failing {
                let mut replay = Replay::default();
                replay.begin(&paths[index].case);
                let ending = executor.run(&mut replay)?;
                paths[index].other_engine =
                    (ending.verdict != paths[index].verdict).then_some(ending.verdict);
            }
        }
    }
    Ok(Explored {
        subject: subject.to_owned(),
        relation: relation.to_owned(),
        paths,
        pairs,
        coverage: explorer.coverage(),
        counters: explorer.counters(),
        reasons: explorer.reasons().iter().cloned().collect(),
    })
}

fn conditions(explorer: &Explorer, path: &Path) -> Vec<String> {
    let terms: Vec<_> = path
        .conditions
        .iter()
        .filter(|condition| condition.kind != Kind::Input)
        .map(|condition| condition.term)
        .collect();
    readable::show_all(&explorer.engine.domain.terms, &terms)
}

impl Explored {
    fn human(&self) -> String {
        let mut text = String::new();
        let _ = writeln!(text, "{}:{}", self.subject, self.relation);
        for path in &self.paths {
            let _ = writeln!(text, "  {:8} {}", path.verdict.to_string(), path.case);
            let condition =
                if path.condition.is_empty() { "always".to_owned() } else { path.condition.join(" && ") };
            let _ = writeln!(text, "           when {condition}");
            if let Some(other) = path.other_engine {
                let _ = writeln!(text, "           the other engine says {other}: please report this");
            }
        }
        let Coverage {
            paths,
            discarded,
            unfinished,
            infeasible,
            unknown,
            approximated,
            fixed,
            diverged,
            beyond_depth,
            open,
        } = self.coverage;
        let _ = writeln!(
            text,
            "  {} paths, {} combinations of run paths: {} violate the relation, {} of them only for some inputs",
            paths - discarded,
            self.pairs.count(),
            self.pairs.failing(),
            self.pairs.mixed()
        );
        let _ = match self.coverage.is_complete() {
            true => writeln!(text, "  all paths were run; {infeasible} other branch outcomes are impossible"),
            false => writeln!(
                text,
                "  not all paths were run to their end: {unfinished} paths did not end, {open} branches still open, {beyond_depth} beyond the depth, {unknown} undecided, \
                 {approximated} decided only with some inputs fixed, {diverged} not as predicted"
            ),
        };
        if fixed > 0 {
            let _ = writeln!(text, "  {fixed} lengths and addresses were tried value by value");
        }
        for reason in &self.reasons {
            let _ = writeln!(text, "  undecided: {reason}");
        }
        let counters = &self.counters;
        let _ = writeln!(
            text,
            "  {} queries: {} to the solver ({} over integers), {} known, {} by earlier inputs, {} by earlier contradictions; {:.2} s",
            counters.queries,
            counters.by_solver(),
            counters.by_integers,
            counters.by_cache + counters.by_simplification,
            counters.by_model,
            counters.by_core,
            counters.solver_time.as_secs_f64()
        );
        text
    }

    fn json(&self) -> Value {
        let paths: Vec<Value> = self
            .paths
            .iter()
            .map(|path| {
                json!({
                    "verdict": path.verdict,
                    "case": path.case,
                    "condition": path.condition,
                    "saved": path.saved,
                    "other_engine": path.other_engine,
                })
            })
            .collect();
        let (coverage, counters) = (&self.coverage, &self.counters);
        json!({
            "subject": self.subject,
            "relation": self.relation,
            "complete": coverage.is_complete(),
            "pairs": self.pairs.count(),
            "pairs_failing": self.pairs.failing(),
            "pairs_mixed": self.pairs.mixed(),
            "paths": paths,
            "coverage": {
                "paths": coverage.paths, "discarded": coverage.discarded, "unfinished": coverage.unfinished, "infeasible": coverage.infeasible,
                "unknown": coverage.unknown, "approximated": coverage.approximated, "fixed": coverage.fixed,
                "diverged": coverage.diverged, "beyond_depth": coverage.beyond_depth, "open": coverage.open,
            },
            "undecided": self.reasons,
            "solver": {
                "queries": counters.queries, "by_integers": counters.by_integers, "by_bits": counters.by_bits,
                "by_cache": counters.by_cache, "by_model": counters.by_model, "by_core": counters.by_core,
                "by_simplification": counters.by_simplification, "unknown": counters.unknown,
                "fallbacks": counters.fallbacks, "restarts": counters.restarts,
                "seconds": counters.solver_time.as_secs_f64(),
            },
        })
    }
}
