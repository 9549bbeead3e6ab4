//! `./x experiment loops`: relations of small programs with loops. Each program has a true relation, which should be proved, and a false one, which should be refuted.
//!
//! The programs of `programs/unseen` were written, and committed, before the invariant candidates were looked at; those of `programs/seen` with them in mind.

use std::error::Error;
use std::path::Path;

use serde_json::json;
use twinrun_base::work::SECOND;
use twinrun_prove::{Config, Verdict, prove};
use twinrun_results::{Results, cpu_seconds, workspace_root};
use twinrun_solve::Program;
use twinrun_subject::build::Environment;
use twinrun_subject::{Project, SubjectKind, open};
use twinrun_testing::engine::WasmSubject;

/// What one relation may cost.
const WORK: u64 = 24 * SECOND;

/// How many relations there were, and how many were decided as they are.
#[derive(Default)]
struct Count {
    all: u32,
    right: u32,
}

impl Count {
    fn add(&mut self, right: bool) {
        self.all += 1;
        self.right += u32::from(right);
    }

    fn percent(&self) -> f64 {
        (1000.0 * f64::from(self.right) / f64::from(self.all.max(1))).round() / 10.0
    }
}

fn main() -> Result<(), Box<dyn Error>> {
    let root = workspace_root();
    let config = Config { work: WORK, no_safety: true, ..Config::new(Program::find(&root)?) };
    let mut results = Results::new("loops");
    results.notes.push(
        "\"unseen\": written before the candidates of invariants were looked at. Proved: for all inputs, or over the reals and over integers without overflow, as \
         the verdict says; a bounded proof does not count. Refuted: a failing case, run in the other engine. CPU seconds of Twinrun and its solver together, in a \
         development build."
            .to_owned(),
    );
    let (mut proved, mut proved_unseen, mut refuted) = (Count::default(), Count::default(), Count::default());
    let (mut false_proved, mut most, mut loops) = (0u32, 0f64, 0u32);
    for half in ["seen", "unseen"] {
        let folder = root.join("experiments/loops/programs").join(half);
        let project = Project::find(&folder)?;
        for name in project.subjects() {
            let subject = built(&project, &name, &root)?;
            loops += 1;
            for relation in subject.relations().map(str::to_owned).collect::<Vec<_>>() {
                let is_true = relation.starts_with("true_");
                let before = cpu_seconds();
                let report = prove(&subject, &relation, &config, &mut |_| ())?;
                let seconds = cpu_seconds() - before;
                most = most.max(seconds);
                let is_proved = matches!(report.verdict, Verdict::Proved(_) | Verdict::ProvedOverReals(_));
                let is_refuted = report.verdict.is_failing();
                if is_true {
                    proved.add(is_proved);
                    if half == "unseen" {
                        proved_unseen.add(is_proved);
                    }
                } else {
                    refuted.add(is_refuted);
                    false_proved += u32::from(is_proved);
                }
                let said = match &report.verdict {
                    Verdict::Proved(_) => "proved".to_owned(),
                    Verdict::ProvedOverReals(_) => "proved over the reals".to_owned(),
                    Verdict::ProvedUpTo { bound, .. } => format!("proved up to a bound: {bound}"),
                    Verdict::Tested { .. } => "holds on selected paths".to_owned(),
                    Verdict::Violated => "violated".to_owned(),
                    Verdict::Crashed => "crashed".to_owned(),
                    Verdict::Unknown { reasons } => format!("unknown: {}", reasons.join("; ")),
                };
                eprintln!("{half} {name} {relation}: {said}, {seconds:.1} s");
                results.row(&json!({
                    "half": half,
                    "program": name,
                    "relation": relation,
                    "verdict": said,
                    "as it should be": if is_true { is_proved } else { is_refuted },
                    "cpu_seconds": (seconds * 100.0).round() / 100.0,
                }));
            }
        }
    }
    results.total("loops", loops);
    results.total("true_proved_pct", proved.percent());
    results.total("true_proved_pct_unseen", proved_unseen.percent());
    results.total("false_proved", false_proved);
    results.total("false_refuted_pct", refuted.percent());
    results.total("cpu_seconds_max", (most * 10.0).round() / 10.0);
    let path = results.write()?;
    eprintln!("{}\n{}", path.display(), serde_json::to_string(&results.totals)?);
    Ok(())
}

fn built(project: &Project, name: &str, root: &Path) -> Result<WasmSubject, Box<dyn Error>> {
    let opened = open(project, name, &Environment::of_process(root))?;
    let SubjectKind::Module(modules) = opened.kind else { return Err("every program is a module".into()) };
    Ok(WasmSubject::of_built(name, modules, opened.limits, "study")?)
}
