//! Choosing weights on one half of the programs and reporting on the other.

use std::collections::BTreeMap;

use serde_json::json;
use twinrun_hunt::fuse::Technique;
use twinrun_hunt::{Voice, Weights, fuse};
use twinrun_results::Results;

use crate::program::Program;
use crate::study::{Fate, Studied};

/// A killed mutant with what each technique says of it.
type Heard<'a> = (Vec<Voice>, &'a Studied);

/// A mutant with its program.
pub(crate) type Judged<'a> = (&'a Program, &'a Studied);

/// How many mutants have a faulty line among the first 1, 3, 5 and 10.
#[derive(Clone, Copy, Debug, Default)]
struct Tops {
    mutants: f64,
    first: [f64; 4],
    /// The sum of reciprocal ranks.
    reciprocal: f64,
}

const NS: [f64; 4] = [1.0, 3.0, 5.0, 10.0];

impl Tops {
    fn add(&mut self, rank: Option<f64>) {
        self.mutants += 1.0;
        let Some(rank) = rank else { return };
        for (count, n) in self.first.iter_mut().zip(NS) {
            *count += f64::from(u8::from(rank <= n));
        }
        self.reciprocal += 1.0 / rank;
    }

    fn share(&self, index: usize) -> f64 {
        (1000.0 * self.first[index] / self.mutants.max(1.0)).round() / 1000.0
    }

    fn mean_reciprocal(&self) -> f64 {
        (1000.0 * self.reciprocal / self.mutants.max(1.0)).round() / 1000.0
    }

    /// What weights are chosen by.
    fn worth(&self) -> f64 {
        self.first[0] + self.first[2] + 0.5 * self.reciprocal
    }
}

/// The rank of the first faulty line, equals in the middle.
fn rank(scores: &[(&str, u32, f64)], wanted: &[(String, u32)]) -> Option<f64> {
    let is_wanted = |file: &str, line: u32| wanted.iter().any(|(f, l)| f == file && *l == line);
    let top = scores.iter().filter(|it| is_wanted(it.0, it.1)).map(|it| it.2).max_by(f64::total_cmp)?;
    let above = scores.iter().filter(|it| it.2 > top).count() as f64;
    let equal = scores.iter().filter(|it| it.2 == top);
    let (among, others) = equal.fold((0.0, 0.0), |(among, others), it| {
        if is_wanted(it.0, it.1) { (among + 1.0, others) } else { (among, others + 1.0) }
    });
    Some(above + 1.0 + others / (among + 1.0))
}

fn alone(voices: &[Voice], technique: Technique, wanted: &[(String, u32)]) -> Option<f64> {
    let voice = voices.iter().find(|voice| voice.technique == technique)?;
    let mut scores: Vec<(&str, u32, f64)> = Vec::new();
    for vote in &voice.votes {
        let at = &vote.location;
        if !scores.iter().any(|(file, line, _)| *file == at.file && *line == at.line) {
            scores.push((&at.file, at.line, vote.score));
        }
    }
    rank(&scores, wanted)
}

fn fused(voices: &[Voice], weights: &Weights, wanted: &[(String, u32)]) -> Option<f64> {
    let suspects = fuse(voices, weights);
    let scores: Vec<(&str, u32, f64)> =
        suspects.iter().map(|it| (it.location.file.as_str(), it.location.line, it.score)).collect();
    rank(&scores, wanted)
}

fn tops(judged: &[Heard<'_>], rank: impl Fn(&[Voice], &[(String, u32)]) -> Option<f64>) -> Tops {
    let mut tops = Tops::default();
    judged.iter().for_each(|(voices, studied)| tops.add(rank(voices, &studied.wanted)));
    tops
}

/// The weights that do best, of a grid; the first among equals.
fn choose(judged: &[Heard<'_>]) -> Weights {
    let mut best = (f64::MIN, Weights::CHOSEN);
    for k in [0.0, 0.5, 1.0, 2.0, 5.0, 10.0, 30.0] {
        for debug in [0.0, 0.2, 0.4, 0.6, 0.8, 1.0, 1.5, 2.0] {
            for prove in [0.0, 0.1, 0.2, 0.3, 0.5, 0.75, 1.0] {
                for near in [0.0, 0.25, 0.5, 0.75] {
                    let weights = Weights { locate: 1.0, debug, prove, k, near };
                    let worth = tops(judged, |voices, wanted| fused(voices, &weights, wanted)).worth();
                    if worth > best.0 + 1e-9 {
                        best = (worth, weights);
                    }
                }
            }
        }
    }
    best.1
}

const TECHNIQUES: [(&str, Technique); 3] =
    [("locate", Technique::Locate), ("debug", Technique::Debug), ("prove", Technique::Prove)];

/// The result with its tables.
pub(crate) fn results(all: &[Judged<'_>], every: usize, seconds: f64) -> Results {
    let killed = |chosen_on: bool| -> Vec<Heard<'_>> {
        all.iter()
            .filter(|(program, studied)| program.chosen_on == chosen_on && studied.fate == Fate::Killed)
            .map(|(_, studied)| (studied.voices(), *studied))
            .collect()
    };
    let (first, second) = (killed(true), killed(false));
    let weights = choose(&first);
    let mut results = Results::new("fusion");
    let of_fused = |half: &[Heard<'_>]| tops(half, |voices, wanted| fused(voices, &weights, wanted));
    let singles: Vec<(&str, Tops)> = TECHNIQUES
        .iter()
        .map(|(name, technique)| (*name, tops(&second, |voices, wanted| alone(voices, *technique, wanted))))
        .collect();
    let ours = of_fused(&second);
    let best = |index: usize| singles.iter().map(|(_, tops)| tops.share(index)).fold(0.0, f64::max);
    results.total("top1_fused", ours.share(0));
    results.total("top1_best_single", best(0));
    results.total("top5_fused", ours.share(2));
    results.total("top5_best_single", best(2));
    results.total("mutants_reported_on", second.len());
    results.total("mutants_chosen_on", first.len());
    for (name, tops) in &singles {
        results.total(&format!("top1_{name}"), tops.share(0));
        results.total(&format!("top5_{name}"), tops.share(2));
    }
    results.total("mean_reciprocal_rank_fused", ours.mean_reciprocal());
    let best_reciprocal = singles.iter().map(|(_, tops)| tops.mean_reciprocal()).fold(0.0, f64::max);
    results.total("mean_reciprocal_rank_best_single", best_reciprocal);
    results.total(
        "weights",
        json!([weights.locate, weights.debug, weights.prove, weights.k, weights.near]).to_string(),
    );
    results.total("cpu_seconds", seconds.round());
    let fates = |fate: Fate| all.iter().filter(|(_, studied)| studied.fate == fate).count();
    results.notes.push(format!(
        "Every {every}th mutant of the programs of the studies `comedy` and `slices` ({} in all: {} killed, {} survive, {} crash, {} do not \
         compile, {} without a line). Each killed one is hunted for 12 s of one core. Weights (locate, debug, prove, k, near) are chosen on one \
         half of the programs and reported on the other; a rank is that of the first faulty line, equals in the middle; `best single` is the \
         best of the three on the reported half, for each figure by itself.",
        all.len(),
        fates(Fate::Killed),
        fates(Fate::Survived),
        fates(Fate::Crashed),
        fates(Fate::NotCompiled),
        fates(Fate::NoLine),
    ));
    let mut by_program: BTreeMap<(bool, &str, &str), Vec<Heard<'_>>> = BTreeMap::new();
    for (program, studied) in all.iter().filter(|(_, studied)| studied.fate == Fate::Killed) {
        let key = (program.chosen_on, program.study, program.name);
        by_program.entry(key).or_default().push((studied.voices(), studied));
    }
    for ((chosen_on, study, name), judged) in &by_program {
        let single = |technique| tops(judged, |voices, wanted| alone(voices, technique, wanted));
        let [locate, debug, prove] = TECHNIQUES.map(|(_, technique)| single(technique));
        let fused = of_fused(judged);
        let pair = |tops: &Tops| format!("{} / {}", tops.first[0], tops.first[2]);
        results.row(&json!({
            "program": format!("{study}/{name}"),
            "half": if *chosen_on { "chosen on" } else { "reported on" },
            "mutants": judged.len(),
            "locate, top 1 / 5": pair(&locate),
            "debug, top 1 / 5": pair(&debug),
            "prove, top 1 / 5": pair(&prove),
            "fused, top 1 / 5": pair(&fused),
        }));
    }
    results
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn equals_rank_in_the_middle_and_what_is_not_named_has_no_rank() {
        let scores = [("a", 1, 0.9), ("a", 2, 0.5), ("a", 3, 0.5), ("a", 4, 0.5)];
        let wanted = |line| vec![("a".to_owned(), line)];
        assert_eq!(rank(&scores, &wanted(1)), Some(1.0));
        assert_eq!(rank(&scores, &wanted(3)), Some(3.0));
        assert_eq!(rank(&scores, &wanted(9)), None);
        let mut tops = Tops::default();
        [Some(1.0), Some(4.5), None].into_iter().for_each(|rank| tops.add(rank));
        assert_eq!((tops.share(0), tops.share(2)), (0.333, 0.667));
    }
}
