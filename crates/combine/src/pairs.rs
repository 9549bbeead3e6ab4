//! Which pairs of values cannot occur together, all of them at once. In a feature model of a thousand options there are
//! millions of pairs, so no pair may cost a call of the solver: one valid row settles every pair in it, and a row is built
//! around an open pair such that it holds many more; what one value rules out by propagation settles pairs the other way, and
//! a pair that the solver refutes takes along every pair that implies it. Pairs are bits, so each of these is a few words.

use crate::feasible::Feasibility;
use crate::propagate::Propagator;
use crate::space::{Row, Space};
use crate::tuples::{clear_bit, has_bit, set_bit};

/// A square table of bits over values.
struct Table {
    words: usize,
    bits: Vec<u64>,
}

impl Table {
    fn new(values: usize) -> Table {
        let words = values.div_ceil(64);
        Table { words, bits: vec![0; values * words] }
    }

    fn of(&self, value: u32) -> &[u64] {
        &self.bits[value as usize * self.words..(value as usize + 1) * self.words]
    }

    fn of_mut(&mut self, value: u32) -> &mut [u64] {
        &mut self.bits[value as usize * self.words..(value as usize + 1) * self.words]
    }
}

/// The search for infeasible pairs.
pub(crate) struct Pairs<'a, 'b, 'c> {
    space: &'a Space,
    propagator: Propagator<'a>,
    feasibility: &'b mut Feasibility<'c>,
    /// Pairs that are not settled, both ways round.
    open: Table,
    /// The values that force each value, itself among them.
    forced_by: Table,
    /// Values, those with the most open pairs first.
    busiest: Vec<u32>,
    /// How many rows have each value: the commonest values complete a row most easily.
    seen: Vec<u32>,
    found: Vec<Vec<u32>>,
    rows: Vec<Row>,
}

impl<'a, 'b, 'c> Pairs<'a, 'b, 'c> {
    /// All pairs of live values of different parameters that constraints connect; `component` names what each parameter is
    /// connected with.
    pub(crate) fn new(
        space: &'a Space,
        feasibility: &'b mut Feasibility<'c>,
        component: &[Option<usize>],
        dead: &[u32],
    ) -> Pairs<'a, 'b, 'c> {
        let values = space.values();
        let mut propagator = Propagator::new(space);
        let live = |value: &u32| dead.binary_search(value).is_err();
        dead.iter().for_each(|&value| {
            propagator.rule_out(value);
        });
        let mut names: Vec<usize> = component.iter().flatten().copied().collect();
        names.sort_unstable();
        names.dedup();
        let mut open = Table::new(values);
        for name in names {
            let members = (0..component.len()).filter(|&parameter| component[parameter] == Some(name));
            let ids: Vec<u32> = members.flat_map(|parameter| space.ids(parameter)).filter(live).collect();
            let mut all = vec![0; open.words];
            ids.iter().for_each(|&value| set_bit(&mut all, value as usize));
            for &value in &ids {
                let own = open.of_mut(value);
                own.copy_from_slice(&all);
                space
                    .ids(space.owner[value as usize] as usize)
                    .for_each(|same| clear_bit(own, same as usize));
            }
        }
        let forced_by = Table::new(values);
        let (seen, found, rows) = (vec![0; values], Vec::new(), Vec::new());
        Pairs { space, propagator, feasibility, open, forced_by, busiest: Vec::new(), seen, found, rows }
    }

    /// Every pair of a valid row can occur.
    pub(crate) fn settle(&mut self, row: &[u32]) {
        let mut mask = vec![0u64; self.open.words];
        row.iter().for_each(|&value| set_bit(&mut mask, value as usize));
        for &value in row {
            self.seen[value as usize] += 1;
            self.open.of_mut(value).iter_mut().zip(&mask).for_each(|(own, row)| *own &= !row);
        }
    }

    /// The pairs that cannot occur, sorted, and the rows that were found on the way.
    pub(crate) fn infeasible(mut self) -> (Vec<Vec<u32>>, Vec<Row>) {
        self.propagate_all();
        self.sort_busiest();
        let values = 0..self.space.values() as u32;
        let weight = |value: u32| self.forced_by.of(value).iter().map(|word| word.count_ones()).sum::<u32>();
        let mut order: Vec<u32> = values.filter(|&value| any(self.open.of(value))).collect();
        // A pair whose values many others force takes these along when it is refuted.
        order.sort_by_key(|&value| std::cmp::Reverse(weight(value)));
        for &value in &order {
            for &other in &order {
                if !has_bit(self.open.of(value), other as usize) {
                    continue;
                }
                match self.row_with(value, other) {
                    Some(row) => {
                        self.settle(&row);
                        self.rows.push(row);
                        if self.rows.len().is_multiple_of(SORTED_AFTER) {
                            self.sort_busiest();
                        }
                    }
                    None => {
                        self.refute(value, other);
                        self.feasibility.forbid(value, other);
                        self.propagator.forbid(value, other);
                    }
                }
            }
        }
        self.found.sort_unstable();
        (self.found, self.rows)
    }

    fn sort_busiest(&mut self) {
        let count = |value: u32| self.open.of(value).iter().map(|word| word.count_ones()).sum::<u32>();
        let mut counted: Vec<(u32, u32)> = (0..self.space.values() as u32)
            .map(|value| (count(value), value))
            .filter(|own| own.0 > 0)
            .collect();
        counted.sort_unstable_by(|a, b| b.cmp(a));
        self.busiest = counted.into_iter().map(|(_, value)| value).collect();
    }

    /// What each value rules out and what it forces, by propagation alone: in a feature model, nearly all that there is.
    fn propagate_all(&mut self) {
        for value in 0..self.space.values() as u32 {
            if !any(self.open.of(value)) {
                continue;
            }
            set_bit(self.forced_by.of_mut(value), value as usize);
            let Some((forced, out)) = self.propagator.consequences(value) else { continue };
            for other in forced {
                set_bit(self.forced_by.of_mut(other), value as usize);
            }
            out.into_iter().for_each(|other| self.close(value, other));
        }
    }

    /// Notes that a pair cannot occur.
    fn close(&mut self, a: u32, b: u32) {
        if has_bit(self.open.of(a), b as usize) {
            clear_bit(self.open.of_mut(a), b as usize);
            clear_bit(self.open.of_mut(b), a as usize);
            self.found.push(vec![a.min(b), a.max(b)]);
        }
    }

    /// Notes that a pair cannot occur, and neither can any pair that forces both of its values.
    fn refute(&mut self, a: u32, b: u32) {
        let (left, right) = (members(self.forced_by.of(a)), self.forced_by.of(b).to_vec());
        for value in left {
            let out: Vec<u64> =
                self.open.of(value).iter().zip(&right).map(|(open, force)| open & force).collect();
            members(&out).into_iter().for_each(|other| self.close(value, other));
        }
        self.close(a, b);
    }

    /// The pairs that propagation alone rules out, sorted, and what it takes to refute others when they are met.
    pub(crate) fn by_propagation(mut self) -> (Vec<Vec<u32>>, Refuting) {
        self.propagate_all();
        self.found.sort_unstable();
        (self.found, Refuting { forced_by: self.forced_by, pairs: Vec::new() })
    }

    /// A valid row with both values, and with many open pairs besides; nothing when there is no row.
    fn row_with(&mut self, a: u32, b: u32) -> Option<Row> {
        let start = self.propagator.mark();
        let busiest = std::mem::take(&mut self.busiest);
        let row = self.grow(a, b, &busiest);
        self.busiest = busiest;
        self.propagator.undo(start);
        row.or_else(|| self.feasibility.row(&[a, b]))
    }

    fn grow(&mut self, a: u32, b: u32, busiest: &[u32]) -> Option<Row> {
        let mut mask = vec![0u64; self.open.words];
        // What every row has counts too.
        let mut noted = 0;
        for value in [a, b] {
            if !self.propagator.choose(value) {
                return None;
            }
        }
        for &value in busiest {
            self.propagator.chosen_since(noted).for_each(|value| set_bit(&mut mask, value as usize));
            noted = self.propagator.mark();
            if !self.propagator.undecided(value) || !meet(self.open.of(value), &mask) {
                continue;
            }
            if !self.propagator.choose(value) && !self.propagator.rule_out(value) {
                return None;
            }
        }
        for parameter in 0..self.space.sizes.len() {
            let mut values: Vec<u32> =
                self.space.ids(parameter).filter(|&value| self.propagator.alive(value)).collect();
            values.sort_by_key(|&value| std::cmp::Reverse(self.seen[value as usize]));
            if !values.into_iter().any(|value| self.propagator.choose(value)) {
                return None;
            }
        }
        let chosen = |parameter| self.space.ids(parameter).find(|&value| self.propagator.chosen(value));
        let row: Row = (0..self.space.sizes.len()).map(chosen).collect::<Option<Row>>()?;
        let settled = self.space.cnf.variables as usize == self.space.values();
        (settled || self.space.valid(&row)).then_some(row)
    }
}

/// Pairs that were found not to occur while an array is built.
pub(crate) struct Refuting {
    forced_by: Table,
    /// All of them.
    pub pairs: Vec<Vec<u32>>,
}

impl Refuting {
    /// Notes a pair that cannot occur; the pairs that this settles, itself among them, some perhaps settled before.
    pub(crate) fn refute(&mut self, a: u32, b: u32) -> Vec<Vec<u32>> {
        let (left, right) = (members(self.forced_by.of(a)), members(self.forced_by.of(b)));
        let both = |&value: &u32| right.iter().map(move |&other| vec![value.min(other), value.max(other)]);
        let pairs: Vec<Vec<u32>> = left.iter().flat_map(both).collect();
        self.pairs.extend(pairs.iter().cloned());
        pairs
    }
}

/// Rows after which the busiest values are sought again.
const SORTED_AFTER: usize = 8;

fn any(bits: &[u64]) -> bool {
    bits.iter().any(|word| *word != 0)
}

fn meet(a: &[u64], b: &[u64]) -> bool {
    a.iter().zip(b).any(|(a, b)| a & b != 0)
}

fn members(bits: &[u64]) -> Vec<u32> {
    let word = |(at, &bits): (usize, &u64)| {
        (0..64).filter(move |bit| bits >> bit & 1 == 1).map(move |bit| (at * 64 + bit) as u32)
    };
    bits.iter().enumerate().flat_map(word).collect()
}
