//! Rows that are added for groups alone.

use super::super::matcher::abstract_matches;
use super::super::relation::Abstract;
use super::{Enricher, FIRST, value_worth};
use crate::random::Random;
use crate::space::Row;

/// Rows looked at for each row that is added.
const ADDED: usize = 96;
/// Adds rows until every relation that some row can serve has so many groups; each is the one of several
/// that completes the most groups of relations that still lack some.
pub(super) fn serve_all(relations: &Abstract<'_>, rows: &mut Vec<Row>, least: usize, random: &mut Random) {
    let mut found = vec![0usize; relations.relations.len()];
    abstract_matches(relations, rows).iter().for_each(|group| found[group.relation] += 1);
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
                let brought = brought(relations, rows, &chosen);
                let lacking: usize =
                    brought.iter().zip(&found).map(|(new, own)| (*new).min(least.saturating_sub(*own))).sum();
                let worth = lacking * 1000 + brought.iter().sum::<usize>();
                if best.as_ref().is_none_or(|(own, ..)| worth > *own) {
                    best = Some((worth, chosen, brought));
                }
            }
            let Some((_, chosen, brought)) = best else { break };
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
        relations.relations[relation].0 == 2
            && a != b
            && (relations.related(relation, &[a, b]) || relations.related(relation, &[b, a]))
    };
    let count = |relation: usize| {
        more.iter().map(|new| rows.iter().filter(|row| related(relation, row, new)).count()).sum()
    };
    (0..relations.relations.len()).map(count).collect()
}

impl Enricher<'_> {
    /// Gives a row that covers nothing alone the contents that bring the most: partners of other rows, among them of rows that
    /// were added before, so that they grow together; new values of a relation's groups count when they are wanted.
    pub(super) fn place_added(&mut self, at: usize, values: bool, random: &mut Random) {
        let mut best: Option<(i64, Row)> = None;
        for turn in 0..ADDED {
            let relation = self.draw_relation(values, random);
            let (runs, ..) = self.relations.relations[relation];
            let latest = self.rows.len() - 1 - random.below((self.rows.len() - self.fixed).min(64));
            let anchor = if turn % 3 == 0 { random.below(self.rows.len()) } else { latest };
            if anchor == at || runs != 2 {
                continue;
            }
            let given = self.rows[anchor].clone();
            let partners = self.partners(relation, random.below(2) == 0, &given, random);
            let Some(row) = partners.get(random.below(partners.len().max(1))).and_then(|rows| rows.first())
            else {
                continue;
            };
            let worth = self.worth(at, row, values);
            if best.as_ref().is_none_or(|(own, _)| worth > *own) {
                best = Some((worth, row.clone()));
            }
        }
        let Some((_, row)) = best else { return };
        let old = self.rows[at].clone();
        row.iter().enumerate().for_each(|(parameter, &value)| self.search.set(at, parameter, value));
        let (gain, changes) = self.gain(&[at]);
        if (gain > 0 || !values) && self.search.open() == 0 {
            self.note(&changes);
            self.accept(&[at]);
        } else {
            old.iter().enumerate().for_each(|(parameter, &value)| self.search.set(at, parameter, value));
        }
    }

    /// What a row brings that is put at a place; nothing when it is there already.
    fn worth(&self, at: usize, row: &Row, values: bool) -> i64 {
        let mut worth = 0;
        for (relation, (runs, ..)) in self.relations.relations.iter().enumerate() {
            if *runs != 2 {
                continue;
            }
            let others = self.buckets[relation].get(&self.key(relation, row)).map_or(&[][..], Vec::as_slice);
            let mut links = 0;
            for &other in others.iter().filter(|&&other| other != at) {
                let other = &self.rows[other];
                if other == row {
                    return 0;
                }
                links += i64::from(self.relations.related(relation, &[row, other]))
                    + i64::from(self.relations.related(relation, &[other, row]));
            }
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
