//! One model: what every technique found out about a line becomes features, and a model gives each line the probability that the fault is there.
//!
//! A conditional logit (McFadden, 1974): of all lines that some technique names, exactly one is the fault's, and line i is it with probability
//! exp(w·xᵢ) / Σⱼ exp(w·xⱼ). Evidence that is decisive outweighs any number of weak hints, which votes of equal weight could not. `./x experiment verdict` fits
//! weights on one half of the programs and measures ranks and calibration on the other.

use std::collections::BTreeMap;

use twinrun_base::Location;
use twinrun_base::finding::Suspect;
use twinrun_whatif::evidence::LineEffect;
use twinrun_whatif::repair::Outcome;

use crate::voices::{Technique, Voice};

/// What is known of a line, as numbers from 0 to 1.
pub const FEATURES: [&str; COUNT] = [
    "slices: score",
    "slices: first places",
    "slices: run by every failing group and no passing one",
    "edits: share of what satisfies everything",
    "edits: the line of the likeliest repair",
    "edits: worth of the best",
    "branches: first places",
    "branches: near a first place",
    "proving: first places",
    "agreement: slices and edits",
    "edits: share, as a logarithm",
    "edits: places of the best",
    "cases: run by failing rather than passing ones",
    "edits: how many of those tried here fix all",
    "branches: score",
    "agreement: branches and edits",
];

/// How many features there are.
pub const COUNT: usize = 16;

/// The weight of each feature.
pub type Weights = [f64; COUNT];

/// The weights in use. They were chosen by hand, with the example `maxsub` and a dozen mutants in view: `./x experiment verdict` fits others, and has not run whole.
pub const CHOSEN: Weights = [2.0, 1.0, 0.5, 5.0, 2.0, 2.0, 1.5, 0.5, 0.5, 1.0, 2.5, 0.5, 0.5, 0.0, 0.0, 0.5];

/// A line with what is known of it.
#[derive(Clone, Debug, PartialEq)]
pub struct Evidence {
    /// Where.
    pub location: Location,
    /// See [`FEATURES`].
    pub features: Weights,
    /// Why it may be here, the strongest reason first.
    pub reasons: Vec<String>,
}

/// How far the word of a branch reaches, in lines: the fault behind a critical branch often stands in what the branch guards.
const REACH: u32 = 3;

/// A line of a file.
type Line = (String, u32);

/// What the techniques say of each line that one of them names.
pub fn evidence(voices: &[Voice], edits: Option<&Outcome>) -> Vec<Evidence> {
    let mut lines: BTreeMap<Line, Evidence> = BTreeMap::new();
    if let Some(outcome) = edits {
        let places = places(&outcome.lines);
        for (rank, (effect, place)) in outcome.lines.iter().zip(places).enumerate() {
            let location = Location { file: effect.file.clone(), line: effect.line, column: 0 };
            let known = entry(&mut lines, &location);
            known.features[3] = effect.share;
            known.features[4] = f64::from(u8::from(rank == 0 && effect.share > 0.0));
            known.features[5] = effect.worth();
            known.features[10] = (1.0 + effect.share.max(LEAST).ln() / -LEAST.ln()).max(0.0);
            known.features[11] = if effect.best.is_some() { 1.0 / place } else { 0.0 };
            known.features[12] = (effect.run.0 - effect.run.1).max(0.0);
            known.features[13] = f64::from(effect.tried.1) / f64::from(effect.tried.0.max(1));
            if let Some(best) = &effect.best {
                known.reasons.push(format!(
                    "{} fixes {} of {} failing cases, breaks {} of {} passing ones",
                    best.change,
                    best.fixed,
                    best.failing,
                    best.passing - best.held,
                    best.passing
                ));
            }
        }
    }
    for voice in voices {
        let ranks = ranks(voice);
        let best = voice.votes.first().map_or(1.0, |vote| vote.score.max(f64::MIN_POSITIVE));
        for (vote, rank) in &ranks {
            let known = entry(&mut lines, &vote.location);
            if known.location.column == 0 {
                known.location.column = vote.location.column;
            }
            match voice.technique {
                Technique::Locate => {
                    known.features[0] = (vote.score / best).clamp(0.0, 1.0);
                    known.features[1] = 1.0 / rank;
                    known.features[2] = f64::from(u8::from(vote.exclusive));
                }
                Technique::Debug => {
                    known.features[6] = 1.0 / rank;
                    known.features[14] = vote.score.clamp(0.0, 1.0);
                }
                Technique::Prove => known.features[8] = 1.0 / rank,
            }
            // A technique that is not sure has no reason worth reading.
            if *rank <= 3.0 && !vote.reason.is_empty() {
                known.reasons.push(vote.reason.clone());
            }
        }
        if voice.technique == Technique::Debug {
            near(&mut lines, &ranks);
        }
    }
    for known in lines.values_mut() {
        known.features[9] = known.features[0] * known.features[5];
        known.features[15] = known.features[6].max(known.features[7]) * known.features[5];
    }
    lines.into_values().collect()
}

/// Shares below this say nothing.
const LEAST: f64 = 1e-4;

/// The place of each line by the worth of its best edit, from 1, equals in the middle of theirs.
fn places(lines: &[LineEffect]) -> Vec<f64> {
    let mut worths: Vec<f64> = lines.iter().map(LineEffect::worth).collect();
    worths.sort_by(|a, b| b.total_cmp(a));
    let place = |own: &LineEffect| {
        let above = worths.partition_point(|it| *it > own.worth());
        let equal = worths.partition_point(|it| *it >= own.worth()) - above;
        above as f64 + (equal as f64 + 1.0) / 2.0
    };
    lines.iter().map(place).collect()
}

fn entry<'l>(lines: &'l mut BTreeMap<Line, Evidence>, location: &Location) -> &'l mut Evidence {
    lines.entry((location.file.clone(), location.line)).or_insert_with(|| Evidence {
        location: location.clone(),
        features: [0.0; COUNT],
        reasons: Vec::new(),
    })
}

/// The best branch nearby speaks for a line that somebody else names: between them there may be no code at all.
fn near(lines: &mut BTreeMap<Line, Evidence>, ranks: &[(&crate::voices::Vote, f64)]) {
    for (vote, rank) in ranks {
        for distance in 1..=REACH {
            let line = vote.location.line;
            for other in [line.checked_sub(distance), line.checked_add(distance)].into_iter().flatten() {
                if let Some(known) = lines.get_mut(&(vote.location.file.clone(), other))
                    && known.features[6] == 0.0
                {
                    known.features[7] = known.features[7].max(0.5f64.powi(distance as i32 - 1) / rank);
                }
            }
        }
    }
}

/// The places of a voice with their ranks, equals in the middle of theirs; the first vote for a line counts.
fn ranks(voice: &Voice) -> Vec<(&crate::voices::Vote, f64)> {
    let mut firsts: Vec<&crate::voices::Vote> = Vec::new();
    let mut seen: Vec<(&str, u32)> = Vec::new();
    for vote in &voice.votes {
        let key = (vote.location.file.as_str(), vote.location.line);
        if !seen.contains(&key) {
            seen.push(key);
            firsts.push(vote);
        }
    }
    let mut ranks = Vec::new();
    let mut from = 0;
    while from < firsts.len() {
        let score = firsts[from].score;
        let equal = firsts[from..].iter().take_while(|vote| vote.score == score).count();
        let rank = from as f64 + (equal as f64 + 1.0) / 2.0;
        ranks.extend(firsts[from..from + equal].iter().map(|vote| (*vote, rank)));
        from += equal;
    }
    ranks
}

/// The probability of each line, in their order.
pub fn probabilities(lines: &[Evidence], weights: &Weights) -> Vec<f64> {
    let dot = |it: &Evidence| it.features.iter().zip(weights).map(|(x, w)| x * w).sum::<f64>();
    let scores: Vec<f64> = lines.iter().map(dot).collect();
    let best = scores.iter().copied().fold(f64::MIN, f64::max);
    let shares: Vec<f64> = scores.iter().map(|score| (score - best).exp()).collect();
    let sum: f64 = shares.iter().sum();
    shares.into_iter().map(|share| share / sum).collect()
}

/// The lines by their probability, each with its reasons in plain words.
pub fn judge(lines: &[Evidence], weights: &Weights) -> Vec<Suspect> {
    let mut all: Vec<(f64, &Evidence)> = probabilities(lines, weights).into_iter().zip(lines).collect();
    all.sort_by(|a, b| b.0.total_cmp(&a.0).then_with(|| a.1.location.cmp(&b.1.location)));
    let suspect = |(score, evidence): (f64, &Evidence)| Suspect {
        location: evidence.location.clone(),
        score,
        reason: evidence.reasons.join("; "),
    };
    all.into_iter().map(suspect).collect()
}

#[cfg(test)]
mod tests {
    use twinrun_whatif::evidence::BestEdit;

    use super::*;
    use crate::voices::Vote;

    fn voice(technique: Technique, lines: &[(u32, f64)]) -> Voice {
        let vote = |(line, score): &(u32, f64)| Vote {
            location: Location { file: "a.c".into(), line: *line, column: 1 },
            score: *score,
            exclusive: false,
            reason: format!("line {line}"),
        };
        Voice { technique, votes: lines.iter().map(vote).collect() }
    }

    #[track_caller]
    fn check(voices: &[Voice], edits: Option<&Outcome>, expect: &[u32]) {
        let judged = judge(&evidence(voices, edits), &CHOSEN);
        assert_eq!(judged.iter().map(|it| it.location.line).collect::<Vec<_>>(), expect, "{judged:#?}");
        let sum: f64 = judged.iter().map(|it| it.score).sum();
        assert!(judged.is_empty() || (sum - 1.0).abs() < 1e-9);
    }

    #[test]
    fn one_voice_keeps_its_order_and_none_says_nothing() {
        check(&[voice(Technique::Locate, &[(9, 0.9), (3, 0.5), (4, 0.1)])], None, &[9, 3, 4]);
        check(&[], None, &[]);
    }

    #[test]
    fn an_edit_that_repairs_everything_is_not_outvoted() {
        let effect = LineEffect {
            file: "a.c".into(),
            line: 40,
            share: 0.9,
            run: (1.0, 0.5),
            tried: (40, 1),
            best: Some(BestEdit {
                worth: 0.9,
                change: "insert `cnt = 0;`".into(),
                failing: 12,
                fixed: 12,
                partly: 6,
                passing: 16,
                held: 16,
                kept: 10,
                variety: 1.0,
            }),
        };
        let outcome = Outcome { lines: vec![effect], ..Outcome::default() };
        let locate = voice(Technique::Locate, &[(10, 0.9), (40, 0.8), (70, 0.7)]);
        let debug = voice(Technique::Debug, &[(10, 1.0)]);
        check(&[locate, debug], Some(&outcome), &[40, 10, 70]);
        let judged = judge(&evidence(&[], Some(&outcome)), &CHOSEN);
        assert_eq!(
            judged[0].reason,
            "insert `cnt = 0;` fixes 12 of 12 failing cases, breaks 0 of 16 passing ones"
        );
    }

    #[test]
    fn a_branch_decides_between_equals_near_it() {
        let locate = voice(Technique::Locate, &[(10, 0.9), (40, 0.9), (70, 0.9)]);
        check(&[locate, voice(Technique::Debug, &[(39, 1.0)])], None, &[40, 10, 70, 39]);
    }
}
