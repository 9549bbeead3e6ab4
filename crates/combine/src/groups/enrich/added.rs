//! Rows that are added for groups alone.

use super::super::matcher::{abstract_matches, distinct};
use super::super::relation::Abstract;
use super::{Enricher, FIRST, value_worth};
use crate::random::Random;
use crate::space::Row;

/// Rows looked at for each row that is added, fewest and most, and for all of them.
const ADDED: (usize, usize) = (16, 96);
const LOOKED: usize = 20_000;
/// Adds rows until every relation that some row can serve has so many groups; each is the one of several
/// that completes the most groups of relations that still lack some.
pub(super) fn serve_all(relations: &Abstract<'_>, rows: &mut Vec<Row>, least: usize, random: &mut Random) {
    let mut found = vec![0usize; relations.relations.len()];
    distinct(&abstract_matches(relations, rows)).iter().for_each(|group| found[group.relation] += 1);
    for relation in 0..found.len() {
        while found[relation] < least {
            let mut best: Option<(usize, Vec<Row>, Vec<usize>)> = None;
            for _ in 0..SERVED {
                let anchor = rows[random.below(rows.len())].clone();
                let partners = relations.partners(relation, &anchor, false, random);
                if partners.is_empty() {
                    continue;
                }
                let chosen = partners[random.below(partners.len())].clone();
                if chosen.iter().any(|row| rows.contains(row)) {
                    continue;
                }
                let brought = brought(relations, rows, &chosen);
                let lacking: usize =
                    brought.iter().zip(&found).map(|(new, own)| (*new).min(least.saturating_sub(*own))).sum();
                let worth = lacking * 1000 + brought.iter().sum::<usize>();
                if best.as_ref().is_none_or(|(own, ..)| worth > *own) {
                    best = Some((worth, chosen, brought));
                }
            }
            let Some((_, mut chosen, brought)) = best else { break };
            chosen.dedup();
            rows.extend(chosen);
            found.iter_mut().zip(brought).for_each(|(own, new)| *own += new);
            found[relation] = found[relation].max(1);
        }
    }
}

/// Rows looked at for each row that is added for a relation without groups.
const SERVED: usize = 40;

/// The groups of two that further rows bring, relation by relation.
fn brought(relations: &Abstract<'_>, rows: &[Row], more: &[Row]) -> Vec<usize> {
    let related = |relation: usize, a: &Row, b: &Row| {
        relations.relations[relation].0 == 2 && relations.paired(relation, a, b)
    };
    let count = |relation: usize| {
        more.iter().map(|new| rows.iter().filter(|row| related(relation, row, new)).count()).sum()
    };
    (0..relations.relations.len()).map(count).collect()
}

impl Enricher<'_> {
    /// Adds up to so many rows, each with the contents that bring the most: partners of other rows, among them of rows that
    /// were added before, so that they grow together; for every second one, new values of a relation's groups count too.
    pub(super) fn place_added(&mut self, count: usize, random: &mut Random) {
        let looked = (LOOKED / count.max(1)).clamp(ADDED.0, ADDED.1);
        for turn in 0..count {
            let values = turn % 2 == 0;
            let mut best: Option<(i64, Row)> = None;
            for turn in 0..looked {
                let Some(row) = self.candidate(turn, values, random) else { continue };
                let worth = self.worth(&row, values);
                if worth > 0 && best.as_ref().is_none_or(|(own, _)| worth > *own) {
                    best = Some((worth, row));
                }
            }
            let Some((_, row)) = best else { continue };
            let at = self.rows.len();
            row.iter().enumerate().for_each(|(parameter, &value)| self.search.set(at, parameter, value));
            let (_, changes) = self.gain(&[at]);
            self.note(&changes);
            self.accept(&[at]);
        }
        while self.search.rows.len() > self.rows.len() {
            self.search.remove(self.search.rows.len() - 1);
        }
    }

    /// A row that makes a group of two with a row drawn from all, or from those added last.
    fn candidate(&mut self, turn: usize, values: bool, random: &mut Random) -> Option<Row> {
        let relation = self.draw_relation(values, random);
        let latest = self.rows.len() - 1 - random.below((self.rows.len() - self.fixed).clamp(1, 64));
        let anchor = if turn.is_multiple_of(3) { random.below(self.rows.len()) } else { latest };
        if self.relations.relations[relation].0 != 2 {
            return None;
        }
        let given = self.rows[anchor].clone();
        let partners = self.partners(relation, random.below(2) == 0, &given, random);
        partners.get(random.below(partners.len().max(1))).and_then(|rows| rows.first()).cloned()
    }

    /// What a further row brings; nothing when it is there already.
    fn worth(&self, row: &Row, values: bool) -> i64 {
        if self.present.contains(row) {
            return 0;
        }
        let mut worth = 0;
        for (relation, (runs, ..)) in self.relations.relations.iter().enumerate() {
            if *runs != 2 {
                continue;
            }
            let others = self.buckets[relation].get(&self.key(relation, row)).map_or(&[][..], Vec::as_slice);
            let related =
                others.iter().filter(|&&other| self.relations.paired(relation, row, &self.rows[other]));
            let links = related.count() as i64;
            if links > 0 {
                let seen = |value: &u32| self.seen[relation].get(value).copied().unwrap_or(0);
                let new: i64 =
                    row.iter().map(|value| value_worth(seen(value) + links) - value_worth(seen(value))).sum();
                worth += links + if values { FIRST + new } else { 0 };
            }
        }
        worth
    }
}
