//! Fitting on one half of the programs and reporting on the other.

use std::collections::BTreeMap;

use serde_json::json;
use twinrun_hunt::model::{CHOSEN, COUNT, FEATURES, Weights};
use twinrun_results::Results;

use crate::fit::{fit, is_wanted, probabilities};
use crate::program::{Fault, Program};
use crate::study::{Fate, Studied, Trial, Variant};

/// A fault with its program and what became of it.
pub(crate) type Judged<'a> = (&'a Program, &'a Trial, Studied);

/// Features of one family: what a technique alone has to say.
const FAMILIES: [(&str, &[usize]); 4] =
    [("slices", &[0, 1, 2]), ("edits", &[3, 4, 5]), ("branches", &[6, 7]), ("proving", &[8])];

/// A confidence from here on is called high.
const HIGH: f64 = 0.8;

/// The rank of the first faulty line, equals in the middle; none where no technique names it.
fn rank(studied: &Studied, weights: &Weights) -> Option<f64> {
    let shares = probabilities(studied, weights);
    let wanted = |line: &usize| is_wanted(studied, *line);
    let top = (0..shares.len()).filter(wanted).map(|it| shares[it]).max_by(f64::total_cmp)?;
    let above = shares.iter().filter(|share| **share > top).count() as f64;
    let (among, others): (Vec<usize>, Vec<usize>) =
        (0..shares.len()).filter(|it| shares[*it] == top).partition(wanted);
    Some(above + 1.0 + others.len() as f64 / (among.len() as f64 + 1.0))
}

/// The share of faults with a faulty line among the first so many.
fn top(faults: &[&Studied], weights: &Weights, most: f64) -> f64 {
    let found = faults.iter().filter(|it| rank(it, weights).is_some_and(|rank| rank <= most)).count();
    share(found, faults.len())
}

fn share(part: usize, of: usize) -> f64 {
    (1000.0 * part as f64 / of.max(1) as f64).round() / 1000.0
}

/// The result with its tables.
pub(crate) fn results(everything: &[Judged<'_>], every: usize, seconds: f64) -> Results {
    let all: Vec<&Judged<'_>> = everything.iter().filter(|it| it.1.variant == Variant::Plain).collect();
    let detected = |chosen_on: bool, wanted: &dyn Fn(&Fault) -> bool| -> Vec<&Studied> {
        all.iter()
            .filter(|(program, trial, studied)| {
                program.chosen_on == chosen_on && studied.fate == Fate::Detected && wanted(&trial.fault)
            })
            .map(|(_, _, studied)| studied)
            .collect()
    };
    let any = |_: &Fault| true;
    let (first, second) = (detected(true, &any), detected(false, &any));
    let whole: Vec<usize> = (0..COUNT).collect();
    let weights = fit(&first, &whole);
    let mut results = Results::new("verdict");
    let existing = all
        .iter()
        .filter(|it| !it.0.chosen_on && matches!(it.2.fate, Fate::Detected | Fate::Undetected))
        .count();
    results.total("faults", second.len());
    results.total("faults_fitted_on", first.len());
    results.total("detected_pct", 100.0 * share(second.len(), existing));
    results.total("top1", top(&second, &weights, 1.0));
    results.total("top5", top(&second, &weights, 5.0));
    results.total("top1_in_use", top(&second, &CHOSEN, 1.0));
    results.total("top5_in_use", top(&second, &CHOSEN, 5.0));
    let hand = detected(false, &|fault| fault.hand);
    results.total("faults_hand", hand.len());
    results.total("top1_hand", top(&hand, &weights, 1.0));
    results.total("top5_hand", top(&hand, &weights, 5.0));
    let missing = detected(false, &|fault| fault.missing);
    results.total("faults_missing_code", missing.len());
    results.total("top5_missing_code", top(&missing, &weights, 5.0));
    let mut best = (0.0, 0.0);
    for (name, features) in FAMILIES {
        let alone = fit(&first, features);
        let (one, five) = (top(&second, &alone, 1.0), top(&second, &alone, 5.0));
        results.total(&format!("top1_{name}"), one);
        results.total(&format!("top5_{name}"), five);
        best = (f64::max(best.0, one), f64::max(best.1, five));
    }
    results.total("top1_best_single", best.0);
    results.total("top5_best_single", best.1);
    let sure: Vec<(f64, bool)> = second
        .iter()
        .filter_map(|studied| {
            let shares = probabilities(studied, &weights);
            let first = (0..shares.len()).max_by(|a, b| shares[*a].total_cmp(&shares[*b]))?;
            Some((shares[first], is_wanted(studied, first)))
        })
        .collect();
    let high: Vec<_> = sure.iter().filter(|(share, _)| *share >= HIGH).collect();
    results.total("high_confidence", high.len());
    results
        .total("high_confidence_right", share(high.iter().filter(|(_, right)| *right).count(), high.len()));
    repairs(&mut results, "", &second);
    repairs(&mut results, "_hand", &hand);
    let spent: Vec<f64> = second.iter().map(|it| it.seconds).collect();
    results.total(
        "cpu_seconds_mean",
        (100.0 * spent.iter().sum::<f64>() / spent.len().max(1) as f64).round() / 100.0,
    );
    results.total("cpu_seconds_max", (100.0 * spent.iter().copied().fold(0.0, f64::max)).round() / 100.0);
    let edits = second.iter().filter_map(|it| it.outcome.as_ref());
    let edits = edits.fold((0, 0), |sum, it| (sum.0 + it.edits, sum.1 + it.dropped));
    results.total("edits_dropped_pct", 100.0 * share(edits.1, edits.0));
    let rounded: Vec<f64> = weights.iter().map(|weight| (100.0 * weight).round() / 100.0).collect();
    results.total("weights", json!(rounded).to_string());
    results.total("cpu_seconds", seconds.round());
    let fates = |fate: Fate| all.iter().filter(|it| it.2.fate == fate).count();
    results.notes.push(format!(
        "Every {every}th mutant of the programs of the studies `comedy` and `slices` (whole programs four times fewer) and faults written by hand: a sample ({} in all: {} detected, {} not, {} do not compile, {} without a line). \
         The model is fitted on one half of the programs and reported on the other; a rank is that of the first faulty line, equals in the middle; of missing code either neighbouring line counts. \
         `best_single` is the best family of features alone, fitted in the same way. A repair is right when it answers as the correct program on 10,000 drawn cases. \
         `in_use` are the weights that the tool has.",
        all.len(),
        fates(Fate::Detected),
        fates(Fate::Undetected),
        fates(Fate::NotCompiled),
        fates(Fate::NoLine),
    ));
    for (name, variant) in [("inverse_off", Variant::InverseOff), ("without_output", Variant::WithoutOutput)]
    {
        // The same faults both ways.
        let of: Vec<(&Studied, &Studied)> = everything
            .iter()
            .filter(|it| it.1.variant == variant && !it.0.chosen_on)
            .filter_map(|(program, trial, studied)| {
                let same = |it: &&&Judged<'_>| it.0.name == program.name && it.1.fault == trial.fault;
                Some((studied, &all.iter().find(same)?.2))
            })
            .filter(|(one, other)| one.fate == Fate::Detected && other.fate == Fate::Detected)
            .collect();
        let (with, without): (Vec<&Studied>, Vec<&Studied>) =
            (of.iter().map(|(_, plain)| *plain).collect(), of.iter().map(|(variant, _)| *variant).collect());
        results.total(&format!("{name}_faults"), of.len());
        results.total(&format!("{name}_top5"), top(&without, &weights, 5.0));
        results.total(&format!("{name}_top5_otherwise"), top(&with, &weights, 5.0));
        results.total(&format!("{name}_top1"), top(&without, &weights, 1.0));
        results.total(&format!("{name}_top1_otherwise"), top(&with, &weights, 1.0));
    }
    let calibration = [0.0, 0.2, 0.4, 0.6, 0.8].map(|from| {
        let within: Vec<_> =
            sure.iter().filter(|(share, _)| (from..from + 0.2).contains(&share.min(0.999))).collect();
        let right = within.iter().filter(|(_, right)| *right).count();
        format!("{:.0} to {:.0} %: {right} of {}", 100.0 * from, 100.0 * (from + 0.2), within.len())
    });
    results.notes.push(format!(
        "Calibration, how often the first line is right by its probability: {}.",
        calibration.join("; ")
    ));
    results.notes.push(format!("Features, in the order of the weights: {}.", FEATURES.join("; ")));
    let mut reasons: BTreeMap<&str, usize> = BTreeMap::new();
    for why in second.iter().filter_map(|it| it.unrepaired.as_deref()) {
        *reasons.entry(why.split(':').nth(1).unwrap_or(why).trim()).or_default() += 1;
    }
    if !reasons.is_empty() {
        let told: Vec<String> = reasons.iter().map(|(why, count)| format!("{count} × {why}")).collect();
        results.notes.push(format!("No edit was tried: {}.", told.join("; ")));
    }
    let mut by_program: BTreeMap<(bool, &str, &str), Vec<&Studied>> = BTreeMap::new();
    for (program, _, studied) in all.iter().filter(|it| it.2.fate == Fate::Detected) {
        by_program.entry((program.chosen_on, program.study, program.name)).or_default().push(studied);
    }
    for ((chosen_on, study, name), faults) in &by_program {
        let first = |right: bool| {
            faults.iter().filter(|it| it.repairs.iter().take(if right { 1 } else { 3 }).any(|it| *it)).count()
        };
        results.row(&json!({
            "program": format!("{study}/{name}"),
            "half": if *chosen_on { "fitted on" } else { "reported on" },
            "faults": faults.len(),
            "top 1": top(faults, &weights, 1.0),
            "top 5": top(faults, &weights, 5.0),
            "repair offered": faults.iter().filter(|it| !it.repairs.is_empty()).count(),
            "first is right": first(true),
            "among three": first(false),
            "mean seconds": (10.0 * faults.iter().map(|it| it.seconds).sum::<f64>() / faults.len() as f64).round() / 10.0,
        }));
    }
    results
}

fn repairs(results: &mut Results, name: &str, faults: &[&Studied]) {
    let count = |wanted: &dyn Fn(&Studied) -> bool| faults.iter().filter(|it| wanted(it)).count();
    let offered = count(&|it| !it.repairs.is_empty());
    results.total(&format!("repair_offered{name}"), share(offered, faults.len()));
    results.total(
        &format!("repair_right_first{name}"),
        share(count(&|it| it.repairs.first() == Some(&true)), faults.len()),
    );
    results.total(
        &format!("repair_right_top3{name}"),
        share(count(&|it| it.repairs.contains(&true)), faults.len()),
    );
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn equals_rank_in_the_middle_and_what_is_not_named_has_no_rank() {
        let line = |number: u32, score: f64| {
            let mut features = [0.0; COUNT];
            features[0] = score;
            ("a".to_owned(), number, features)
        };
        let of = |wanted: u32| Studied {
            wanted: vec![("a".into(), wanted)],
            lines: vec![line(1, 0.9), line(2, 0.5), line(3, 0.5), line(4, 0.5)],
            ..Studied::without(Fate::Detected)
        };
        let mut weights = [0.0; COUNT];
        weights[0] = 1.0;
        assert_eq!(rank(&of(1), &weights), Some(1.0));
        assert_eq!(rank(&of(3), &weights), Some(3.0));
        assert_eq!(rank(&of(9), &weights), None);
    }
}
