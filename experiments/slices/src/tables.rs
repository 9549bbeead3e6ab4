//! The result file: what was chosen, how it does on the other programs, and the tables of the published study.

use std::collections::BTreeMap;

use serde_json::json;
use twinrun_localize::formulas::FORMULAS;
use twinrun_localize::measures::wilcoxon;
use twinrun_localize::method::Method;
use twinrun_results::Results;

use crate::analysis::Judged;
use crate::clusters::WAYS;
use crate::judge::State;
use crate::methods::{Judge, Named, all};
use crate::pairs::Search;
use crate::program::{CHOSEN_ON, Fault, REPORTED_ON};

type All = BTreeMap<String, Vec<Judged>>;

/// Killed faults of a program, detected ones only or all.
fn killed<'j>(judged: &'j All, program: &str, detected: bool) -> Vec<&'j Judged> {
    let faults = judged.get(program).into_iter().flatten();
    faults.filter(|it| it.state == State::Killed && (it.detected || !detected)).collect()
}

fn mean(values: impl Iterator<Item = f64>) -> f64 {
    let (count, sum) = values.fold((0.0, 0.0), |(count, sum), value| (count + 1.0, sum + value));
    if count == 0.0 { 0.0 } else { sum / count }
}

fn median(mut values: Vec<f64>) -> f64 {
    values.sort_by(f64::total_cmp);
    match values.len() {
        0 => 0.0,
        n if n % 2 == 1 => values[n / 2],
        n => f64::midpoint(values[n / 2 - 1], values[n / 2]),
    }
}

/// The mean over programs of the mean EXAM: every program counts the same.
fn mean_of_programs(judged: &All, programs: &[&str], method: usize) -> f64 {
    let means = programs.iter().filter_map(|program| {
        let faults = killed(judged, program, true);
        (!faults.is_empty()).then(|| mean(faults.iter().map(|it| it.ranks[method].1)))
    });
    mean(means)
}

/// `BETTER`, `SIMILAR` or `WORSE` at 0.05, as published: by the two-tailed test, then the one-tailed ones.
fn verdict(first: &[f64], second: &[f64]) -> &'static str {
    let test = wilcoxon(first, second);
    if test.two_tailed >= 0.05 {
        "SIMILAR"
    } else if test.first_larger < 0.05 {
        "WORSE"
    } else {
        "BETTER"
    }
}

fn find(methods: &[Named], name: &str) -> usize {
    methods.iter().position(|it| it.name == name).unwrap_or(0)
}

/// Writes `experiments/results/slices.json` and `.md`.
pub(crate) fn write(judged: &All, two_faults: &[Vec<Search>], seconds: f64) -> Result<(), String> {
    let methods = all();
    let mut results = Results::new("slices");
    let ours = (0..methods.len()).filter(|index| methods[*index].ours);
    let order = |a: &usize, b: &usize| {
        mean_of_programs(judged, &CHOSEN_ON, *a).total_cmp(&mean_of_programs(judged, &CHOSEN_ON, *b))
    };
    let best = ours.clone().min_by(order).unwrap_or(0);
    let oracle = find(&methods, "oracle on all tests, ochiai");
    let published = find(&methods, "slices, ochiai");
    let reported: Vec<&Judged> = REPORTED_ON.iter().flat_map(|it| killed(judged, it, true)).collect();
    let of = |faults: &[&Judged], method: usize| mean(faults.iter().map(|it| it.ranks[method].1));
    let everything: Vec<&Judged> = REPORTED_ON.iter().flat_map(|it| killed(judged, it, false)).collect();
    let mut worse = 0;
    let mut verdicts = Vec::new();
    for program in REPORTED_ON {
        let faults = killed(judged, program, true);
        let exams = |method: usize| faults.iter().map(|it| it.ranks[method].1).collect::<Vec<_>>();
        let verdict = verdict(&exams(best), &exams(oracle));
        worse += usize::from(verdict == "WORSE");
        verdicts.push(format!("{program} {verdict}"));
    }
    let top = |faults: &[&Judged], method: usize, n: f64| {
        100.0 * mean(faults.iter().map(|it| f64::from(u8::from(it.ranks[method].0 <= n))))
    };
    let programs = judged.len();
    let mutants: usize = judged
        .keys()
        .map(|program| killed(judged, program, false).iter().filter(|it| !it.hand).count())
        .sum();
    let hand: usize =
        judged.keys().map(|program| killed(judged, program, false).iter().filter(|it| it.hand).count()).sum();
    results.total("programs", programs);
    results.total("mutants", mutants);
    results.total("hand_written_faults", hand);
    results.total("best_method", methods[best].name.clone());
    results.total("best_mean_exam", of(&reported, best));
    results.total("oracle_mean_exam", of(&reported, oracle));
    results.total("published_mean_exam", of(&reported, published));
    results.total("programs_worse", worse);
    for n in [1.0, 3.0, 5.0, 10.0] {
        results.total(&format!("top{n}_pct"), top(&reported, best, n));
    }
    results.total("oracle_top5_pct", top(&reported, oracle, 5.0));
    let all_killed: Vec<&Judged> = judged.keys().flat_map(|it| killed(judged, it, false)).collect();
    let detected =
        |faults: &[&Judged]| 100.0 * mean(faults.iter().map(|it| f64::from(u8::from(it.detected))));
    results.total("detected_pct", detected(&all_killed));
    results.total("detected_pct_reported", detected(&everything));
    results.total("best_mean_exam_undetected_as_1", of(&everything, best));
    results.total("oracle_mean_exam_undetected_as_1", of(&everything, oracle));
    results.total("cpu_seconds", seconds);
    results.notes.push(format!(
        "Methods were chosen on {} and are reported on {}. EXAM is the share of lines with code that is looked at until the first faulty one, ties at \
         their average; means are over faults that the relations detect, unless said otherwise. Against Ochiai with an oracle on all tests, the chosen \
         method is: {}.",
        CHOSEN_ON.join(", "),
        REPORTED_ON.join(", "),
        verdicts.join(", ")
    ));
    split_by_hand(&mut results, &reported, best, oracle, published);
    causes(&mut results, &reported, oracle);
    clusters(&mut results, two_faults);
    steps(&mut results, judged, &methods, &reported, best);
    rows(&mut results, judged, &methods, best);
    one_by_one(judged, [best, oracle, published])?;
    let path = results.write().map_err(|error| error.to_string())?;
    println!("{}", path.display());
    for (key, value) in &results.totals {
        println!("{key}: {value}");
    }
    results.notes.iter().for_each(|note| println!("{note}\n"));
    Ok(())
}

/// Every fault with its ranks, for a closer look: `target/slices/faults.tsv`.
fn one_by_one(judged: &All, [best, oracle, published]: [usize; 3]) -> Result<(), String> {
    let mut text = "program\tfault\tkind\thand\tstate\tdetected\tours\toracle\tpublished\n".to_owned();
    for (program, faults) in judged {
        for it in faults {
            let rank = |method: usize| it.ranks.get(method).map_or(0.0, |(rank, _)| *rank);
            let Judged { fault: Fault { name, kind, .. }, hand, state, detected, .. } = it;
            text.push_str(&format!(
                "{program}\t{name}\t{kind}\t{hand}\t{state:?}\t{detected}\t{}\t{}\t{}\n",
                rank(best),
                rank(oracle),
                rank(published)
            ));
        }
    }
    let path = twinrun_results::workspace_root().join("target/slices/faults.tsv");
    std::fs::write(path, text).map_err(|error| error.to_string())
}

/// Mutants and faults written by hand apart: a change that mends a mutant may be the mutation turned round.
fn split_by_hand(results: &mut Results, faults: &[&Judged], best: usize, oracle: usize, published: usize) {
    for (name, hand) in [("mutants", false), ("hand-written faults", true)] {
        let of =
            |method: usize| mean(faults.iter().filter(|it| it.hand == hand).map(|it| it.ranks[method].1));
        let count = faults.iter().filter(|it| it.hand == hand).count();
        results.notes.push(format!(
            "On the {count} detected {name} of the reported programs: mean EXAM {:.4}, with an oracle on all tests {:.4}, metamorphic slices as published \
             {:.4}.",
            of(best),
            of(oracle),
            of(published)
        ));
    }
}

/// What each cause costs the published method.
fn causes(results: &mut Results, faults: &[&Judged], oracle: usize) {
    let of = |value: fn(&Judged) -> f64| mean(faults.iter().map(|it| value(it)));
    results.notes.push(format!(
        "What the published method (Ochiai) loses, mean EXAM on the reported programs: {:.4} as it is; {:.4} without groups that hold although a run \
         fails (coincidental satisfaction); {:.4} if also only failing runs count in violated groups (blurring by the union); {:.4} with an oracle on \
         all tests. As it is, with ties in our favour: {:.4}.",
        of(|it| it.causes.plain),
        of(|it| it.causes.without_coincidence),
        of(|it| it.causes.without_blur),
        mean(faults.iter().map(|it| it.ranks[oracle].1)),
        of(|it| it.causes.without_ties)
    ));
}

/// Whether clusters of violations earn their place: on pairs of faults they should lead to both sooner.
fn clusters(results: &mut Results, pairs: &[Vec<Search>]) {
    let of =
        |way: usize, value: fn(&Search) -> f64| mean(pairs.iter().filter_map(|it| it.get(way)).map(value));
    let mut table = String::from(
        "| violated groups told apart by | pairs with several clusters | mean EXAM, rankings read in turn | mean EXAM, a reader for each |\n\
         | --- | --- | --- | --- |\n",
    );
    let ways = std::iter::once("nothing: one ranking").chain(WAYS.map(|(name, _)| name));
    for (way, name) in ways.enumerate() {
        let several = pairs.iter().filter(|it| it.get(way).is_some_and(|it| it.clusters > 1)).count();
        let (turn, once) = (of(way, |it| it.in_turn), of(way, |it| it.at_once));
        table.push_str(&format!("| {name} | {several} | {turn:.4} | {once:.4} |\n"));
    }
    results.total("pairs", pairs.len());
    results.total("pairs_exam_one_ranking", of(0, |it| it.in_turn));
    results.total(
        "pairs_exam_best_clusters",
        (1..=WAYS.len()).map(|way| of(way, |it| it.in_turn)).fold(f64::MAX, f64::min),
    );
    results.notes.push(format!(
        "Two faults at once ({} pairs of detected mutants): how far until both are found, with one ranking for all violated groups or one for each \
         cluster of them:\n\n{table}",
        pairs.len()
    ));
}

/// What each part of our method brings: the chosen one with one part taken away or replaced, then the best of each formula.
fn steps(results: &mut Results, judged: &All, methods: &[Named], reported: &[&Judged], best: usize) {
    let mut table =
        String::from("| method | mean EXAM (chosen on) | mean EXAM (reported) |\n| --- | --- | --- |\n");
    let chosen = methods[best].method;
    let differs = |other: &Method| {
        usize::from(other.unit != chosen.unit)
            + usize::from(other.near != chosen.near)
            + usize::from(other.demanding != chosen.demanding)
            + usize::from(other.runs != chosen.runs)
            + usize::from((other.mending, other.worth) != (chosen.mending, chosen.worth))
    };
    let ours = (0..methods.len()).filter(|index| methods[*index].ours);
    let same_formula = |index: &usize| methods[*index].method.formula.name == chosen.formula.name;
    let mut list: Vec<usize> = vec![best];
    list.extend(ours.clone().filter(|index| same_formula(index) && differs(&methods[*index].method) == 1));
    list.extend(ours.filter(|index| !same_formula(index) && differs(&methods[*index].method) == 0));
    for method in list {
        table.push_str(&format!(
            "| {} | {:.4} | {:.4} |\n",
            methods[method].name,
            mean_of_programs(judged, &CHOSEN_ON, method),
            mean(reported.iter().map(|it| it.ranks[method].1))
        ));
    }
    results.notes.push(format!(
        "What each part of the chosen method brings: first the method itself, then with one part changed, then with each other formula:\n\n{table}"
    ));
}

fn rows(results: &mut Results, judged: &All, methods: &[Named], best: usize) {
    let mut shown: Vec<(String, usize, &str)> = vec![("ours".to_owned(), best, "ochiai")];
    for formula in FORMULAS {
        let method = find(methods, &format!("slices, {}", formula.name));
        shown.push((format!("slices, {}", formula.name), method, formula.name));
    }
    for program in judged.keys() {
        let detected = killed(judged, program, true);
        let everything = killed(judged, program, false);
        for (name, method, formula) in &shown {
            let exams = |method: usize| detected.iter().map(|it| it.ranks[method].1).collect::<Vec<_>>();
            let mut row = json!({
                "program": program,
                "method": name,
                "killed": everything.len(),
                "detected": detected.len(),
                "mean": mean(exams(*method).into_iter()),
                "median": median(exams(*method)),
                "mean over all killed": mean(everything.iter().map(|it| it.ranks[*method].1)),
            });
            for n in [1.0, 3.0, 5.0, 10.0] {
                let within = detected.iter().filter(|it| it.ranks[*method].0 <= n).count();
                row[format!("top {n}")] = json!(within);
            }
            for (short, judge) in [
                ("source", Judge::SourceTests),
                ("follow-up", Judge::FollowUpTests),
                ("all", Judge::AllTests),
            ] {
                let other = methods
                    .iter()
                    .position(|it| it.judge == judge && it.method.formula.name == *formula)
                    .unwrap_or(0);
                row[format!("{short} mean")] = json!(mean(exams(other).into_iter()));
                row[format!("{short} median")] = json!(median(exams(other)));
                row[format!("vs {short}")] = json!(verdict(&exams(*method), &exams(other)));
            }
            results.row(&row);
        }
    }
}
