//! The same programs for Twinrun and for CBMC: relations that are true or false as their names say.
//!
//! CBMC is a command in the variable `CBMC`; without it only Twinrun runs. Debian 13 has it as a package, which also unpacks beside an older system.

use std::error::Error;
use std::path::Path;
use std::process::{Command, Stdio};

use serde_json::json;
use twinrun_prove::{Config, Verdict, prove};
use twinrun_results::{Results, cpu_seconds};
use twinrun_solve::Program;
use twinrun_subject::build::Environment;
use twinrun_subject::{Project, SubjectKind, open};
use twinrun_testing::engine::WasmSubject;

/// What CBMC may cost, in CPU seconds: as much as a relation may cost Twinrun.
const LIMIT: u32 = 60;
/// Turns of a loop that CBMC unwinds: one more than any loop here has.
const UNWIND: u32 = 34;

/// Which answer a program gave, and its CPU seconds.
type Answer = (Option<bool>, f64);

pub(crate) fn run(root: &Path, solver: &Program, results: &mut Results) -> Result<(), Box<dyn Error>> {
    let folder = root.join("experiments/prove/programs");
    let project = Project::find(&folder)?;
    let cbmc = std::env::var("CBMC").ok();
    let version = cbmc.as_deref().and_then(version);
    results.notes.push(format!(
        "\"beside CBMC\": {} with {LIMIT} CPU seconds each, loops unwound {UNWIND} times with unwinding assertions and no other checks, and Twinrun with its usual limit and \
         without safety. A relation is decided where the answer is the one that its name says. CBMC has no model of a program that reads standard input: that relation is not \
         given to it. \"median_cpu_vs_cbmc\": over the relations that both decide.",
        version.as_ref().map_or_else(|| "CBMC was not there".to_owned(), |version| format!("CBMC {version}"))
    ));
    // CBMC too ends at the first failure.
    let config = Config { no_safety: true, failures: 1, enough: Some(1), ..Config::new(solver.clone()) };
    let (mut all, mut decided, mut decided_by_cbmc, mut wrong) = (0u32, 0u32, 0u32, 0u32);
    let mut ratios: Vec<f64> = Vec::new();
    for name in project.subjects() {
        let opened = open(&project, &name, &Environment::of_process(root))?;
        let SubjectKind::Module(modules) = opened.kind else { return Err("the subject is no module".into()) };
        let is_program = modules.program.is_some();
        let subject = WasmSubject::of_built(&name, modules, opened.limits, "bench")?;
        for relation in subject.relations().map(str::to_owned).collect::<Vec<_>>() {
            let is_true = relation.starts_with("true_");
            let before = cpu_seconds();
            let report = prove(&subject, &relation, &config, &mut |_| ())?;
            let own: Answer = (
                match report.verdict {
                    Verdict::Proved(_) => Some(true),
                    Verdict::Violated => Some(false),
                    _ => None,
                },
                cpu_seconds() - before,
            );
            let other = match cbmc.as_deref().filter(|_| version.is_some() && !is_program) {
                Some(command) => Some(ask(command, root, &folder.join(format!("{name}.c")), &relation)?),
                None => None,
            };
            let right = |answer: &Answer| answer.0 == Some(is_true);
            all += 1;
            decided += u32::from(right(&own));
            wrong += u32::from(own.0 == Some(!is_true));
            decided_by_cbmc += u32::from(other.as_ref().is_some_and(right));
            if let Some(other) = other.as_ref().filter(|other| right(other) && right(&own)) {
                ratios.push(own.1 / other.1.max(0.001));
            }
            eprintln!("{name} {relation} {:?} {:.3} s, CBMC {:?}", own.0, own.1, other);
            let told = |answer: Option<bool>| match answer {
                Some(true) => "true",
                Some(false) => "false",
                None => "unknown",
            };
            results.row(&json!({
                "program": name,
                "flags": "",
                "relation": relation,
                "way": "beside CBMC",
                "verdict": told(own.0),
                "safety": "",
                "pairs, failing, mixed": "",
                "as known": right(&own),
                "cpu_seconds": own.1,
                "klee_seconds": null,
                "cbmc_seconds": other.as_ref().map(|other| other.1),
                "cbmc_verdict": other.as_ref().map(|other| told(other.0)),
                "speedup_vs_klee": null,
            }));
        }
    }
    ratios.sort_by(f64::total_cmp);
    let median = match ratios.len() {
        0 => None,
        n if n % 2 == 1 => Some(ratios[n / 2]),
        n => Some(f64::midpoint(ratios[n / 2 - 1], ratios[n / 2])),
    };
    results.total("programs", all);
    results.total("decided", decided);
    results.total("decided_wrong", wrong);
    results.total("cbmc_decided", version.as_ref().map(|_| decided_by_cbmc));
    results.total("median_cpu_vs_cbmc", median);
    Ok(())
}

fn version(command: &str) -> Option<String> {
    let output = Command::new(command).arg("--version").output().ok()?;
    let text = String::from_utf8_lossy(&output.stdout).trim().to_owned();
    (output.status.success() && !text.is_empty()).then_some(text)
}

/// What CBMC says of a relation.
fn ask(command: &str, root: &Path, source: &Path, relation: &str) -> Result<Answer, Box<dyn Error>> {
    let before = cpu_seconds();
    let status = Command::new("sh")
        .args(["-c", &format!("ulimit -t {LIMIT}; exec \"$@\""), "sh", command, "-I"])
        .arg(root.join("experiments/prove/cbmc"))
        .arg(source)
        .args(["--function", relation, "--unwind", &UNWIND.to_string()])
        .args(["--unwinding-assertions", "--no-standard-checks"])
        .stdin(Stdio::null())
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .status()?;
    let answer = match status.code() {
        Some(0) => Some(true),
        Some(10) => Some(false),
        _ => None,
    };
    Ok((answer, cpu_seconds() - before))
}
