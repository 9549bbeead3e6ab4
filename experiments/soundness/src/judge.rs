//! What the prover says of relations, beside what is true.

use std::error::Error;
use std::path::Path;

use serde::{Deserialize, Serialize};
use twinrun_base::{Case, Hash, Rng, Verdict as Ending};
use twinrun_prove::{Builds, Condition, Config, Report, Safety, pretest, prove_built};
use twinrun_results::cpu_seconds;
use twinrun_testing::engine::WasmSubject;
use twinrun_testing::generate::Generator;
use twinrun_testing::target::{Build, Target as _};

use crate::batch::{Batch, Relation};
use crate::conditions::disagreement;
use crate::native::{self, Sanitiser};
use crate::printed::Named;
use crate::truth::{Truth, each};
use crate::walk::Walk;

/// One relation, judged.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Judged {
    /// The relation's name.
    pub name: String,
    /// Its family.
    pub family: String,
    /// The hash of its source.
    pub hash: Hash,
    /// What is true; none when it has too many cases.
    pub truth: Option<Truth>,
    /// `proved`, `over reals`, `violated` or `unknown`.
    pub verdict: String,
    /// `proved`, `broken` or `unknown`.
    pub safety: String,
    /// Why, where it is unknown.
    pub reasons: Vec<String>,
    /// Everything that was said and is false.
    pub false_answers: Vec<FalseAnswer>,
    /// Unknown without the net, although a thousand drawn groups show a violation.
    pub unknown_refuted: bool,
    /// And unknown with the net as well: as users get it.
    pub unknown_to_users: bool,
    /// Called proved or safe, but the test before a proof finds a group that fails.
    pub caught_by_pretest: bool,
    /// Whether that test was run.
    pub pretested: bool,
    /// Conditions that were printed, and those of them that the evaluator could not read.
    pub conditions: (u32, u32),
    /// Whether sanitisers ran it.
    pub natively: bool,
}

/// Something false that was said.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct FalseAnswer {
    /// What kind.
    pub kind: Falsehood,
    /// What was said, and what is true.
    pub detail: String,
}

/// The kinds of false answers.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Falsehood {
    /// Proved, but some case fails.
    Proved,
    /// Proved over the reals and over integers without overflow, but some case fails, without reals and without overflow.
    OverReals,
    /// Violated, but no case fails.
    Violated,
    /// A printed condition that is not as it says.
    Exact,
    /// Safe, but a sanitiser finds something.
    Safe,
    /// A use of a byte that nobody wrote, in a program without one.
    Uninitialised,
    /// Unsafe for another reason, but no sanitiser finds anything.
    Unsafe,
    /// The engine counts other cases or other failing ones than the machine itself, in a program without undefined behaviour.
    Engine,
    /// The prover gave up with an error.
    Failed,
}

/// The test before a proof takes as long as all else: it is run for one relation in so many.
pub const NET: u64 = 5;

impl Relation {
    /// Whether the test before a proof is run for it. Those that are no random ones have no number: all of them are due.
    fn is_due(&self) -> bool {
        let digits = self.name.trim_start_matches(|c: char| !c.is_ascii_digit());
        digits.parse().map_or(true, |number: u64| number.is_multiple_of(NET))
    }
}

/// The prover without the net: no tests before a proof and no proofs by enumeration, so that the net is not the oracle.
pub fn without_net(config: Config) -> Config {
    Config { no_pretest: true, no_enumeration: true, failures: 3, ..config }
}

/// Judges all relations of a batch; tells of each as soon as the prover has answered, before sanitisers have, and the seconds that it took.
///
/// # Errors
/// When an engine or a native build cannot answer.
pub fn judge(
    batch: &Batch,
    config: &Config,
    tell: &mut dyn FnMut(&Judged, f64),
) -> Result<Vec<Judged>, Box<dyn Error>> {
    let mut all = Vec::new();
    let mut reports = Vec::new();
    let builds = Builds::of(&batch.subject, config)?;
    for relation in &batch.relations {
        let before = cpu_seconds();
        let (judged, report) = one(&batch.subject, &builds, relation, config)?;
        tell(&judged, cpu_seconds() - before);
        all.push(judged);
        reports.push(report);
    }
    natively(&batch.file, &mut all, &reports)?;
    Ok(all)
}

fn one(
    subject: &WasmSubject,
    builds: &Builds,
    relation: &Relation,
    config: &Config,
) -> Result<(Judged, Option<Report>), Box<dyn Error>> {
    let truth = Truth::of(subject, &relation.name)?;
    let mut judged = Judged {
        name: relation.name.clone(),
        family: relation.family.clone(),
        hash: Hash::of([&relation.source]),
        truth: truth.clone(),
        verdict: "unknown".to_owned(),
        safety: "unknown".to_owned(),
        reasons: Vec::new(),
        false_answers: Vec::new(),
        unknown_refuted: false,
        unknown_to_users: false,
        caught_by_pretest: false,
        pretested: false,
        conditions: (0, 0),
        natively: false,
    };
    let Some(truth) = truth else { return Ok((judged, None)) };
    let report = match prove_built(subject, builds, &relation.name, config, &mut |_| ()) {
        Ok(report) => report,
        Err(error) => {
            judged.wrong(Falsehood::Failed, error.to_string());
            return Ok((judged, None));
        }
    };
    let first = truth.first.clone().unwrap_or_default();
    // The word that the report has for it: what it carries beside that is not compared.
    let said = serde_json::to_value(&report.verdict)?;
    match said["is"].as_str().unwrap_or_default() {
        "proved" => {
            judged.verdict = "proved".to_owned();
            if !truth.holds() {
                let failing = truth.violated + truth.crashed + truth.timeouts;
                judged.wrong(Falsehood::Proved, format!("{failing} of {} cases fail: {first}", truth.cases));
            }
            // Draws from the cases that enumeration ran, but also looks for uses of bytes that nobody wrote.
            if relation.is_due() || !truth.holds() {
                judged.pretested = true;
                judged.caught_by_pretest =
                    pretest(subject, &relation.name, Build::Watched, config)?.is_some();
            }
        }
        "proved_over_reals" => {
            "over reals".clone_into(&mut judged.verdict);
            // Sanitisers end what overflows with a sign; without one it goes round in silence.
            let exact =
                !["float", "double", "uint", "unsigned"].iter().any(|it| relation.source.contains(it));
            if truth.violated > 0 && exact {
                judged.wrong(
                    Falsehood::OverReals,
                    format!("{} of {} cases fail: {first}", truth.violated, truth.cases),
                );
            }
        }
        "violated" | "crashed" => {
            judged.verdict = "violated".to_owned();
            if truth.violated == 0 && truth.crashed == 0 {
                judged.wrong(Falsehood::Violated, format!("all {} cases hold", truth.cases));
            }
        }
        _ => judged.reasons.push(said["reasons"].to_string()),
    }
    match &report.safety {
        Safety::Proved { .. } => {
            "proved".clone_into(&mut judged.safety);
            if relation.is_due() {
                judged.pretested = true;
                let caught = pretest(subject, &relation.name, Build::Checked, config)?;
                judged.caught_by_pretest |= caught == Some(Ending::Crashed);
            }
        }
        Safety::Broken { .. } => "broken".clone_into(&mut judged.safety),
        Safety::Unknown { reasons } => {
            judged.reasons.extend(reasons.iter().map(|reason| format!("safety: {reason}")));
        }
    }
    if judged.verdict == "unknown" && truth.violated > 0 {
        judged.unknown_refuted = refuted(subject, &relation.name)?;
        if judged.unknown_refuted {
            let config = Config { no_pretest: false, no_enumeration: false, ..config.clone() };
            let report = prove_built(subject, builds, &relation.name, &config, &mut |_| ())?;
            judged.unknown_to_users = !report.verdict.is_failing();
        }
    }
    if report.fails_when.is_some() || !report.failures.is_empty() {
        conditions(subject, &relation.name, &report, &mut judged)?;
    }
    Ok((judged, Some(report)))
}

impl Judged {
    /// Whether something false of this kind was said.
    pub fn says(&self, kind: Falsehood) -> bool {
        self.false_answers.iter().any(|answer| answer.kind == kind)
    }

    fn wrong(&mut self, kind: Falsehood, detail: String) {
        self.false_answers.push(FalseAnswer { kind, detail });
    }
}

/// Whether a thousand drawn groups show a violation.
fn refuted(subject: &WasmSubject, relation: &str) -> Result<bool, Box<dyn Error>> {
    let target = subject.target(relation)?;
    let Some(mut executor) = target.executor(Build::Plain)? else { return Ok(false) };
    let mut generator = Generator::new(Rng::new(1), executor.dictionary());
    for _ in 0..1000 {
        generator.begin(&[]);
        if executor.run(&mut generator)?.verdict == Ending::Violated {
            return Ok(true);
        }
    }
    Ok(false)
}

/// Compares every printed condition with all cases.
fn conditions(
    subject: &WasmSubject,
    relation: &str,
    report: &Report,
    judged: &mut Judged,
) -> Result<(), Box<dyn Error>> {
    let mut cases: Vec<(Case, Named, bool)> = Vec::new();
    each(subject, relation, &mut Walk::keeping(), &mut |case, verdict| {
        cases.push((case.clone(), Named::of(case), verdict == Ending::Violated));
        true
    })?;
    let mut told: Vec<(&str, &Condition, bool, bool)> = Vec::new();
    if let Some(condition) = &report.fails_when {
        told.push(("fails", condition, condition.exact, true));
    }
    for failure in &report.failures {
        // Of one pair of paths: it says nothing of other pairs.
        told.push(("a pair fails", &failure.fails_when, false, true));
        if let Some(condition) = &failure.holds_when {
            told.push(("a pair holds", condition, false, false));
        }
    }
    for (what, condition, both_ways, fails) in told {
        judged.conditions.0 += 1;
        match disagreement(&condition.alternatives, &cases, fails, both_ways) {
            Ok(None) => {}
            Ok(Some(detail)) => {
                let exactly = if condition.exact { "exactly when" } else { "when" };
                judged.wrong(Falsehood::Exact, format!("{what} {exactly} {condition}: {detail}"));
            }
            Err(_) => judged.conditions.1 += 1,
        }
    }
    Ok(())
}

/// The same cases and the same failing ones natively, where nothing is undefined: the truth itself is looked at twice.
fn compare(judged: &mut Judged, address: &str, memory: &str) {
    let counts = |said: &str| {
        let (cases, violated) = said.strip_prefix("clean ")?.split_once(' ')?;
        Some((cases.parse::<u64>().ok()?, violated.parse::<u64>().ok()?))
    };
    if let (Some(native), Some(_), Some(truth)) = (counts(address), counts(memory), judged.truth.as_ref())
        && native != (truth.cases, truth.violated)
    {
        let detail = format!(
            "{} of {} cases fail, natively {} of {}",
            truth.violated, truth.cases, native.1, native.0
        );
        judged.wrong(Falsehood::Engine, detail);
    }
}

/// Compares what was said of safety with sanitisers over all cases.
fn natively(file: &Path, all: &mut [Judged], reports: &[Option<Report>]) -> Result<(), Box<dyn Error>> {
    let asked = |it: &&Judged| it.safety != "unknown" || it.says(Falsehood::Violated);
    let names: Vec<String> = all.iter().filter(asked).map(|it| it.name.clone()).collect();
    let Some(address) = native::run(file, &names, Sanitiser::AddressAndUndefined)? else { return Ok(()) };
    let Some(memory) = native::run(file, &names, Sanitiser::Memory)? else { return Ok(()) };
    // MemorySanitizer takes some bits for defined that are not, after a multiplication for instance; where it finds nothing, memcheck is asked too.
    let memcheck = |name: &String| -> Result<bool, Box<dyn Error>> {
        let said = native::run(file, std::slice::from_ref(name), Sanitiser::Memcheck)?;
        Ok(said.is_none_or(|said| said.get(name).is_none_or(|said| said.starts_with("clean "))))
    };
    for (judged, report) in all.iter_mut().zip(reports) {
        let (Some(address), Some(memory), Some(report)) =
            (address.get(&judged.name), memory.get(&judged.name), report)
        else {
            continue;
        };
        judged.natively = true;
        compare(judged, address, memory);
        let clean = |said: &str| said.starts_with("clean ");
        if !(clean(address) && clean(memory)) {
            // What is undefined may hold in the engine and fails all the same; what overflows was excepted.
            let open = [Falsehood::Violated, Falsehood::OverReals];
            judged.false_answers.retain(|answer| !open.contains(&answer.kind));
        }
        match &report.safety {
            Safety::Proved { .. } => {
                for said in [address, memory].into_iter().filter(|said| !clean(said)) {
                    judged.wrong(Falsehood::Safe, said.clone());
                }
            }
            Safety::Broken { crashes, .. } => {
                for crash in crashes.iter().filter(|crash| crash.confirmed) {
                    let message = &crash.crash.message;
                    if message.contains("uninitialised") {
                        if clean(memory) && memcheck(&judged.name)? {
                            judged.wrong(Falsehood::Uninitialised, message.clone());
                        }
                    } else if clean(address) && clean(memory) {
                        judged.wrong(Falsehood::Unsafe, message.clone());
                    }
                }
            }
            Safety::Unknown { .. } => {}
        }
    }
    Ok(())
}
