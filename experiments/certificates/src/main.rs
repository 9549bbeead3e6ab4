//! `./x experiment certificates`: the certificates of all proofs of the examples and studies. A second solver looks at every obligation, and forged
//! certificates are given to the check.

mod forge;

use std::error::Error;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::Duration;

use serde_json::json;
use twinrun_base::work::SECOND;
use twinrun_prove::certificate::{Certificate, check, derive};
use twinrun_prove::{Builds, By, Config, Verdict, prove_built};
use twinrun_results::{Results, cpu_seconds, workspace_root};
use twinrun_solve::{Kind, Program};
use twinrun_subject::build::Environment;
use twinrun_subject::{Project, SubjectKind, open};
use twinrun_testing::engine::WasmSubject;

/// What one relation may cost. What is not proved within it has no certificate, and is not counted.
const WORK: u64 = 12 * SECOND;
/// How long the second solver may look at an obligation.
const EACH: Duration = Duration::from_secs(60);
/// Forgeries are made of certificates that are derived again within this, since each is derived again for every one.
const CHEAP: f64 = 0.2;

/// A proof with its certificate.
struct Proved {
    subject: usize,
    certificate: Certificate,
    cheap: bool,
}

fn main() -> Result<(), Box<dyn Error>> {
    let root = workspace_root();
    let solver = Program::find(&root)?;
    let second = Program::find_kind(Kind::Cvc5, &root)?;
    let config = Config { work: WORK, no_safety: true, ..Config::new(solver) };
    let mut results = Results::new("certificates");
    results.notes.push(format!(
        "Relations of the examples, of the programs of `bench prove` and of the study `loops`, each with {} seconds of counted work. Second solver: cvc5 {}, {} \
         seconds for each obligation. Proofs by running every case have no obligations and are listed apart. A forgery counts as accepted where `twinrun check` \
         does not refuse it, whatever a solver would say.",
        WORK / SECOND,
        second.version,
        EACH.as_secs()
    ));
    let mut subjects: Vec<(WasmSubject, Builds)> = Vec::new();
    let mut proofs: Vec<Proved> = Vec::new();
    let (mut proved, mut with_obligations, mut by_cases, mut checked) = (0u32, 0u32, 0u32, 0u32);
    for project in projects(&root)? {
        for name in project.subjects() {
            let Ok(opened) = open(&project, &name, &Environment::of_process(&root)) else { continue };
            let SubjectKind::Module(modules) = opened.kind else { continue };
            let subject = WasmSubject::of_built(&name, modules, opened.limits, "study")?;
            let builds = Builds::of(&subject, &config)?;
            let place = subjects.len();
            let relations: Vec<String> = subject.relations().map(str::to_owned).collect();
            subjects.push((subject, builds));
            let (subject, builds) = &subjects[place];
            for relation in relations {
                // What fails has no certificate.
                if name.ends_with("faulty") || relation.starts_with("false_") {
                    continue;
                }
                let report = prove_built(subject, builds, &relation, &config, &mut |_| ())?;
                let (Verdict::Proved(proof) | Verdict::ProvedOverReals(proof)) = &report.verdict else {
                    continue;
                };
                let before = cpu_seconds();
                let derived = derive(subject, builds, &relation, proof.by(), &config)?;
                let seconds = cpu_seconds() - before;
                let about = format!("{}/{name}:{relation}", project.name());
                let by_every_case = proof.by() == By::AllCases;
                by_cases += u32::from(by_every_case);
                proved += u32::from(!by_every_case);
                let (mut obligations, mut met, mut said) = (0, None, "no certificate".to_owned());
                match derived {
                    Ok(certificate) => {
                        obligations = certificate.files.len();
                        with_obligations += u32::from(!by_every_case && obligations > 0);
                        said = certificate.manifest.states.clone();
                        if !by_every_case && obligations > 0 {
                            let failing = second_opinion(&certificate, &second)?;
                            checked += u32::from(failing.is_none());
                            met = Some(failing.is_none());
                            if let Some(failing) = failing {
                                said = format!("{said}; {failing}");
                            }
                        }
                        let cheap = seconds < CHEAP;
                        proofs.push(Proved { subject: place, certificate, cheap });
                    }
                    Err(reasons) => said = format!("{said}: {}", reasons.join("; ")),
                }
                eprintln!("{about}: {obligations} obligations, {said}");
                results.row(&json!({
                    "relation": about,
                    "way": proof.by(),
                    "obligations": obligations,
                    "checked by the second solver": met,
                    "states": said,
                    "cpu_seconds of deriving": (seconds * 100.0).round() / 100.0,
                }));
            }
        }
    }
    let (mut forged, mut accepted, mut kinds) = (0u32, 0u32, std::collections::BTreeMap::<&str, u32>::new());
    let mut genuine_refused = 0u32;
    for (number, proof) in proofs.iter().enumerate().filter(|(_, proof)| proof.cheap) {
        let (subject, builds) = &subjects[proof.subject];
        let accepts = |certificate: &forge::Folder| -> Result<bool, Box<dyn Error>> {
            let folder = tempfile::tempdir()?;
            certificate.write(folder.path())?;
            Ok(check(folder.path(), subject, builds, &config, &[], EACH)?.refused.is_none())
        };
        genuine_refused += u32::from(!accepts(&forge::Folder::of(&proof.certificate))?);
        // Those of other proofs are what certificates of other modules, relations and bounds are made of.
        let others: Vec<&Certificate> = proofs.iter().map(|other| &other.certificate).collect();
        for (kind, folder) in forge::all(&proof.certificate, &others, number) {
            forged += 1;
            *kinds.entry(kind).or_default() += 1;
            if accepts(&folder)? {
                accepted += 1;
                eprintln!("accepted: {kind} of {}:{}", subject.name(), proof.certificate.manifest.relation);
                results.row(&json!({
                    "relation": format!("{}:{}", subject.name(), proof.certificate.manifest.relation),
                    "way": "forged",
                    "obligations": 0,
                    "checked by the second solver": null,
                    "states": kind,
                    "cpu_seconds of deriving": null,
                }));
            }
        }
    }
    let listed: Vec<String> = kinds.iter().map(|(kind, count)| format!("{kind}: {count}")).collect();
    results.notes.push(format!("Forgeries by kind: {}.", listed.join("; ")));
    let percent = |part: u32, all: u32| (1000.0 * f64::from(part) / f64::from(all.max(1))).round() / 10.0;
    results.total("proofs", proved);
    results.total("proofs_by_enumeration", by_cases);
    results.total("with_obligations_pct", percent(with_obligations, proved));
    results.total("checked_by_second_solver_pct", percent(checked, proved));
    results.total("forgeries", forged);
    results.total("forgery_kinds", kinds.len());
    results.total("forged_accepted", accepted);
    results.total("genuine_refused", genuine_refused);
    let path = results.write()?;
    eprintln!("{}\n{}", path.display(), serde_json::to_string(&results.totals)?);
    Ok(())
}

/// The projects of the examples and of the studies that prove.
fn projects(root: &Path) -> Result<Vec<Project>, Box<dyn Error>> {
    let mut folders: Vec<PathBuf> = Vec::new();
    for parent in ["examples", "subjects/pairs", "experiments/loops/programs"] {
        for entry in std::fs::read_dir(root.join(parent))? {
            let folder = entry?.path();
            if folder.join("twinrun.toml").is_file() {
                folders.push(folder);
            }
        }
    }
    folders.sort();
    folders.iter().map(|folder| Ok(Project::find(folder)?)).collect()
}

/// The first obligation that the second solver does not find unsatisfiable, and what it says.
fn second_opinion(certificate: &Certificate, solver: &Program) -> Result<Option<String>, Box<dyn Error>> {
    let folder = tempfile::tempdir()?;
    certificate.save(folder.path())?;
    for entry in &certificate.manifest.obligations {
        let file = folder.path().join(&entry.file);
        let limit = format!("--tlimit={}", EACH.as_millis());
        let output = Command::new(&solver.path).arg(limit).arg(&file).stdin(Stdio::null()).output()?;
        let said = String::from_utf8_lossy(&output.stdout);
        let answer = said.lines().next().unwrap_or("no answer");
        if answer != "unsat" {
            return Ok(Some(format!(
                "{} says {answer} to {} ({})",
                solver.kind.name(),
                entry.file,
                entry.states
            )));
        }
    }
    Ok(None)
}
