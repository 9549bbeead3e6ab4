//! What each technique says of places, and what a finding says of all that together.

use serde::{Deserialize, Serialize};
use twinrun_base::finding::Suspect;
use twinrun_base::{Case, Finding, Location, Verdict};
use twinrun_debug::Critical;
use twinrun_prove::Condition;

use crate::model::{Weights, evidence, judge};
use crate::outcome::{CaseFile, Proof};
use crate::repairs::Repaired;

/// A technique that ranks places.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Technique {
    /// Metamorphic slices.
    Locate,
    /// Concolic metamorphic debugging.
    Debug,
    /// Semi-proving.
    Prove,
}

impl Technique {
    /// How people are told of it.
    pub fn name(self) -> &'static str {
        match self {
            Technique::Locate => "metamorphic slices",
            Technique::Debug => "critical branches",
            Technique::Prove => "the failure condition",
        }
    }
}

/// One place of a voice.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Vote {
    /// Where.
    pub location: Location,
    /// How suspicious; comparable within one voice only.
    pub score: f64,
    /// Every failing group runs it, and no passing one.
    pub exclusive: bool,
    /// Why, in a few words.
    pub reason: String,
}

/// What one technique says.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Voice {
    /// Whose it is.
    pub technique: Technique,
    /// Its places, the most suspicious first.
    pub votes: Vec<Vote>,
}

/// The voices of a finding: metamorphic slices, critical branches, and the lines that the failure report highlights.
pub fn voices(
    located: Option<&twinrun_localize::report::Report>,
    debugged: Option<&twinrun_debug::Report>,
    proved: Option<&twinrun_prove::Report>,
) -> Vec<Voice> {
    let mut voices = Vec::new();
    if let Some(report) = located {
        let votes = report.suspects.iter().map(|suspect| Vote {
            location: suspect.location.clone(),
            score: suspect.score,
            exclusive: suspect.counts.nf == 0.0 && suspect.counts.ep == 0.0,
            // The rest says which groups run the line: numbers that the page has elsewhere.
            reason: suspect.reason.split(';').next().unwrap_or_default().to_owned(),
        });
        voices.push(Voice { technique: Technique::Locate, votes: votes.collect() });
    }
    if let Some(report) = debugged {
        let votes = report.critical.iter().filter_map(|critical| {
            let branch = &critical.branch;
            let location = branch.statement.as_ref().or(branch.location.as_ref())?;
            Some(Vote {
                location: location.clone(),
                score: critical.score,
                exclusive: false,
                reason: critical.reasons.first().cloned().unwrap_or_default(),
            })
        });
        voices.push(Voice { technique: Technique::Debug, votes: votes.collect() });
    }
    if let Some(report) = proved.and_then(|report| report.failure_report.as_ref()) {
        let votes = report.lines.iter().map(|line| Vote {
            location: line.location.clone(),
            score: line.score,
            exclusive: false,
            reason: match &line.mend {
                Some(mend) => mend.clone(),
                None => "it leads from the inputs to the failing check".to_owned(),
            },
        });
        voices.push(Voice { technique: Technique::Prove, votes: votes.collect() });
    }
    voices.retain(|voice| !voice.votes.is_empty());
    voices
}

/// Suspects of a finding that are kept.
const MOST: usize = 20;

/// Fills in what the techniques say of a finding.
pub(crate) fn explain(
    finding: &mut Finding,
    file: Option<&CaseFile>,
    proof: Option<&Proof>,
    weights: &Weights,
) {
    let located = file.and_then(|file| file.located.report());
    let debugged = file.and_then(|file| file.debugged.report());
    let proved = proof.and_then(|proof| proof.proved.report());
    let repaired = file.and_then(|file| file.repaired.report());
    let all = evidence(&voices(located, debugged, proved), repaired.map(|it| &it.outcome));
    finding.suspects = judge(&all, weights);
    finding.critical = debugged.and_then(|report| critical(report, &finding.relation, &finding.suspects));
    finding.suspects.truncate(MOST);
    finding.repairs = repaired.map_or_else(Vec::new, Repaired::told);
    let known = proved.filter(|_| finding.verdict == Verdict::Violated);
    let found = known.and_then(|report| report.fails_when.as_ref());
    // A condition stands beside the minimal case only if it holds for it.
    finding.fails_when = found.and_then(|condition| condition_of(condition, &finding.group.case));
    let silent = [
        file.and_then(|file| file.repaired.why()),
        file.and_then(|file| file.located.why()),
        file.and_then(|file| file.debugged.why()),
        proof.filter(|_| finding.verdict == Verdict::Violated).and_then(|proof| proof.proved.why()),
    ];
    finding.unsaid = silent.into_iter().flatten().map(str::to_owned).collect();
    if let (Verdict::Violated, Some(report), None) = (finding.verdict, proved, &finding.fails_when) {
        let reason = match (&report.verdict, &report.fails_when) {
            (_, Some(_)) => "proving: the failure condition that was found is one of other cases".to_owned(),
            (twinrun_prove::Verdict::Unknown { reasons }, _) if !reasons.is_empty() => {
                format!("proving: the failure condition was not found in the time: {}", reasons[0])
            }
            _ => "proving: the failure condition was not found in the time".to_owned(),
        };
        finding.unsaid.push(reason);
    }
}

/// How far before the first suspect its branch may stand, in lines.
const REACH: u32 = 12;

/// The branch to name, so that a finding has one place to look at: the first suspect's own, where that is a branch, else the nearest one before it that
/// debugging knows; where there is none, debugging's first, of this relation before others.
fn critical(report: &twinrun_debug::Report, relation: &str, suspects: &[Suspect]) -> Option<Suspect> {
    let place = |critical: &Critical| -> Option<Location> {
        critical.branch.statement.clone().or(critical.branch.location.clone())
    };
    let own = |critical: &Critical| {
        let pair = critical.pair.and_then(|pair| report.pairs.get(pair));
        pair.is_some_and(|pair| pair.relation == relation)
    };
    let before = |critical: &Critical| {
        let (at, first) = (place(critical)?, &suspects.first()?.location);
        let distance = first.line.checked_sub(at.line).filter(|distance| *distance <= REACH)?;
        (at.file == first.file).then_some(distance)
    };
    let named = report.critical.iter().enumerate().filter(|(_, it)| place(it).is_some());
    let (_, critical) = named.min_by_key(|(rank, it)| (before(it).unwrap_or(u32::MAX), !own(it), *rank))?;
    Some(Suspect { location: place(critical)?, score: critical.score, reason: critical.reasons.join("; ") })
}

/// A condition up to this long is told whole.
const SHORT: usize = 200;

/// When a relation fails as it does on a case: all of it, or the simplest alternative that the case is one of.
fn condition_of(condition: &Condition, case: &Case) -> Option<String> {
    let covering = condition.covering(case);
    (!covering.is_empty()).then(|| told(condition, &covering))
}

/// When a relation fails, short enough to be read: all of it, or its simplest alternative.
pub(crate) fn condition(condition: &Condition) -> String {
    let all: Vec<&str> = condition.alternatives.iter().map(String::as_str).collect();
    told(condition, &all)
}

fn told(condition: &Condition, from: &[&str]) -> String {
    let whole = condition.to_string();
    let least = from.iter().min_by_key(|part| part.len());
    match (least, condition.alternatives.len()) {
        (Some(least), many @ 2..) if whole.len() > SHORT => {
            format!("{least}, or on {} further pairs of paths", many - 1)
        }
        _ if condition.exact => whole,
        _ => format!("{whole}, at least"),
    }
}

#[cfg(test)]
mod tests {
    use twinrun_base::{Domain, Input, IntKind, Value};

    use super::*;

    #[test]
    fn a_long_condition_is_told_by_its_simplest_alternative() {
        let of = |alternatives: &[&str], exact| {
            condition(&Condition {
                alternatives: alternatives.iter().map(|it| (*it).to_owned()).collect(),
                exact,
            })
        };
        assert_eq!(of(&["a < b"], true), "a < b");
        assert_eq!(of(&["a < b"], false), "a < b, at least");
        assert_eq!(of(&["a < b", "c < a"], true), "(a < b) || (c < a)");
        assert_eq!(of(&[&"x".repeat(300), "a < b", "c"], true), "c, or on 2 further pairs of paths");
    }

    #[test]
    fn a_condition_stands_beside_a_case_only_if_it_covers_it() {
        let number = |name: &str, value: i64| Input {
            name: name.to_owned(),
            domain: Domain::Int { kind: IntKind::I32, lo: -9, hi: 9 },
            value: Value::Int(value),
        };
        let case = Case { inputs: vec![number("a", 3), number("b", 2)] };
        let of = |alternatives: &[&str]| {
            let alternatives = alternatives.iter().map(|it| (*it).to_owned()).collect();
            condition_of(&Condition { alternatives, exact: true }, &case)
        };
        assert_eq!(of(&["b < a"]).as_deref(), Some("b < a"));
        assert_eq!(of(&["a < b"]), None);
        assert_eq!(of(&["c < a"]), None, "a name that the case does not have");
        let long = format!("b < a && {}", vec!["a < 4"; 60].join(" && "));
        assert_eq!(of(&["a < b", &long]), Some(format!("{long}, or on 1 further pairs of paths")));
    }
}
