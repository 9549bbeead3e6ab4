//! `./x bench explore`: all path pairs of the programs on which other provers were measured.

mod rows;

use std::error::Error;
use std::path::Path;
use std::sync::Arc;

use serde_json::json;
use twinrun_base::work::SECOND;
use twinrun_base::{Budget, Limits};
use twinrun_explore::{Config, Engine, Explorer, Pairs, Source};
use twinrun_interp::module::LoadOptions;
use twinrun_results::{Results, cpu_seconds, workspace_root};
use twinrun_solve::{Program, Solver};
use twinrun_subject::build::{Environment, Language, Recipe, Shape, Unit, Variant, build};
use twinrun_subject::{Module, Roots};
use twinrun_term::Model;

use rows::{ROWS, Row};

/// Each row has this long; none is known to need a tenth of it.
const LIMIT: u64 = 300 * SECOND;

fn main() -> Result<(), Box<dyn Error>> {
    let root = workspace_root();
    let program = Program::find(&root)?;
    let mut results = Results::new("bench-explore");
    results.notes.push(format!(
        "All path pairs of each relation, explored one path at a time, in CPU seconds of Twinrun and its solver ({} {}) together. \
         KLEE and CBMC: the figures handed down with the programs, taken on a quiet machine of the same kind and not repeated here; \
         no calibration of that machine was handed down, so that the ratios are not scaled.",
        program.kind.name(),
        program.version
    ));
    if cfg!(debug_assertions) {
        results
            .notes
            .push("Twinrun's own code was compiled without optimisation for these figures.".to_owned());
    }
    let mut exact = true;
    let mut least_speedup = f64::INFINITY;
    for row in ROWS {
        let measured = explore(row, &root, &program)?;
        let expected = row.pairs.map(|(pairs, failing, mixed)| format!("{pairs}, {failing}, {mixed}"));
        let found =
            format!("{}, {}, {}", measured.pairs.count(), measured.pairs.failing(), measured.pairs.mixed());
        let agrees = expected.as_ref().is_none_or(|expected| *expected == found);
        exact &= agrees && measured.complete;
        let speedup = row.klee.map(|klee| klee / measured.seconds);
        if row.klee.is_some_and(|klee| klee > 1.0) {
            least_speedup = least_speedup.min(speedup.unwrap_or(f64::INFINITY));
        }
        eprintln!(
            "{:8} {:28} {found:14} {:6} paths {:7.3} s  {:6} queries{}",
            row.program,
            row.flags.join(" "),
            measured.paths,
            measured.seconds,
            measured.queries,
            if agrees { "" } else { "  WRONG" }
        );
        results.row(&json!({
            "program": row.program,
            "flags": row.flags.join(" "),
            "relation": row.relation,
            "pairs, failing, mixed": found,
            "known": expected.unwrap_or_default(),
            "complete": measured.complete,
            "paths": measured.paths,
            "queries": measured.queries,
            "solver_queries": measured.solver_queries,
            "cpu_seconds": measured.seconds,
            "klee_seconds": row.klee,
            "cbmc_seconds": row.cbmc,
            "speedup_vs_klee": speedup,
        }));
    }
    results.total("pairs_exact", exact);
    results.total("min_speedup_vs_klee", least_speedup);
    // Measured by `./x bench interp`, in one run with wasmi.
    let interp = std::fs::read(root.join("experiments/results/bench-interp.json")).ok();
    let interp: Option<serde_json::Value> = interp.and_then(|text| serde_json::from_slice(&text).ok());
    match interp.as_ref().and_then(|interp| interp["totals"]["interp_vs_wasmi"].as_f64()) {
        Some(ratio) => results.total("interp_vs_wasmi", ratio),
        None => results.notes.push("`interp_vs_wasmi` is missing: run `./x bench interp` first.".to_owned()),
    }
    let path = results.write()?;
    eprintln!("{}", path.display());
    Ok(())
}

struct Measured {
    pairs: Pairs,
    complete: bool,
    paths: u64,
    queries: u64,
    solver_queries: u64,
    seconds: f64,
}

fn explore(row: &Row, root: &Path, program: &Program) -> Result<Measured, Box<dyn Error>> {
    let folder = root.join("subjects/pairs").join(row.program);
    let unit = |name: String| {
        let flags = row.flags.iter().map(|flag| (*flag).to_owned()).collect();
        Unit { source: folder.join(name), text: None, language: Language::C, flags, folder: folder.clone() }
    };
    let recipe = Recipe {
        units: vec![unit(format!("{}.c", row.program)), unit("relations.c".to_owned())],
        link: Vec::new(),
        shape: Shape::Relations,
        cache: root.join("target/bench-explore"),
    };
    let built = build(&recipe, Variant::Plain, &Environment::of_process(root), None)?;
    let bytes = std::fs::read(built.path)?;
    let module = Module::load(bytes.clone(), &Roots::new(&folder))?;
    let options = LoadOptions { sites: Some(Arc::new(module.sites)), ..LoadOptions::default() };
    let module = Arc::new(twinrun_interp::Module::new(&bytes, options)?);
    let before = cpu_seconds();
    let engine = Engine::new(&module, row.relation, Vec::new(), Limits::default())?;
    let solver = Solver::new(program.clone(), twinrun_solve::Config::default());
    let config = Config { budget: Some(Budget::of(LIMIT)), ..Config::default() };
    let mut explorer = Explorer::new(engine, solver, config, Source::Model(Model::new()));
    let mut pairs = Pairs::default();
    while let Some(path) = explorer.next_path()? {
        pairs.add(&path);
    }
    let (coverage, counters) = (explorer.coverage(), explorer.counters());
    // The solver's time counts once its process has ended.
    drop(explorer);
    Ok(Measured {
        pairs,
        complete: coverage.is_complete(),
        paths: coverage.paths,
        queries: counters.queries,
        solver_queries: counters.by_solver(),
        seconds: cpu_seconds() - before,
    })
}
