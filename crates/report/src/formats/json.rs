//! Everything that a report says, as versioned JSON; described in the book (`json.md`).
//!
//! The types here mirror those of `base`, so that the inside can change without changing what programs read. A change that
//! could break a reader raises [`VERSION`].

use serde::{Deserialize, Serialize};
use twinrun_base::Cause;
use twinrun_base::finding::Suspect;
use twinrun_base::report::{Counts, RelationSummary};
use twinrun_base::{
    Case, Crash, Domain, Exit, FailedCheck, Finding, Group, Hash, Input, Location, Op, Operator, ProgramRun,
    Repair, Report, Run, Value, Verdict,
};

use crate::formats::Options;
use crate::rules::rule;

/// What the field `schema` says.
pub const SCHEMA: &str = "twinrun-report";
/// The version that is written and read.
pub const VERSION: u32 = 1;

/// Why a text is not a report.
#[derive(Debug, thiserror::Error)]
pub enum Error {
    /// Not JSON, or not of this schema.
    #[error("this is not a report of Twinrun: {0}")]
    NotAReport(#[from] serde_json::Error),
    /// A report of another version.
    #[error(
        "the report has version {found}, and this program reads version {VERSION}; make the report again"
    )]
    Version {
        /// The version in the text.
        found: u32,
    },
}

/// The whole report.
pub fn render(report: &Report, _: &Options<'_>) -> String {
    let mirror = ReportMirror::from(report);
    // Plain data with string keys always has a JSON form.
    serde_json::to_string_pretty(&mirror).unwrap_or_default() + "\n"
}

/// Reads a report back.
pub fn parse(text: &str) -> Result<Report, Error> {
    #[derive(Deserialize)]
    struct Head {
        version: u32,
    }
    let head: Head = serde_json::from_str(text)?;
    if head.version != VERSION {
        return Err(Error::Version { found: head.version });
    }
    Ok(serde_json::from_str::<ReportMirror>(text)?.into())
}

#[derive(Serialize, Deserialize)]
struct ReportMirror {
    schema: String,
    version: u32,
    twinrun: String,
    command: String,
    seed: u64,
    exit: Exit,
    interrupted: bool,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    cut: Option<Cause>,
    relations: Vec<RelationMirror>,
    findings: Vec<FindingMirror>,
    notices: Vec<String>,
}

#[derive(Serialize, Deserialize)]
struct RelationMirror {
    subject: String,
    relation: String,
    counts: Counts,
    covered: Option<Covered>,
    seconds: Number,
    stopped: bool,
    notices: Vec<String>,
}

#[derive(Serialize, Deserialize)]
struct Covered {
    blocks: u64,
    of: u64,
}

#[derive(Serialize, Deserialize)]
struct FindingMirror {
    fingerprint: Hash,
    #[serde(skip_deserializing)]
    rule: &'static str,
    subject: String,
    relation: String,
    verdict: Verdict,
    location: Option<Location>,
    case: Vec<InputMirror>,
    runs: Vec<RunMirror>,
    check: Option<CheckMirror>,
    crash: Option<Crash>,
    work: u64,
    found: Vec<InputMirror>,
    seen: u64,
    shrinks: u64,
    dependent_runs: bool,
    checked_build: bool,
    saved: Option<String>,
    suspects: Vec<SuspectMirror>,
    #[serde(default)]
    critical: Option<SuspectMirror>,
    #[serde(default)]
    fails_when: Option<String>,
    #[serde(default)]
    repairs: Vec<Repair>,
    #[serde(default)]
    unsaid: Vec<String>,
    relation_location: Option<Location>,
}

#[derive(Serialize, Deserialize)]
struct SuspectMirror {
    location: Location,
    score: Number,
    reason: String,
}

#[derive(Serialize, Deserialize)]
struct CheckMirror {
    operator: Operator,
    text: String,
    left: ValueMirror,
    right: ValueMirror,
    tolerance: Option<Number>,
    location: Option<Location>,
}

#[derive(Serialize, Deserialize)]
struct InputMirror {
    name: String,
    domain: Domain,
    value: ValueMirror,
}

#[derive(Serialize, Deserialize)]
struct RunMirror {
    given: Vec<Named>,
    outputs: Vec<Named>,
    program: Option<ProgramMirror>,
}

#[derive(Serialize, Deserialize)]
struct Named {
    name: String,
    value: ValueMirror,
}

#[derive(Serialize, Deserialize)]
struct ProgramMirror {
    arguments: Vec<Bytes>,
    stdin: Bytes,
    exit: i32,
    stdout: Bytes,
    stderr: Bytes,
}

#[derive(Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
enum ValueMirror {
    Int(i64),
    Float(Number),
    Ints(Vec<i64>),
    Floats(Vec<Number>),
    Bytes(Bytes),
    Ops(Vec<Op>),
}

/// Text where it is UTF-8, else hexadecimal digits.
#[derive(Serialize, Deserialize)]
#[serde(untagged)]
enum Bytes {
    Text(String),
    Hex { hex: String },
}

/// A number, or `"NaN"`, `"inf"`, `"-inf"`, for which JSON has none.
#[derive(Serialize, Deserialize)]
#[serde(untagged)]
enum Number {
    Finite(f64),
    Other(String),
}

impl From<f64> for Number {
    fn from(number: f64) -> Self {
        if number.is_finite() { Self::Finite(number) } else { Self::Other(number.to_string()) }
    }
}

impl From<Number> for f64 {
    fn from(number: Number) -> Self {
        match number {
            Number::Finite(number) => number,
            Number::Other(text) => text.parse().unwrap_or(f64::NAN),
        }
    }
}

impl From<&[u8]> for Bytes {
    fn from(bytes: &[u8]) -> Self {
        match std::str::from_utf8(bytes) {
            Ok(text) => Self::Text(text.to_string()),
            Err(_) => Self::Hex { hex: bytes.iter().map(|byte| format!("{byte:02x}")).collect() },
        }
    }
}

impl From<Bytes> for Vec<u8> {
    fn from(bytes: Bytes) -> Self {
        match bytes {
            Bytes::Text(text) => text.into_bytes(),
            Bytes::Hex { hex } => {
                let digit = |byte: &u8| (*byte as char).to_digit(16).unwrap_or(0) as u8;
                hex.as_bytes()
                    .chunks(2)
                    .map(|two| two.iter().fold(0, |sum, it| sum << 4 | digit(it)))
                    .collect()
            }
        }
    }
}

impl From<&Value> for ValueMirror {
    fn from(value: &Value) -> Self {
        match value {
            Value::Int(number) => Self::Int(*number),
            Value::Float(number) => Self::Float((*number).into()),
            Value::Ints(numbers) => Self::Ints(numbers.clone()),
            Value::Floats(numbers) => Self::Floats(numbers.iter().map(|it| (*it).into()).collect()),
            Value::Bytes(bytes) => Self::Bytes(bytes.as_slice().into()),
            Value::Ops(ops) => Self::Ops(ops.clone()),
        }
    }
}

impl From<ValueMirror> for Value {
    fn from(value: ValueMirror) -> Self {
        match value {
            ValueMirror::Int(number) => Self::Int(number),
            ValueMirror::Float(number) => Self::Float(number.into()),
            ValueMirror::Ints(numbers) => Self::Ints(numbers),
            ValueMirror::Floats(numbers) => Self::Floats(numbers.into_iter().map(Into::into).collect()),
            ValueMirror::Bytes(bytes) => Self::Bytes(bytes.into()),
            ValueMirror::Ops(ops) => Self::Ops(ops),
        }
    }
}

fn named(pairs: &[(String, Value)]) -> Vec<Named> {
    pairs.iter().map(|(name, value)| Named { name: name.clone(), value: value.into() }).collect()
}

fn pairs(named: Vec<Named>) -> Vec<(String, Value)> {
    named.into_iter().map(|Named { name, value }| (name, value.into())).collect()
}

impl From<&Run> for RunMirror {
    fn from(Run { given, outputs, program }: &Run) -> Self {
        let program =
            program.as_ref().map(|ProgramRun { arguments, stdin, exit, stdout, stderr }| ProgramMirror {
                arguments: arguments.iter().map(|argument| argument.as_slice().into()).collect(),
                stdin: stdin.as_slice().into(),
                exit: *exit,
                stdout: stdout.as_slice().into(),
                stderr: stderr.as_slice().into(),
            });
        Self { given: named(given), outputs: named(outputs), program }
    }
}

impl From<RunMirror> for Run {
    fn from(RunMirror { given, outputs, program }: RunMirror) -> Self {
        let program = program.map(|ProgramMirror { arguments, stdin, exit, stdout, stderr }| ProgramRun {
            arguments: arguments.into_iter().map(Into::into).collect(),
            stdin: stdin.into(),
            exit,
            stdout: stdout.into(),
            stderr: stderr.into(),
        });
        Self { given: pairs(given), outputs: pairs(outputs), program }
    }
}

fn mirror_case(case: &Case) -> Vec<InputMirror> {
    let mirror = |Input { name, domain, value }: &Input| InputMirror {
        name: name.clone(),
        domain: domain.clone(),
        value: value.into(),
    };
    case.inputs.iter().map(mirror).collect()
}

fn read_case(inputs: Vec<InputMirror>) -> Case {
    let read = |InputMirror { name, domain, value }| Input { name, domain, value: Value::from(value) };
    Case { inputs: inputs.into_iter().map(read).collect() }
}

impl From<&Finding> for FindingMirror {
    // No `..` here and below: a new field must not be forgotten.
    fn from(finding: &Finding) -> Self {
        let Finding {
            fingerprint,
            subject,
            relation,
            verdict,
            group: Group { case, verdict: _, runs, check, crash, work },
            found,
            seen,
            shrinks,
            dependent_runs,
            checked_build,
            saved,
            suspects,
            critical,
            fails_when,
            repairs,
            unsaid,
            relation_location,
        } = finding;
        Self {
            fingerprint: *fingerprint,
            rule: rule(finding).id,
            subject: subject.clone(),
            relation: relation.clone(),
            verdict: *verdict,
            location: finding.location().cloned(),
            case: mirror_case(case),
            runs: runs.iter().map(Into::into).collect(),
            check: check.as_ref().map(|FailedCheck { operator, text, left, right, tolerance, location }| {
                CheckMirror {
                    operator: *operator,
                    text: text.clone(),
                    left: left.into(),
                    right: right.into(),
                    tolerance: tolerance.map(Into::into),
                    location: location.clone(),
                }
            }),
            crash: crash.clone(),
            work: *work,
            found: mirror_case(found),
            seen: *seen,
            shrinks: *shrinks,
            dependent_runs: *dependent_runs,
            checked_build: *checked_build,
            saved: saved.clone(),
            suspects: suspects.iter().map(Into::into).collect(),
            critical: critical.as_ref().map(Into::into),
            fails_when: fails_when.clone(),
            repairs: repairs.clone(),
            unsaid: unsaid.clone(),
            relation_location: relation_location.clone(),
        }
    }
}

impl From<&Suspect> for SuspectMirror {
    fn from(Suspect { location, score, reason }: &Suspect) -> Self {
        Self { location: location.clone(), score: (*score).into(), reason: reason.clone() }
    }
}

impl From<FindingMirror> for Finding {
    fn from(finding: FindingMirror) -> Self {
        let check = finding.check.map(|check| FailedCheck {
            operator: check.operator,
            text: check.text,
            left: check.left.into(),
            right: check.right.into(),
            tolerance: check.tolerance.map(Into::into),
            location: check.location,
        });
        let suspect =
            |it: SuspectMirror| Suspect { location: it.location, score: it.score.into(), reason: it.reason };
        Self {
            fingerprint: finding.fingerprint,
            subject: finding.subject,
            relation: finding.relation,
            verdict: finding.verdict,
            group: Group {
                case: read_case(finding.case),
                verdict: finding.verdict,
                runs: finding.runs.into_iter().map(Into::into).collect(),
                check,
                crash: finding.crash,
                work: finding.work,
            },
            found: read_case(finding.found),
            seen: finding.seen,
            shrinks: finding.shrinks,
            dependent_runs: finding.dependent_runs,
            checked_build: finding.checked_build,
            saved: finding.saved,
            suspects: finding.suspects.into_iter().map(suspect).collect(),
            critical: finding.critical.map(suspect),
            fails_when: finding.fails_when,
            repairs: finding.repairs,
            unsaid: finding.unsaid,
            relation_location: finding.relation_location,
        }
    }
}

impl From<&Report> for ReportMirror {
    fn from(report: &Report) -> Self {
        let Report { command, version, seed, relations, findings, notices, cut } = report;
        let relation = |it: &RelationSummary| {
            let RelationSummary { subject, relation, counts, covered, seconds, notices, stopped } = it;
            RelationMirror {
                subject: subject.clone(),
                relation: relation.clone(),
                counts: *counts,
                covered: covered.map(|(blocks, of)| Covered { blocks, of }),
                seconds: (*seconds).into(),
                stopped: *stopped,
                notices: notices.clone(),
            }
        };
        Self {
            schema: SCHEMA.to_string(),
            version: VERSION,
            twinrun: version.clone(),
            command: command.clone(),
            seed: *seed,
            exit: report.exit(),
            interrupted: *cut == Some(Cause::Signal),
            cut: *cut,
            relations: relations.iter().map(relation).collect(),
            findings: findings.iter().map(Into::into).collect(),
            notices: notices.clone(),
        }
    }
}

impl From<ReportMirror> for Report {
    fn from(report: ReportMirror) -> Self {
        let relation = |it: RelationMirror| RelationSummary {
            subject: it.subject,
            relation: it.relation,
            counts: it.counts,
            covered: it.covered.map(|Covered { blocks, of }| (blocks, of)),
            seconds: it.seconds.into(),
            notices: it.notices,
            stopped: it.stopped,
        };
        Self {
            command: report.command,
            version: report.twinrun,
            seed: report.seed,
            relations: report.relations.into_iter().map(relation).collect(),
            findings: report.findings.into_iter().map(Into::into).collect(),
            notices: report.notices,
            cut: report.cut.or(report.interrupted.then_some(Cause::Signal)),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::formats::sample;

    fn text() -> String {
        render(&sample::report(), &sample::options(&sample::sources()))
    }

    #[test]
    fn json() {
        insta::assert_snapshot!(text());
    }

    #[test]
    fn a_report_survives_its_json() {
        // Through text, because a NaN does not equal itself.
        assert_eq!(format!("{:?}", parse(&text()).unwrap()), format!("{:?}", sample::report()));
        assert!(parse(&text().replace("\"version\": 1", "\"version\": 2")).is_err());
        assert!(matches!(parse("[]"), Err(Error::NotAReport(_))));
    }

    #[test]
    fn bytes_and_numbers_survive_exactly() {
        for bytes in [&b""[..], b"text\0\n", b"\xff\x00\x0a", "é".as_bytes()] {
            assert_eq!(Vec::from(Bytes::from(bytes)), bytes);
        }
        for number in [0.1, -0.0, f64::INFINITY, f64::NEG_INFINITY, f64::NAN, 5e-324] {
            let text = serde_json::to_string(&Number::from(number)).unwrap();
            let read: f64 = serde_json::from_str::<Number>(&text).unwrap().into();
            assert!(read.to_bits() == number.to_bits() || number.is_nan() && read.is_nan(), "{text}");
        }
    }

    #[test]
    fn every_field_is_described_in_the_book() {
        let book = include_str!("../../../../book/src/json.md");
        let mut missing = Vec::new();
        let mut visit = vec![serde_json::from_str::<serde_json::Value>(&text()).unwrap()];
        while let Some(value) = visit.pop() {
            match value {
                serde_json::Value::Array(items) => visit.extend(items),
                serde_json::Value::Object(fields) => {
                    for (key, value) in fields {
                        if !book.contains(&format!("`{key}`")) {
                            missing.push(key);
                        }
                        visit.push(value);
                    }
                }
                _ => {}
            }
        }
        assert_eq!(missing, Vec::<String>::new(), "book/src/json.md does not speak of them");
    }
}
