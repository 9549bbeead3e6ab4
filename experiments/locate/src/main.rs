//! `./x bench locate [--processes N]`: the coverage of 10,000 groups of the pattern replacer, in the engine and as processes
//! under gcov; the ranking of 1,000,000 groups over 10,000 sites by every formula. All times are CPU seconds.

mod coverage;
mod ranking;

use serde_json::json;
use twinrun_results::Results;

fn main() {
    let mut processes = 500;
    let mut arguments = std::env::args().skip(1);
    while let Some(argument) = arguments.next() {
        if argument == "--processes" {
            processes = arguments.next().and_then(|value| value.parse().ok()).unwrap_or(processes);
        }
    }
    if let Err(message) = run(processes) {
        eprintln!("error: {message}");
        std::process::exit(3);
    }
}

fn run(processes: usize) -> Result<(), String> {
    let mut results = Results::new("bench-locate");
    let coverage = coverage::measure(10_000, processes)?;
    let ranking = ranking::measure(1_000_000, 10_000);
    results.total("coverage_speedup_vs_gcov", coverage.speedup());
    results.total("ranking_seconds", ranking.slowest());
    results.total("ranking_peak_mib", ranking.peak_mib);
    results.total("coverage_groups", coverage.groups);
    results.total("coverage_engine_seconds", coverage.engine);
    results.total("coverage_gcov_seconds", coverage.gcov());
    results.notes.push(format!(
        "Coverage: {} groups ({} runs) of the replacer's six relations, per-run block coverage kept, {:.3} s of CPU in the engine, drawing and checking \
         included. The same runs as processes of the same sources built with `gcc -O0 --coverage`, each with its own data files read by `gcov \
         --json-format`: measured on {} runs drawn evenly from them ({:.3} s of CPU: {:.3} s for the processes alone, the rest for gcov) and scaled to \
         all. Without reading the data files at all, the processes alone would take {:.1} times as long as the engine.",
        coverage.groups,
        coverage.runs,
        coverage.engine,
        coverage.measured,
        coverage.sample + coverage.sample_gcov,
        coverage.sample,
        coverage.processes_alone()
    ));
    results.notes.push(
        "Ranking: a spectrum of 1,000,000 groups and 10,000 sites with random bits; each time is for counting all sites anew, scoring and sorting."
            .to_owned(),
    );
    for (formula, seconds) in &ranking.seconds {
        results.row(&json!({ "formula": formula, "seconds": seconds }));
    }
    let path = results.write().map_err(|error| error.to_string())?;
    println!("{}", path.display());
    for (key, value) in &results.totals {
        println!("{key}: {value}");
    }
    Ok(())
}
