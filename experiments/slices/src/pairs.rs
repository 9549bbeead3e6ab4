//! Two faults at once: does one ranking for each cluster of violations lead to both sooner than one ranking for all?

use std::collections::BTreeSet;

use twinrun_base::Rng;
use twinrun_localize::formulas::formula;
use twinrun_localize::measures::exam;
use twinrun_localize::method::{DEFAULT_FORMULA, Method, scores};
use twinrun_localize::ranking::{Ranking, Ties};

use crate::clusters::{WAYS, evidence_of, mended_of};
use crate::judge::Outcome;
use crate::program::Fault;

/// What it takes to find every fault of a program, with the rankings of some clusters.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Search {
    /// Clusters that were told apart.
    pub(crate) clusters: usize,
    /// EXAM until the last fault is found where the rankings are read in turn, line by line.
    pub(crate) in_turn: f64,
    /// The same where each ranking has a reader of its own: the longest way.
    pub(crate) at_once: f64,
}

/// First with one ranking for all, then with each way to tell violated groups apart.
pub(crate) fn searches(outcome: &Outcome) -> Vec<Search> {
    let Some(formula) = formula(DEFAULT_FORMULA) else { return Vec::new() };
    let method = Method::improved(formula);
    let (evidence, mended) = (&outcome.evidence, &outcome.mended);
    let ranking = |cluster: &BTreeSet<u32>| {
        let scores = scores(&evidence_of(evidence, cluster), &mended_of(mended, cluster), &method);
        Ranking { order: Vec::new(), scores }
    };
    let whole = Ranking { order: Vec::new(), scores: scores(evidence, mended, &method) };
    let mut searches = vec![Search::of(outcome, &[whole])];
    for (_, way) in WAYS {
        let rankings: Vec<Ranking> = way(evidence, mended).iter().map(ranking).collect();
        searches.push(Search::of(outcome, &rankings));
    }
    searches
}

impl Search {
    fn of(outcome: &Outcome, rankings: &[Ranking]) -> Search {
        let lines = outcome.evidence.lines.lines.len();
        let mut search = Search { clusters: rankings.len(), in_turn: 0.0, at_once: 0.0 };
        for wanted in [&outcome.wanted, &outcome.also_wanted].into_iter().filter(|it| !it.is_empty()) {
            let rank = |ranking: &Ranking| ranking.rank(wanted, Ties::Average).unwrap_or(lines as f64);
            let ranks: Vec<f64> = rankings.iter().map(rank).collect();
            let nearest = ranks.iter().copied().fold(f64::MAX, f64::min);
            let turn =
                |(place, rank): (u32, &f64)| (rank - 1.0) * ranks.len() as f64 + f64::from(place) + 1.0;
            let turns = (0..).zip(&ranks).map(turn).fold(f64::MAX, f64::min);
            search.in_turn = search.in_turn.max(exam(turns, lines));
            search.at_once = search.at_once.max(exam(nearest, lines));
        }
        search
    }
}

/// Pairs of some faults, in a seeded order, each fault in at most two of them.
pub(crate) fn pairs(faults: &[Fault], most: usize) -> Vec<Fault> {
    let mut order: Vec<&Fault> = faults.iter().collect();
    Rng::new(5).shuffle(&mut order);
    let neighbours = order.iter().zip(order.iter().skip(1)).filter_map(|(one, other)| one.with(other));
    neighbours.take(most).collect()
}
