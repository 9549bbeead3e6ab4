//! The study's table: a row for each program, then the totals, by operator, and the histogram of distances.

use std::collections::BTreeMap;

use serde_json::{Value, json};
use twinrun_debug::Outcome;
use twinrun_results::Results;
use twinrun_solve::Program;
use twinrun_whatif::operators::OPERATORS;

use crate::programs::PROGRAMS;
use crate::study::{Said, Studied};
use crate::test::{Fate, Test, Tested};

/// Sums over mutants.
#[derive(Clone, Debug, Default)]
struct Sum {
    mutants: u32,
    not_compiled: u32,
    crashed: u32,
    killed: u32,
    ours: Reports,
    published: Reports,
}

/// Sums over the killed mutants of one method.
#[derive(Clone, Debug, Default)]
struct Reports {
    /// A branch was named.
    reported: u32,
    /// A pair of neighbours was found.
    found: u32,
    impossible: u32,
    measured: u32,
    distance: u32,
    exact: u32,
    seconds: f64,
    /// How many reports have each distance; the last counts all greater ones.
    histogram: [u32; 11],
}

impl Reports {
    fn add(&mut self, said: &Said) {
        self.reported += u32::from(said.named);
        self.found += u32::from(said.outcome == Outcome::Found);
        self.impossible += u32::from(said.outcome == Outcome::NoPassingNeighbour);
        self.seconds += said.seconds;
        if let Some(distance) = said.distance {
            self.measured += 1;
            self.distance += distance;
            self.exact += u32::from(distance == 0);
            self.histogram[(distance as usize).min(10)] += 1;
        }
    }

    fn totals(&self, killed: u32) -> BTreeMap<&'static str, Value> {
        let share = |part: u32, of: u32| 100.0 * f64::from(part) / f64::from(of.max(1));
        BTreeMap::from([
            ("killed", json!(killed)),
            ("reported_pct", json!(share(self.reported, killed))),
            ("reported_of_possible_pct", json!(share(self.found, killed - self.impossible))),
            ("with_neighbours_pct", json!(share(self.found, killed))),
            ("mean_distance", json!(mean(f64::from(self.distance), self.measured))),
            ("exact_pct", json!(share(self.exact, self.reported))),
            ("mean_seconds", json!(mean(self.seconds, killed))),
        ])
    }
}

fn mean(sum: f64, count: u32) -> f64 {
    if count == 0 { 0.0 } else { sum / f64::from(count) }
}

impl Sum {
    fn add(&mut self, tested: &Tested, studied: Option<&Studied>) {
        self.mutants += 1;
        match tested.fate {
            Fate::NotCompiled => self.not_compiled += 1,
            Fate::Crashed => self.crashed += 1,
            Fate::Survived => {}
            Fate::Killed => {
                self.killed += 1;
                if let Some(Studied { ours, published, .. }) = studied {
                    self.ours.add(ours);
                    self.published.add(published);
                }
            }
        }
    }

    fn row(&self, name: &str, published: Option<(u32, u32, f64, u32, f64)>) -> Value {
        let figures = |reports: &Reports| {
            [
                json!(reports.reported),
                json!(reports.impossible),
                json!(mean(f64::from(reports.distance), reports.measured)),
                json!(reports.exact),
                json!(mean(reports.seconds, self.killed)),
            ]
        };
        let [reported, impossible, distance, exact, seconds] = figures(&self.ours);
        let [p_reported, p_impossible, p_distance, p_exact, p_seconds] = figures(&self.published);
        let paper = published.map_or(String::new(), |(killed, reported, distance, exact, seconds)| {
            format!("{killed}, {reported}, {distance}, {exact}, {seconds}")
        });
        json!({
            "program": name,
            "mutants": self.mutants,
            "not compiled": self.not_compiled,
            "crashed": self.crashed,
            "killed": self.killed,
            "reported": reported,
            "no passing neighbour": impossible,
            "mean distance": distance,
            "exact": exact,
            "seconds": seconds,
            "published method: reported": p_reported,
            "published method: no passing neighbour": p_impossible,
            "published method: mean distance": p_distance,
            "published method: exact": p_exact,
            "published method: seconds": p_seconds,
            "paper (Java): killed, reported, distance, exact, s": paper,
        })
    }
}

/// While the method was built, results of every so-manieth mutant were looked at.
const LOOKED_AT: [usize; 2] = [4, 6];

/// The result file of the study.
pub(crate) fn results(
    found: &[(&Test, &Tested, Option<&Studied>)],
    solver: &Program,
    step: usize,
    complete: bool,
) -> Results {
    let mut results = Results::new("comedy");
    let mut all = Sum::default();
    let mut parts = [Sum::default(), Sum::default(), Sum::default()];
    for (index, program) in PROGRAMS.iter().enumerate() {
        let mut sum = Sum::default();
        let own = found.iter().filter(|(test, ..)| test.program == program.folder).enumerate();
        for (number, (_, tested, studied)) in own {
            sum.add(tested, *studied);
            all.add(tested, *studied);
            parts[index % 2].add(tested, *studied);
            if index % 2 == 1 && !LOOKED_AT.iter().any(|every| (number * step).is_multiple_of(*every)) {
                parts[2].add(tested, *studied);
            }
        }
        if sum.mutants > 0 {
            results.row(&sum.row(program.name, Some(program.published)));
        }
    }
    results.row(&all.row("all programs", None));
    for (part, name) in parts.iter().zip(["development_half", "held_out_half", "held_out_never_looked_at"]) {
        results.row(&part.row(&name.replace('_', " "), None));
        let mut totals = json!(part.ours.totals(part.killed));
        totals["published_method"] = json!(part.published.totals(part.killed));
        results.total(name, totals);
    }
    for operator in OPERATORS {
        let mut sum = Sum::default();
        found
            .iter()
            .filter(|(test, ..)| test.operator == operator.name)
            .for_each(|(_, tested, studied)| sum.add(tested, *studied));
        results.row(&sum.row(&format!("operator {}", operator.name), None));
    }
    for (key, value) in all.ours.totals(all.killed) {
        results.total(key, value);
    }
    results.total("published_method", json!(all.published.totals(all.killed)));
    results.total("histogram", json!(all.ours.histogram));
    results.total("published_method_histogram", json!(all.published.histogram));
    results.notes.push(format!(
        "All mutants of the 21 programs (`subjects/comedy`), up to 10 violating cases for each relation from up to 100,000 random tries, mutants with a \
         crashing or endless case left out. Both methods start from the same cases; the published one is Algorithm 2 on each of them and the pair \
         with the shortest failing suffix; ours also shrinks them, searches from fewer, and ranks branches by what changes there repair. Each is run by itself. Seconds are CPU seconds of the report with its solver ({} {}). A report names a branch; ours also does where no passing neighbour exists or was found, from what a \
         change repairs (`with_neighbours_pct` counts reports with a pair only). Distances are those of the first-named \
         place, the histograms count distances 0 to 9 and more. The weights of the ranking were fitted (`experiments/comedy/fit.py`) on every 6th mutant of the programs of even number \
         (`development_half`, counted from 0 in the order of the table). On the other programs (`held_out_half`) no weight was fitted, but while the method was built single mutants of \
         both halves were looked at, and which evidence counts was chosen with both in view, always among every 4th or 6th mutant; `held_out_never_looked_at` leaves these out. \
         The last rows are sums by mutation operator.",
        solver.kind.name(),
        solver.version
    ));
    if step > 1 {
        results.notes.push(format!(
            "A sample: every {step}th mutant of each program, in source order; the counts are those of the sample."
        ));
    }
    results.total("sample", format!("1 in {step}"));
    if cfg!(debug_assertions) || !complete {
        results.notes.push("Not a complete study of an optimised build: not for comparison.".to_owned());
    }
    results
}
