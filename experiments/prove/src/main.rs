//! `./x bench prove`: proofs and all path pairs, with failure conditions, of the programs on which other provers were measured.

mod beside;
#[path = "../../explore/src/rows.rs"]
mod rows;

use std::error::Error;
use std::path::Path;

use serde_json::json;
use twinrun_base::Limits;
use twinrun_base::work::SECOND;
use twinrun_prove::{Config, Report, Safety, Verdict, prove};
use twinrun_results::{Results, cpu_seconds, workspace_root};
use twinrun_solve::Program;
use twinrun_subject::build::{Environment, Language, Recipe, Shape, Unit, Variant, build};
use twinrun_subject::{Module, Roots};
use twinrun_testing::engine::{Modules, WasmSubject};

use rows::ROWS;

/// Each row has this long; none is known to need a tenth of it.
const LIMIT: u64 = 300 * SECOND;

fn main() -> Result<(), Box<dyn Error>> {
    let root = workspace_root();
    let solver = Program::find(&root)?;
    let mut results = Results::new("bench-prove");
    results.notes.push(format!(
        "CPU seconds of Twinrun and its solver ({} {}) together. \"pairs\": all feasible pairs one path at a time, with condition, trigger and replayed witness \
         of the first failing pair, as `twinrun prove --pairs --no-merging --no-safety --failures 1`; \"merged\": the proof with paths merged. KLEE: the figures \
         handed down with the programs, taken on a quiet machine of the same kind; no calibration of that machine was handed down, so that the ratios are not \
         scaled.",
        solver.kind.name(),
        solver.version
    ));
    let mut maxsub_exact = true;
    let mut least_speedup = f64::INFINITY;
    let all_pairs = Config {
        work: LIMIT,
        pairs: true,
        no_merging: true,
        no_safety: true,
        failures: 1,
        ..Config::new(solver.clone())
    };
    for row in ROWS {
        let subject = subject(row.program, row.flags, &root)?;
        let (report, seconds) = measured(&subject, row.relation, &all_pairs)?;
        let counts = report.pairs.map_or((0, 0, 0), |pairs| (pairs.pairs, pairs.failing, pairs.mixed));
        let complete = report.pairs.is_some_and(|pairs| pairs.complete);
        let agrees = complete && row.pairs.is_none_or(|known| known == counts);
        if row.program == "maxsub" {
            maxsub_exact &= agrees;
        }
        let speedup = row.klee.map(|klee| klee / seconds);
        if row.klee.is_some_and(|klee| klee > 1.0) {
            least_speedup = least_speedup.min(speedup.unwrap_or(f64::INFINITY));
        }
        eprintln!("{} {} {counts:?} {seconds:.3} s", row.program, row.flags.join(" "));
        results.row(&json!({
            "program": row.program,
            "flags": row.flags.join(" "),
            "relation": row.relation,
            "way": "pairs",
            "verdict": verdict(&report),
            "safety": safety(&report),
            "pairs, failing, mixed": format!("{}, {}, {}", counts.0, counts.1, counts.2),
            "as known": agrees,
            "cpu_seconds": seconds,
            "klee_seconds": row.klee,
            "cbmc_seconds": row.cbmc,
            "speedup_vs_klee": speedup,
        }));
    }
    let whole = Config { work: LIMIT, ..Config::new(solver.clone()) };
    let mut n12_seconds = f64::NAN;
    for (program, relation, flags) in [
        ("maxsub", "reverse", &["-DN=12", "-DBOUND=1000"][..]),
        ("maxsub", "reverse", &["-DN=16", "-DBOUND=1000"]),
        ("sort", "rotate", &["-DN=6"]),
        ("heap_sort", "rotate", &["-DN=5"]),
        ("bsearch", "append_larger", &["-DN=16"]),
        ("regex", "bracket", &["-DTL=6"]),
        ("maxsub", "reverse", &["-DN=4"]),
    ] {
        let subject = subject(program, flags, &root)?;
        // Where the inputs have no bounds, what overflows is asked too.
        let no_safety = flags != ["-DN=4"];
        let (report, seconds) =
            measured(&subject, relation, &Config { failures: 1, no_safety, ..whole.clone() })?;
        if flags.contains(&"-DN=12") {
            n12_seconds = if report.verdict.is_proved() { seconds } else { f64::INFINITY };
        }
        eprintln!("{program} {} {} {seconds:.3} s", flags.join(" "), verdict(&report));
        results.row(&json!({
            "program": program,
            "flags": flags.join(" "),
            "relation": relation,
            "way": "merged",
            "verdict": verdict(&report),
            "safety": safety(&report),
            "pairs, failing, mixed": "",
            "as known": true,
            "cpu_seconds": seconds,
            "klee_seconds": null,
            "cbmc_seconds": null,
            "speedup_vs_klee": null,
        }));
    }
    results.total("med_exact", med_is_exact(&root, &whole)?);
    results.total("maxsub_exact", maxsub_exact);
    results.total("maxsub_n12_seconds", n12_seconds);
    results.total("area_proved", area_is_proved(&root, &whole)?);
    results.total("min_speedup_vs_klee", least_speedup);
    beside::run(&root, &solver, &mut results)?;
    let path = results.write()?;
    eprintln!("{}\n{}", path.display(), serde_json::to_string(&results.totals)?);
    Ok(())
}

fn verdict(report: &Report) -> &'static str {
    match report.verdict {
        Verdict::Proved(_) => "proved",
        Verdict::ProvedOverReals(_) => "proved over the reals",
        Verdict::ProvedUpTo { .. } => "proved up to a bound",
        Verdict::Tested { .. } => "holds on selected paths",
        Verdict::Violated => "violated",
        Verdict::Crashed => "crashed",
        Verdict::Unknown { .. } => "unknown",
    }
}

/// What breaks a safety check, or where integers wrap around on the way to the first failure.
fn safety(report: &Report) -> String {
    let witness = report.failures.first().and_then(|failure| failure.witness.as_ref());
    if let Some(witness) = witness.filter(|witness| !witness.wraps.is_empty()) {
        let places: Vec<String> = witness.wraps.iter().map(ToString::to_string).collect();
        let confirmed = if witness.confirmed { "confirmed" } else { "not confirmed" };
        return format!("wraps around at {}, witness {confirmed}", places.join(", "));
    }
    match &report.safety {
        Safety::Broken { crashes, .. } => {
            let told = crashes.iter().map(|crash| {
                let place = crash.crash.location().map(|place| format!(" at {place}")).unwrap_or_default();
                let confirmed = if crash.confirmed { "confirmed" } else { "not confirmed" };
                format!("{}{place}, {confirmed}", crash.crash.message)
            });
            told.collect::<Vec<_>>().join("; ")
        }
        Safety::Proved { .. } => "proved".to_owned(),
        Safety::Unknown { .. } => String::new(),
    }
}

fn measured(subject: &WasmSubject, relation: &str, config: &Config) -> Result<(Report, f64), Box<dyn Error>> {
    let before = cpu_seconds();
    let report = prove(subject, relation, config, &mut |_| ())?;
    Ok((report, cpu_seconds() - before))
}

/// Everything that was published of Med.
fn med_is_exact(root: &Path, config: &Config) -> Result<bool, Box<dyn Error>> {
    let correct = subject("med", &[], root)?;
    let faulty = subject("med", &["-DFAULTY"], root)?;
    let with_pairs = Config { pairs: true, ..config.clone() };
    let mut exact = true;
    for relation in ["swap_last_two", "swap_first_two"] {
        let report = prove(&correct, relation, &with_pairs, &mut |_| ())?;
        exact &= report.verdict.is_proved() && report.pairs.is_some_and(|pairs| pairs.first_run_paths == 6);
    }
    let report = prove(&faulty, "swap_last_two", &with_pairs, &mut |_| ())?;
    exact &= report.pairs.is_some_and(|pairs| (pairs.pairs, pairs.failing, pairs.mixed) == (10, 4, 2));
    exact &= report.failures.iter().any(|failure| {
        failure.fails_when.exact
            && failure.fails_when.to_string() == "b < a < c"
            && failure.trigger.as_ref().is_some_and(|trigger| trigger.to_string() == "b < a")
            && failure.witness.as_ref().is_some_and(|witness| witness.confirmed)
    });
    exact &= report.suspected.is_some_and(|suspected| suspected.run == 2 && suspected.violations == [2, 4]);
    Ok(exact)
}

fn subject(program: &str, flags: &[&str], root: &Path) -> Result<WasmSubject, Box<dyn Error>> {
    let folder = root.join("subjects/pairs").join(program);
    let unit = |name: &str| {
        let flags = flags.iter().map(|flag| (*flag).to_owned()).collect();
        Unit { source: folder.join(name), text: None, language: Language::C, flags, folder: folder.clone() }
    };
    let source = match program {
        "heap_sort" => "../../comedy/heap_sort/heap_sort.c".to_owned(),
        _ => format!("{}.c", program.trim_end_matches("_any")),
    };
    let recipe = Recipe {
        units: vec![unit(&source), unit("relations.c")],
        link: Vec::new(),
        shape: Shape::Relations,
        cache: root.join("target/bench-prove"),
    };
    let roots = Roots::new(root.join("subjects"));
    let bytes = |variant| -> Result<Vec<u8>, Box<dyn Error>> {
        Ok(std::fs::read(build(&recipe, variant, &Environment::of_process(root), None)?.path)?)
    };
    let plain = Module::load(bytes(Variant::Plain)?, &roots)?;
    let checked = Module::load_checked(bytes(Variant::Checked)?, &roots, &plain)?;
    let modules = |module: Module| Modules { relations: std::sync::Arc::new(module), programs: Vec::new() };
    Ok(WasmSubject::new(program, modules(plain), Some(modules(checked)), Limits::default(), "bench")?)
}

/// Whether all three relations of Area are proved for every interval count, and the faulty Area is refuted.
fn area_is_proved(root: &Path, config: &Config) -> Result<bool, Box<dyn Error>> {
    let (correct, faulty) = (subject("area_any", &[], root)?, subject("area_any", &["-DFAULTY"], root)?);
    let mut proved = true;
    for relation in ["raise", "add", "scale"] {
        let verdict = prove(&correct, relation, config, &mut |_| ())?.verdict;
        proved &= matches!(verdict, Verdict::ProvedOverReals(_));
    }
    let refuted = prove(&faulty, "raise", config, &mut |_| ())?;
    Ok(proved && refuted.verdict == Verdict::Violated)
}
