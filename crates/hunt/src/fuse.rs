//! Fusing: several localisers rank places, one ranking comes out, with the reasons of each.
//!
//! Weighted reciprocal ranks (Cormack, Clarke and Büttcher, *Reciprocal Rank Fusion*, SIGIR 2009): scores of different techniques have
//! no common scale, ranks do. A place gets `weight / (k + rank)` of every voice; equals share the middle of their ranks. A voice that
//! names branches also speaks, more softly, for the lines next to the branch: the fault behind a critical branch often stands in what
//! the branch guards. `./x experiment fusion` chooses the weights on one half of the programs and reports on the other.

use std::collections::BTreeMap;

use twinrun_base::Location;
use twinrun_base::finding::Suspect;

/// How much each voice counts.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Weights {
    /// Of metamorphic slices.
    pub locate: f64,
    /// Of concolic debugging.
    pub debug: f64,
    /// Of semi-proving.
    pub prove: f64,
    /// How quickly a rank loses its worth: small means that first ranks count most.
    pub k: f64,
    /// How much of a branch's worth passes to a line next to it, and again to the next.
    pub near: f64,
}

impl Weights {
    /// What `./x experiment fusion` chose on one half of the programs.
    pub const CHOSEN: Weights = Weights { locate: 1.0, debug: 0.8, prove: 0.1, k: 2.0, near: 0.5 };
}

/// How far the word of a branch reaches, in lines.
const REACH: u32 = 3;

/// A technique that ranks places.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Technique {
    /// Metamorphic slices.
    Locate,
    /// Concolic metamorphic debugging.
    Debug,
    /// Semi-proving.
    Prove,
}

impl Technique {
    fn weight(self, weights: &Weights) -> f64 {
        match self {
            Technique::Locate => weights.locate,
            Technique::Debug => weights.debug,
            Technique::Prove => weights.prove,
        }
    }

    /// Names a branch, whose neighbours are meant too.
    fn reaches(self) -> bool {
        self == Technique::Debug
    }

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
#[derive(Clone, Debug, PartialEq)]
pub struct Vote {
    /// Where.
    pub location: Location,
    /// How suspicious; comparable within one voice only.
    pub score: f64,
    /// Why, in a few words.
    pub reason: String,
}

/// What one technique says.
#[derive(Clone, Debug, PartialEq)]
pub struct Voice {
    /// Whose it is.
    pub technique: Technique,
    /// Its places, the most suspicious first.
    pub votes: Vec<Vote>,
}

/// A line of a file.
type Line = (String, u32);

/// What is known of a line.
#[derive(Default)]
struct Known {
    column: u32,
    score: f64,
    /// Rank, technique, reason.
    said: Vec<(f64, Technique, String)>,
}

/// One ranking from all voices, the most suspicious line first, each with its reasons in plain words.
pub fn fuse(voices: &[Voice], weights: &Weights) -> Vec<Suspect> {
    let mut lines: BTreeMap<Line, Known> = BTreeMap::new();
    for voice in voices {
        let weight = voice.technique.weight(weights);
        let ranked = ranks(voice);
        for ((file, line), (rank, vote)) in &ranked {
            let worth = weight / (weights.k + rank);
            let known = lines.entry((file.clone(), *line)).or_default();
            known.score += worth;
            if known.column == 0 {
                known.column = vote.location.column;
            }
            known.said.push((*rank, voice.technique, vote.reason.clone()));
        }
        if voice.technique.reaches() {
            // The best branch nearby speaks for a line; several do not add up.
            let mut soft: BTreeMap<Line, f64> = BTreeMap::new();
            for ((file, line), (rank, _)) in &ranked {
                for distance in 1..=REACH {
                    let worth = weight * weights.near.powi(distance as i32) / (weights.k + rank);
                    for near in [line.checked_sub(distance), line.checked_add(distance)].into_iter().flatten()
                    {
                        let entry = soft.entry((file.clone(), near)).or_default();
                        *entry = entry.max(worth);
                    }
                }
            }
            for (line, worth) in soft {
                // Only lines that somebody else names: between them there may be no code at all.
                if let Some(known) = lines.get_mut(&line)
                    && !ranked.contains_key(&line)
                {
                    known.score += worth;
                }
            }
        }
    }
    let mut all: Vec<(Line, Known)> = lines.into_iter().collect();
    all.sort_by(|(a, x), (b, y)| y.score.total_cmp(&x.score).then_with(|| a.cmp(b)));
    all.into_iter()
        .map(|((file, line), known)| Suspect {
            location: Location { file, line, column: known.column },
            score: known.score,
            reason: reason(known.said),
        })
        .collect()
}

/// The rank of each line in a voice, equals in the middle of their ranks; the first vote for a line counts.
fn ranks(voice: &Voice) -> BTreeMap<Line, (f64, &Vote)> {
    let mut firsts: Vec<&Vote> = Vec::new();
    let mut seen: Vec<(&str, u32)> = Vec::new();
    for vote in &voice.votes {
        let key = (vote.location.file.as_str(), vote.location.line);
        if !seen.contains(&key) {
            seen.push(key);
            firsts.push(vote);
        }
    }
    let mut ranks = BTreeMap::new();
    let mut from = 0;
    while from < firsts.len() {
        let score = firsts[from].score;
        let equal = firsts[from..].iter().take_while(|vote| vote.score == score).count();
        let rank = from as f64 + (equal as f64 + 1.0) / 2.0;
        for vote in &firsts[from..from + equal] {
            ranks.insert((vote.location.file.clone(), vote.location.line), (rank, *vote));
        }
        from += equal;
    }
    ranks
}

/// All reasons, the loudest first.
fn reason(mut said: Vec<(f64, Technique, String)>) -> String {
    said.sort_by(|a, b| a.0.total_cmp(&b.0).then(a.1.cmp(&b.1)));
    let part = |(rank, technique, why): &(f64, Technique, String)| {
        let place = if rank.fract() == 0.0 {
            ordinal(*rank as u64)
        } else {
            format!("about {}", ordinal(rank.ceil() as u64))
        };
        match why.is_empty() {
            true => format!("{place} by {}", technique.name()),
            false => format!("{place} by {} ({why})", technique.name()),
        }
    };
    said.iter().map(part).collect::<Vec<_>>().join("; ")
}

/// 1st, 2nd, 3rd, 11th.
fn ordinal(number: u64) -> String {
    let ending = match (number % 10, number % 100) {
        (_, 11..=13) => "th",
        (1, _) => "st",
        (2, _) => "nd",
        (3, _) => "rd",
        _ => "th",
    };
    format!("{number}{ending}")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn voice(technique: Technique, lines: &[(u32, f64)]) -> Voice {
        let vote = |(line, score): &(u32, f64)| Vote {
            location: Location { file: "a.c".into(), line: *line, column: 1 },
            score: *score,
            reason: format!("line {line}"),
        };
        Voice { technique, votes: lines.iter().map(vote).collect() }
    }

    #[track_caller]
    fn check(voices: &[Voice], expect: &[u32]) {
        let fused = fuse(voices, &Weights::CHOSEN);
        assert_eq!(fused.iter().map(|it| it.location.line).collect::<Vec<_>>(), expect, "{fused:#?}");
    }

    #[test]
    fn one_voice_keeps_its_order_and_none_says_nothing() {
        check(&[voice(Technique::Locate, &[(9, 0.9), (3, 0.5), (4, 0.1)])], &[9, 3, 4]);
        check(&[], &[]);
        assert_eq!(fuse(&[], &Weights::CHOSEN), []);
    }

    #[test]
    fn two_voices_that_agree_beat_one() {
        check(
            &[
                voice(Technique::Locate, &[(30, 0.9), (10, 0.8), (20, 0.1)]),
                voice(Technique::Debug, &[(10, 1.0)]),
                voice(Technique::Prove, &[(10, 1.0)]),
            ],
            &[10, 30, 20],
        );
    }

    #[test]
    fn a_branch_decides_between_equals_near_it() {
        let locate = voice(Technique::Locate, &[(10, 0.9), (40, 0.9), (70, 0.9)]);
        check(&[locate, voice(Technique::Debug, &[(39, 1.0)])], &[40, 39, 10, 70]);
    }

    #[test]
    fn a_reason_names_every_voice_with_its_place() {
        let fused = fuse(
            &[voice(Technique::Locate, &[(2, 0.9), (1, 0.5)]), voice(Technique::Debug, &[(1, 1.0)])],
            &Weights::CHOSEN,
        );
        let of_one = fused.iter().find(|it| it.location.line == 1).unwrap();
        assert_eq!(of_one.reason, "1st by critical branches (line 1); 2nd by metamorphic slices (line 1)");
        assert_eq!(
            [1, 2, 3, 4, 11, 12, 13, 21, 111].map(ordinal).join(" "),
            "1st 2nd 3rd 4th 11th 12th 13th 21st 111th"
        );
    }
}
