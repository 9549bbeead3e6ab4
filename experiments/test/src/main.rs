//! `./x bench test`: groups per second on one core with coverage and the real generator, beside proptest on the same C functions
//! linked natively; what coverage and the full trace cost.

mod native;

use std::path::Path;
use std::sync::Arc;

use serde_json::json;
use twinrun_base::{Hash, Limits, Rng};
use twinrun_jit::{Compiled, Config, Detail};
use twinrun_results::{Results, cpu_seconds, workspace_root};
use twinrun_subject::build::Environment;
use twinrun_subject::{Project, SubjectKind, open};
use twinrun_testing::chunk::{Chunk, run_chunk};
use twinrun_testing::engine::{Modules, WasmSubject};
use twinrun_testing::generate::Generator;
use twinrun_testing::target::{Build, Target};

/// Groups in one measurement.
const GROUPS: u64 = 400_000;
/// Measurements; the best counts, the machine is shared.
const TIMES: u32 = 5;

type Failure = Box<dyn std::error::Error>;

fn main() -> Result<(), Failure> {
    // As in the tool.
    twinrun_jit::with_stack(bench)
}

fn bench() -> Result<(), Failure> {
    // With the name of a kernel: only that one is measured, for a profiler, and nothing is written.
    let only = std::env::args().nth(2);
    let folder = workspace_root().join("experiments/test/project");
    let modules = modules(&folder)?;
    let subject = WasmSubject::new("kernels", modules.clone(), None, Limits::default(), "bench")?;
    let mut results = Results::new("bench-test");
    results.notes.push(format!(
        "CPU seconds of one thread, best of {TIMES} measurements of {GROUPS} groups each. Twinrun: the real generator, coverage on, reused \
         instances with restored memory. proptest: release build, the same C functions at -O0 linked natively, the same sizes."
    ));
    for (name, relation, native) in [
        ("maxsub", "maxsub_reverse", native::maxsub as fn(u32) -> f64),
        ("sort", "sort_reverse", native::sort as fn(u32) -> f64),
    ] {
        if only.as_deref().is_some_and(|only| only != name) {
            continue;
        }
        let ours = best(|| groups_per_second(&subject, relation))?;
        let theirs = best(|| Ok(native(GROUPS as u32)))?;
        println!("{name}: {:.2} M groups/s, proptest {:.2} M", ours / 1e6, theirs / 1e6);
        results.row(&json!({"what": format!("{name}, groups per second"), "twinrun": ours, "other": theirs, "ratio": ours / theirs}));
        results.total(&format!("{name}_vs_proptest"), ours / theirs);
    }
    if only.is_some() {
        return Ok(());
    }
    let (mut coverage_max, mut trace_max) = (0f64, 0f64);
    for relation in ["sort_reverse", "regex_dot", "paths_double"] {
        let time = |config: Config| best(|| engine_rate(&modules, relation, &config));
        let none = time(Config { coverage: false, ..Config::default() })?;
        let coverage = time(Config::default())?;
        let trace = time(Config { coverage: false, trace: true, ..Config::default() })?;
        println!("{relation}: coverage {:.2}x, trace {:.2}x", none / coverage, none / trace);
        results.row(&json!({"what": format!("{relation}, coverage"), "twinrun": coverage, "other": none, "ratio": none / coverage}));
        results.row(&json!({"what": format!("{relation}, trace"), "twinrun": trace, "other": none, "ratio": none / trace}));
        coverage_max = coverage_max.max(none / coverage);
        trace_max = trace_max.max(none / trace);
    }
    results.total("coverage_cost_max", coverage_max);
    results.total("trace_cost_max", trace_max);
    println!("written: {}", results.write()?.display());
    Ok(())
}

fn modules(folder: &Path) -> Result<Modules, Failure> {
    let project = Project::find(folder)?;
    let subject = open(&project, "kernels", &Environment::of_process(folder))?;
    let SubjectKind::Module(built) = subject.kind else { return Err("the kernels are a module".into()) };
    Ok(Modules { relations: Arc::new(built.module), programs: Vec::new() })
}

/// The best of several measurements.
fn best(mut measure: impl FnMut() -> Result<f64, Failure>) -> Result<f64, Failure> {
    let mut best = 0f64;
    for _ in 0..TIMES {
        best = best.max(measure()?);
    }
    Ok(best)
}

/// Groups per second of the whole test loop: drawing, running, judging, coverage.
fn groups_per_second(subject: &WasmSubject, relation: &str) -> Result<f64, Failure> {
    let target = subject.target(relation)?;
    let mut executor = target.executor(Build::Plain)?.ok_or("no build")?;
    let chunk = Chunk::new(Hash::of(["bench"]), String::new(), 1, 0, GROUPS);
    let began = cpu_seconds();
    let result = run_chunk(&chunk, &mut *executor, None, &[], &|| false, &|_| ())?;
    let seconds = cpu_seconds() - began;
    assert_eq!(result.counts.violated, 0, "the kernels are correct");
    Ok(result.counts.total() as f64 / seconds)
}

/// Groups per second of the engine alone in one configuration, on the same cases.
fn engine_rate(modules: &Modules, relation: &str, config: &Config) -> Result<f64, Failure> {
    let compiled = Compiled::new(&modules.relations.bytes, &modules.relations.sites, config)?;
    let relation = compiled.relation(relation)?;
    let mut instance = compiled.instance()?;
    let mut generator = Generator::new(Rng::new(1), &[]);
    let groups = GROUPS / 4;
    let began = cpu_seconds();
    for _ in 0..groups {
        generator.begin(&[]);
        instance.run_group(relation, &mut generator, Detail::Verdict)?;
    }
    Ok(groups as f64 / (cpu_seconds() - began))
}
