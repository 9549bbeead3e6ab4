//! The report: ranked suspects with their reasons, from evidence alone.

use serde::{Deserialize, Serialize};
use twinrun_base::Location;

use crate::evidence::{Evidence, bits};
use crate::formulas::Counts;
use crate::lines::Line;
use crate::measures::exam;
use crate::mend::{Mended, Worth};
use crate::method::{Mending, Method, Unit, line_counts, scores};
use crate::ranking::{Ranking, Ties};

/// What is asked for.
#[derive(Clone, Copy)]
pub struct Options {
    /// The method.
    pub method: Method,
    /// How equals are ranked.
    pub ties: Ties,
    /// How many suspects are listed.
    pub most: usize,
}

/// Ranked suspects.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Report {
    /// The version of this form.
    pub version: u32,
    /// The subject.
    pub subject: String,
    /// The formula's name.
    pub formula: String,
    /// What slices are: `execution`, `dynamic` or `relevant`.
    pub slice: String,
    /// Whether suspects can be named, and if not, why.
    pub state: State,
    /// How sure the ranking is.
    pub confidence: Confidence,
    /// How the groups ended.
    pub groups: Groups,
    /// The suspects, most suspicious first.
    pub suspects: Vec<Suspect>,
    /// Lines with code.
    pub lines: usize,
    /// Every line that a violated group touched, with how suspicious it is between 0 and 1.
    pub heat: Vec<Heat>,
    /// What a reference says, where there is one.
    pub against: Option<Against>,
    /// What the user should know.
    pub notes: Vec<String>,
}

/// Whether suspects can be named.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum State {
    /// They are ranked.
    Ranked,
    /// No group was violated: nothing is wrong as far as the relations can see.
    NoViolations,
    /// No group holds: there is nothing to compare with.
    NoHolding,
    /// Nothing tells the suspects apart.
    AllTie,
    /// No coverage was observed.
    NoCoverage,
    /// No group ended: all cases were discarded or timed out, or the subject is not stable.
    NoGroups,
}

/// How sure a ranking is.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Confidence {
    /// `high`, `medium`, `low` or `none`.
    pub level: String,
    /// Why.
    pub reason: String,
}

/// How the groups ended.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Groups {
    /// Violated (or crashed) groups.
    pub violated: usize,
    /// Holding groups.
    pub holding: usize,
    /// Of all these, groups found while violated cases were made smaller.
    pub near: usize,
    /// The same for each relation.
    pub relations: Vec<RelationGroups>,
}

/// The groups of one relation.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct RelationGroups {
    /// Its name.
    pub relation: String,
    /// Violated groups.
    pub violated: usize,
    /// Holding groups.
    pub holding: usize,
}

/// A suspected line.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Suspect {
    /// Its place in the ranking, from 1; equals have the same.
    pub rank: usize,
    /// How many lines are equally suspicious, itself included.
    pub equals: usize,
    /// Where.
    pub location: Location,
    /// The function that it stands in.
    pub function: String,
    /// The score; comparable within one ranking only.
    pub score: f64,
    /// How many groups touch it and how they ended.
    pub counts: Counts,
    /// Why it is suspected, in one sentence.
    pub reason: String,
    /// For each relation the violated groups that touch it.
    pub relations: Vec<(String, usize)>,
    /// The change at this line that mends most, if one mends anything.
    pub mended: Option<Mended>,
}

/// How suspicious one line is.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Heat {
    /// Where.
    pub location: Location,
    /// From 0 to 1.
    pub heat: f64,
}

/// What a reference version says.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Against {
    /// The reference.
    pub reference: String,
    /// Runs whose answer was compared.
    pub runs: usize,
    /// Runs that answer differently.
    pub failed: usize,
    /// Groups that hold although one of their runs fails.
    pub coincidental: usize,
    /// Lines in which the two sources differ.
    pub faults: Vec<Location>,
    /// The rank of the first faulty line and its EXAM for each way to judge: relations alone, then an oracle on source runs,
    /// on follow-ups, on all.
    pub scenarios: Vec<Scenario>,
}

/// One way to judge runs.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Scenario {
    /// Its name.
    pub name: String,
    /// The rank of the first faulty line.
    pub rank: Option<f64>,
    /// The share of lines to look at.
    pub exam: Option<f64>,
}

impl Scenario {
    /// The scenario of a ranking.
    pub fn of(name: &str, ranking: &Ranking, wanted: &[usize], ties: Ties) -> Scenario {
        let rank = ranking.rank(wanted, ties);
        Scenario { name: name.to_owned(), rank, exam: rank.map(|rank| exam(rank, ranking.scores.len())) }
    }
}

/// Ranks the suspects.
pub fn locate(subject: &str, evidence: &Evidence, mended: &[Mended], options: &Options) -> Report {
    let method = &options.method;
    let ranked = Ranked::new(evidence, mended, method);
    let groups = groups(evidence);
    let state = state(evidence, &groups, &ranked);
    let suspects = match state {
        State::Ranked | State::NoHolding | State::AllTie => ranked.suspects(options.most),
        State::NoViolations | State::NoCoverage | State::NoGroups => Vec::new(),
    };
    Report {
        version: 1,
        subject: subject.to_owned(),
        formula: method.formula.name.to_owned(),
        slice: "execution".to_owned(),
        state,
        confidence: confidence(state, &groups, &suspects),
        groups,
        suspects,
        lines: evidence.lines.lines.len(),
        heat: ranked.heat(),
        against: None,
        notes: Vec::new(),
    }
}

/// Lines by suspicion, with what the suspicion is made of.
struct Ranked<'a> {
    evidence: &'a Evidence,
    mended: &'a [Mended],
    worth: Worth,
    counts: Vec<Counts>,
    ranking: Ranking,
    /// What the formula says alone.
    by_formula: Vec<f64>,
    /// Lines that a violated group touches, most suspicious first.
    touched: Vec<usize>,
}

impl Ranked<'_> {
    fn new<'a>(evidence: &'a Evidence, mended: &'a [Mended], method: &Method) -> Ranked<'a> {
        let ranking = Ranking::of(scores(evidence, mended, method));
        let by_formula = scores(evidence, &[], &Method { mending: Mending::Off, ..*method });
        let counts = line_counts(evidence, &Method { unit: Unit::Line, ..*method });
        let touched = ranking.order.iter().copied().filter(|line| counts[*line].ef > 0.0).collect();
        Ranked { evidence, mended, worth: method.worth, counts, ranking, by_formula, touched }
    }

    fn suspects(&self, most: usize) -> Vec<Suspect> {
        self.touched.iter().take(most).map(|line| self.suspect(*line)).collect()
    }

    /// The place of a line among those that violated groups touch, from 1, and how many have the same.
    fn place(&self, scores: &[f64], line: usize) -> (usize, usize) {
        let above = self.touched.iter().filter(|other| scores[**other] > scores[line]).count();
        (above + 1, self.touched.iter().filter(|other| scores[**other] == scores[line]).count())
    }

    fn suspect(&self, line: usize) -> Suspect {
        let Ranked { evidence, mended, .. } = self;
        let (rank, equals) = self.place(&self.ranking.scores, line);
        let (without, others) = self.place(&self.by_formula, line);
        let best = mended
            .iter()
            .filter(|mend| mend.line as usize == line)
            .max_by(|a, b| a.worth(self.worth).total_cmp(&b.worth(self.worth)))
            .cloned();
        let mut relations = vec![0; evidence.relations.len()];
        for group in evidence.groups.iter().filter(|group| group.violated) {
            let union = evidence.union(group);
            let touches = bits(&union).any(|block| {
                evidence.lines.blocks.get(block).is_some_and(|lines| lines.contains(&(line as u32)))
            });
            relations[group.relation as usize] += usize::from(touches);
        }
        let named =
            evidence.relations.iter().cloned().zip(relations).filter(|(_, count)| *count > 0).collect();
        let Line { location, function } = evidence.lines.lines[line].clone();
        // Without the change, the line would stand further down or among more equals.
        let lifted = without > rank || others > equals;
        Suspect {
            rank,
            equals,
            location,
            function,
            score: self.ranking.scores[line],
            counts: self.counts[line],
            reason: reason(
                &self.counts[line],
                best.as_ref().map(|mend| (mend, mend.worth(self.worth))),
                lifted,
            ),
            relations: named,
            mended: best,
        }
    }

    fn heat(&self) -> Vec<Heat> {
        // By place rather than by score: formulas have their own scales.
        let scores = &self.ranking.scores;
        let mut heat: Vec<(usize, f64)> = Vec::new();
        for (place, line) in self.touched.iter().enumerate() {
            let value = match heat.last() {
                Some((other, value)) if scores[*other] == scores[*line] => *value,
                _ => 1.0 - place as f64 / self.touched.len() as f64,
            };
            heat.push((*line, value));
        }
        heat.sort_by_key(|(line, _)| *line);
        heat.into_iter()
            .map(|(line, heat)| Heat { location: self.evidence.lines.lines[line].location.clone(), heat })
            .collect()
    }
}

fn groups(evidence: &Evidence) -> Groups {
    let by_relation = evidence.relations.iter().zip(evidence.by_relation());
    let relations: Vec<RelationGroups> = by_relation
        .map(|(name, (violated, holding))| RelationGroups { relation: name.clone(), violated, holding })
        .collect();
    Groups {
        violated: relations.iter().map(|it| it.violated).sum(),
        holding: relations.iter().map(|it| it.holding).sum(),
        near: evidence.groups.iter().filter(|group| group.near).count(),
        relations,
    }
}

fn state(evidence: &Evidence, groups: &Groups, ranked: &Ranked<'_>) -> State {
    let (touched, scores) = (&ranked.touched, &ranked.ranking.scores);
    let tie = touched.windows(2).all(|pair| scores[pair[0]] == scores[pair[1]]);
    if groups.violated + groups.holding == 0 {
        State::NoGroups
    } else if groups.violated == 0 {
        State::NoViolations
    } else if evidence.slices.iter().all(Vec::is_empty) || evidence.lines.lines.is_empty() {
        State::NoCoverage
    } else if touched.len() > 1 && tie {
        State::AllTie
    } else if groups.holding == 0 {
        State::NoHolding
    } else {
        State::Ranked
    }
}

/// Why a line is suspected, in one sentence: what put it where it is comes first. A change is named first where it lifted the
/// line, second where it agrees with the formula, and not at all where it mends by halves and changed nothing.
fn reason(counts: &Counts, mended: Option<(&Mended, f64)>, lifted: bool) -> String {
    let Counts { ef, ep, .. } = *counts;
    let (violated, holding) = (counts.f(), counts.p());
    let runs = match (ef == violated, ep) {
        (true, 0.0) => format!("run by all {violated} violated groups and by no holding one"),
        (false, 0.0) => format!("run by {ef} of {violated} violated groups and by no holding one"),
        (true, _) => format!("run by all {violated} violated groups and {ep} of {holding} holding ones"),
        (false, _) => format!("run by {ef} of {violated} violated and {ep} of {holding} holding groups"),
    };
    let Some((mend, score)) = mended else { return runs };
    let change = format!(
        "{} fixes {} of {} violated groups and leaves {} of {} holding ones through here as they are",
        words(mend.change),
        mend.mended,
        mend.violated,
        mend.kept,
        mend.holding
    );
    if lifted {
        format!("{change}; {runs}")
    } else if score >= AGREES {
        format!("{runs}; {change}")
    } else {
        runs
    }
}

/// The score from which on a change agrees with the formula rather than mending by halves.
const AGREES: f64 = 0.25;

/// A change in words.
pub fn words(change: twinrun_jit::patch::Change) -> String {
    use twinrun_jit::patch::Change;
    match change {
        Change::Negate => "the opposite condition".to_owned(),
        Change::Always => "a condition that is always true".to_owned(),
        Change::Never => "a condition that is never true".to_owned(),
        Change::Sign(sign) => format!("{} instead", sign.words()),
        Change::Plus(change) if change < 0 => format!("a value less by {}", -change),
        Change::Plus(change) => format!("a value greater by {change}"),
        Change::Value(value) => format!("the constant {value}"),
        Change::Variable(_) => "another variable".to_owned(),
        Change::Omit => "leaving the assignment out".to_owned(),
    }
}

fn confidence(state: State, groups: &Groups, suspects: &[Suspect]) -> Confidence {
    let of = |level: &str, reason: String| Confidence { level: level.to_owned(), reason };
    let first = suspects.first();
    let equals = first.map_or(0, |first| first.equals);
    let mends = first.and_then(|first| first.mended.as_ref());
    match state {
        State::NoViolations | State::NoCoverage | State::NoGroups => of("none", "there is nothing to rank".to_owned()),
        State::NoHolding => of("low", "no group holds, so that nothing tells the suspects apart".to_owned()),
        State::AllTie => of("low", format!("{equals} lines are equally suspicious")),
        State::Ranked if groups.violated < 5 => {
            of("low", format!("only {} violated group(s): draw more with --groups", groups.violated))
        }
        State::Ranked if mends.is_some_and(|mend| mend.mended == mend.violated && mend.kept == mend.holding) => of(
            // "High" would have to be right eight times in ten; measured, it was not.
            "medium",
            "one change at the first suspect fixes every violated group that was tried and changes no other answer"
                .to_owned(),
        ),
        State::Ranked if equals > 3 => of("low", format!("the first {equals} lines are equally suspicious")),
        State::Ranked if first.is_some_and(|first| first.counts.nf == 0.0 && first.counts.ep == 0.0) => {
            of("medium", "the first suspect is run by all violated groups and by no other".to_owned())
        }
        State::Ranked => of(
            "medium",
            format!("{} violated and {} holding groups were compared", groups.violated, groups.holding),
        ),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn mend(mended: u32, kept: u32) -> Mended {
        let (line, block, change) = (0, 0, twinrun_jit::patch::Change::Negate);
        let (partly, violated, held, holding, effects) = (mended, 8, kept, 8, Vec::new());
        let (answers_before, answers_after) = (8, 8);
        Mended {
            line,
            block,
            change,
            mended,
            partly,
            violated,
            held,
            kept,
            holding,
            answers_before,
            answers_after,
            effects,
        }
    }

    #[test]
    fn a_reason_begins_with_what_ranked_the_line() {
        let counts = Counts { ef: 5.0, ep: 0.0, nf: 0.0, np: 9.0 };
        let runs = "run by all 5 violated groups and by no holding one";
        let begins = |mend: Option<&Mended>, lifted, text: &str| {
            let reason = reason(&counts, mend.map(|it| (it, it.worth(Worth::Held))), lifted);
            assert!(reason.starts_with(text), "{reason}");
            assert!(reason.contains(runs), "{reason}");
        };
        begins(None, false, runs);
        begins(Some(&mend(8, 8)), true, "the opposite condition fixes 8 of 8");
        begins(Some(&mend(8, 8)), false, runs);
        let agreeing = reason(&counts, Some((&mend(8, 8), 1.0)), false);
        assert!(agreeing.contains("; the opposite condition fixes 8 of 8"), "{agreeing}");
        assert_eq!(reason(&counts, Some((&mend(2, 3), 0.1)), false), runs);
    }
}
