//! `./x experiment sysroot [--only NAME] [--without-cost] [--without-checked]`: programs that throw, jump, start threads and raise signals, natively and in both
//! engines; what exceptions cost code that does not throw.

use std::error::Error;

use serde_json::json;
use twinrun_experiment_sysroot::{KINDS, compare, cost, programs};
use twinrun_results::{Results, workspace_root};
use twinrun_subject::build::Variant;

fn main() -> Result<(), Box<dyn Error>> {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let has = |flag: &str| arguments.iter().any(|argument| argument == flag);
    let only = arguments.iter().position(|it| it == "--only").and_then(|at| arguments.get(at + 1));
    let cache = tempfile::tempdir()?;
    let mut results = Results::new("sysroot");
    results.notes.push(
        "Each program is compiled with the machine's own compiler and to WebAssembly; what it prints and how it ends must be the same natively, in `jit` and in \
         `interp`, and the two engines must take the same branches of user code with the same work. A program counts as passed when that is so; `checked` repeats it \
         in the checked build, where a false finding would show. Cost: the fastest of seven runs with exceptions by the fastest without (`-fno-exceptions`), whole \
         programs in `jit` with coverage. Not measured here: real Lua, the cost of checked builds of libraries, warm starts."
            .to_owned(),
    );
    let (mut differing, mut checked_differing) = (0, 0);
    for kind in KINDS {
        let mut same = 0;
        for (name, source) in programs(kind)? {
            if only.is_some_and(|only| !name.contains(only.as_str())) {
                continue;
            }
            let outcome = compare(&source, Variant::Plain, cache.path())?;
            let checked = match has("--without-checked") {
                true => None,
                false => Some(compare(&source, Variant::Checked, cache.path())?),
            };
            let is_same = outcome.is_same();
            same += u64::from(is_same);
            differing += u64::from(!is_same);
            let checked_same = checked.as_ref().map(twinrun_experiment_sysroot::Outcome::is_same);
            checked_differing += u64::from(checked_same == Some(false));
            for outcome in [Some(&outcome), checked.as_ref()].into_iter().flatten().filter(|it| !it.is_same())
            {
                println!("{kind}/{name}: {outcome:#?}");
            }
            println!("{kind}/{name}: {}", if is_same { "same" } else { "DIFFERENT" });
            results.row(&json!({
                "kind": kind, "program": name, "same": is_same, "checked": checked_same, "cost": null,
            }));
        }
        let key = match kind {
            "exceptions" => "cpp_exception_tests",
            "setjmp" => "setjmp_tests",
            _ => "library_tests",
        };
        results.total(key, same);
    }
    results.total("differing", differing);
    if !has("--without-checked") {
        results.total("differing_checked", checked_differing);
    }
    if !has("--without-cost") {
        let mut most = 0.0f64;
        for (name, source) in programs("cost")? {
            let cost = cost::measure(&source, cache.path())?;
            println!(
                "cost/{name}: {:.3} s with, {:.3} s without: {:.2}",
                cost.with,
                cost.without,
                cost.factor()
            );
            most = most.max(cost.factor());
            results.row(&json!({
                "kind": "cost", "program": name, "same": null, "checked": null,
                "cost": (cost.factor() * 100.0).round() / 100.0,
            }));
        }
        results.total("exceptions_cost_max", (most * 100.0).round() / 100.0);
    }
    if only.is_none() {
        println!("{}", results.write()?.strip_prefix(workspace_root())?.display());
    }
    Ok(())
}
