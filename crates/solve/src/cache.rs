//! What earlier queries taught: their answers, their models and what was unsatisfiable in them.

use std::collections::VecDeque;

use rustc_hash::{FxHashMap, FxHashSet};
use twinrun_term::{Evaluation, Model, Term, Terms};

/// Answers are forgotten beyond this many.
const MAX_ANSWERS: usize = 200_000;
/// Cores that share their newest condition are searched in turn.
const MAX_CORES_PER_TERM: usize = 32;

#[derive(Debug, Default)]
pub(crate) struct Cache {
    /// By the sorted conditions: a model or unsatisfiable.
    answers: FxHashMap<Box<[Term]>, Option<Model>>,
    models: VecDeque<Evaluation>,
    /// Unsatisfiable sets by their newest condition.
    cores: FxHashMap<Term, Vec<Box<[Term]>>>,
}

impl Cache {
    pub(crate) fn answer(&self, key: &[Term]) -> Option<&Option<Model>> {
        self.answers.get(key)
    }

    pub(crate) fn remember(&mut self, key: Box<[Term]>, model: Option<Model>) {
        if self.answers.len() >= MAX_ANSWERS {
            self.answers.clear();
        }
        self.answers.insert(key, model);
    }

    /// An earlier model that satisfies all conditions. The last one is tried first: it is the news.
    pub(crate) fn model_for(&self, terms: &Terms, conditions: &[Term]) -> Option<&Evaluation> {
        self.models
            .iter()
            .find(|evaluation| conditions.iter().rev().all(|&condition| evaluation.holds(terms, condition)))
    }

    pub(crate) fn add_model(&mut self, model: Model, keep: usize) {
        if keep == 0 {
            return;
        }
        self.models.truncate(keep - 1);
        self.models.push_front(Evaluation::new(model));
    }

    /// Whether a known core is among the conditions, given sorted.
    pub(crate) fn has_core(&self, sorted: &[Term]) -> bool {
        if self.cores.is_empty() {
            return false;
        }
        let mut members: Option<FxHashSet<Term>> = None;
        for newest in sorted {
            for core in self.cores.get(newest).into_iter().flatten() {
                let members = members.get_or_insert_with(|| sorted.iter().copied().collect());
                if core.len() <= sorted.len() && core.iter().all(|condition| members.contains(condition)) {
                    return true;
                }
            }
        }
        false
    }

    pub(crate) fn add_core(&mut self, sorted: Box<[Term]>) {
        let Some(&newest) = sorted.last() else { return };
        let cores = self.cores.entry(newest).or_default();
        if cores.len() >= MAX_CORES_PER_TERM {
            cores.remove(0);
        }
        cores.push(sorted);
    }
}
