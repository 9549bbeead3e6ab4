//! Shrinks an array by local search: take a row out, then repair what is uncovered by single-value changes
//! under a tabu list, and repeat (the scheme of TCA: Lin, Luo, Cai, Su, Hao, Zhang, ASE 2015).
//!
//! For every cell we keep how many tuples only this row covers and would lose with it. So the loss of a
//! change is one table look-up and its gain is a scan of the few uncovered tuples: looking at a change is
//! much cheaper than making it, and every step looks at all changes that repair an uncovered tuple.

#![expect(
    clippy::needless_range_loop,
    reason = "positions in rows and words are numbers that tuples are made of"
)]

use rustc_hash::FxHashMap;

use crate::cover::Requirement;
use crate::propagate::Propagator;
use crate::random::Random;
use crate::space::{Row, Space};

/// Count tables larger than this (of two bytes each) are not built; the array is then returned as it is.
const LIMIT_ENTRIES: usize = 1 << 29;

/// Whether arrays for these requirements can be searched at all.
pub(crate) fn searchable(fresh: &[Requirement]) -> bool {
    fresh.iter().all(|requirement| entries(requirement) <= LIMIT_ENTRIES)
}

fn entries(requirement: &Requirement) -> usize {
    let tuples = &requirement.tuples;
    tuples.part(tuples.strength - 1, tuples.values as u32)
}

/// How the search goes.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Limits {
    /// Steps in all.
    pub steps: u64,
    /// The array will not get smaller than this.
    pub lower_bound: usize,
}

/// The search's state for one requirement.
struct Table<'a> {
    requirement: &'a Requirement,
    /// How many rows cover each tuple, by rank.
    counts: Vec<u16>,
    /// Uncovered tuples, as global values, with the rank of each.
    open: Vec<(usize, Vec<u32>)>,
    place: FxHashMap<usize, usize>,
}

pub(crate) struct Search<'a> {
    space: &'a Space,
    tables: Vec<Table<'a>>,
    pub rows: Vec<Row>,
    /// The rows that have each value, as bits.
    having: Vec<Vec<u64>>,
    /// Tuples that only this row covers, for each cell.
    pub lone: Vec<Vec<u32>>,
    /// The sum of these for each row: what its loss would cost.
    costs: Vec<u32>,
    /// The step at which each cell last changed.
    changed: Vec<Vec<u64>>,
    /// Rows that changed since they were last kept, in a list and as flags.
    touched: (Vec<usize>, Vec<bool>),
    pub step: u64,
    /// Tuples counted and changes looked at so far.
    pub work: u64,
    /// Rows that repairs leave alone.
    pub protected: Vec<usize>,
    propagator: Propagator<'a>,
    /// Parameters that constraints mention.
    bound: Vec<usize>,
}

/// A change of one row: the values that it takes on.
struct Change {
    score: i64,
    age: u64,
    row: usize,
    cells: Vec<(usize, u32)>,
}

/// Shrinks the array. `fresh` are the requirements with nothing covered yet; rows before `fixed` stay.
pub(crate) fn shrink(
    space: &Space,
    fresh: &[Requirement],
    rows: &[Row],
    fixed: usize,
    limits: Limits,
    random: &mut Random,
    stop: &dyn Fn() -> bool,
) -> Vec<Row> {
    let mut best = rows.to_vec();
    let Some(mut search) = Search::new(space, fresh, rows) else { return best };
    while search.step < limits.steps && !stop() {
        if search.open() == 0 {
            search.keep(&mut best);
            if best.len() <= limits.lower_bound || best.len() <= fixed.max(1) {
                break;
            }
            search.drop_cheapest_row(fixed, random);
            continue;
        }
        search.step += 1;
        search.repair(fixed, random);
    }
    if search.open() == 0 && search.rows.len() < best.len() {
        best = search.rows;
    }
    best
}

impl<'a> Table<'a> {
    fn new(requirement: &'a Requirement) -> Option<Table<'a>> {
        let entries = entries(requirement);
        (entries <= LIMIT_ENTRIES).then(|| Table {
            requirement,
            counts: vec![0; entries],
            open: Vec::new(),
            place: FxHashMap::default(),
        })
    }

    fn open_tuple(&mut self, rank: usize, tuple: Vec<u32>) {
        self.place.insert(rank, self.open.len());
        self.open.push((rank, tuple));
    }

    fn close_tuple(&mut self, rank: usize) {
        if let Some(at) = self.place.remove(&rank) {
            self.open.swap_remove(at);
            if let Some((moved, _)) = self.open.get(at) {
                self.place.insert(*moved, at);
            }
        }
    }
}

impl<'a> Search<'a> {
    pub(crate) fn new(space: &'a Space, fresh: &'a [Requirement], rows: &[Row]) -> Option<Search<'a>> {
        let tables: Option<Vec<Table<'a>>> = fresh.iter().map(Table::new).collect();
        let mut search = Search {
            space,
            tables: tables?,
            rows: Vec::new(),
            having: vec![vec![0; rows.len().div_ceil(64)]; space.values()],
            lone: Vec::new(),
            costs: Vec::new(),
            changed: Vec::new(),
            touched: (Vec::new(), vec![false; rows.len()]),
            step: 0,
            work: 0,
            protected: Vec::new(),
            propagator: Propagator::new(space),
            bound: (0..space.sizes.len())
                .filter(|&parameter| !space.rules_of[parameter].is_empty())
                .collect(),
        };
        for row in rows {
            search.rows.push(row.clone());
            search.lone.push(vec![0; row.len()]);
            search.changed.push(vec![0; row.len()]);
            let at = search.rows.len() - 1;
            row.iter().for_each(|&value| search.having[value as usize][at / 64] |= 1 << (at % 64));
            for table in &mut search.tables {
                let local = table.requirement.localize(row).0;
                let counts = &mut table.counts;
                table
                    .requirement
                    .tuples
                    .ranks(&local, table.requirement.tuples.strength, &mut |rank| counts[rank] += 1);
            }
        }
        for at in 0..search.rows.len() {
            search.count_lone(at);
            search.costs.push(search.lone[at].iter().sum());
        }
        Some(search)
    }

    /// Number of uncovered tuples.
    pub(crate) fn open(&self) -> usize {
        self.tables.iter().map(|table| table.open.len()).sum()
    }

    fn count_lone(&mut self, at: usize) {
        let row = &self.rows[at];
        for table in &self.tables {
            let tuples = &table.requirement.tuples;
            let local = table.requirement.localize(row).0;
            let parameters = &table.requirement.parameters;
            for_each_tuple(
                &local,
                tuples.strength,
                &|position, value| tuples.part(position, value),
                &mut |rank, positions| {
                    if table.counts[rank] == 1 {
                        positions.iter().for_each(|&position| self.lone[at][parameters[position]] += 1);
                    }
                },
            );
        }
    }

    /// The one row that has all these values.
    fn only_row(having: &[Vec<u64>], values: &[u32]) -> usize {
        let words = having[values[0] as usize].len();
        for word in 0..words {
            let rows = values.iter().fold(u64::MAX, |rows, &value| rows & having[value as usize][word]);
            if rows != 0 {
                return word * 64 + rows.trailing_zeros() as usize;
            }
        }
        usize::MAX
    }

    /// Adds (or takes away) the tuples of a row that contain one of its cells, or all of its tuples.
    fn count(&mut self, at: usize, parameter: Option<usize>, add: bool) {
        let row = &self.rows[at];
        let mut work = 0;
        for table in &mut self.tables {
            let requirement = table.requirement;
            let tuples = &requirement.tuples;
            let parameters = &requirement.parameters;
            let local = requirement.localize(row).0;
            let must = match parameter {
                None => None,
                Some(parameter) => match parameters.binary_search(&parameter) {
                    Ok(position) => Some(position),
                    Err(_) => continue,
                },
            };
            let mut crossings: Vec<(usize, u16, [u16; 6])> = Vec::new();
            let counts = &mut table.counts;
            let mut visit = |rank: usize, positions: &[usize]| {
                let count = &mut counts[rank];
                let before = *count;
                work += 1;
                *count = if add { before + 1 } else { before - 1 };
                if (add && before <= 1) || (!add && before <= 2) {
                    let mut kept = [0u16; 6];
                    positions.iter().zip(&mut kept).for_each(|(position, kept)| *kept = *position as u16);
                    crossings.push((rank, before, kept));
                }
            };
            match must {
                None => for_each_tuple(&local, tuples.strength, &|p, v| tuples.part(p, v), &mut visit),
                Some(must) => {
                    for_each_tuple_with(&local, must, tuples.strength, &|p, v| tuples.part(p, v), &mut visit);
                }
            }
            for (rank, before, kept) in crossings {
                let positions = &kept[..tuples.strength];
                let values: Vec<u32> =
                    positions.iter().map(|&position| row[parameters[position as usize]]).collect();
                let (row_of, change): (usize, i32) = match (add, before) {
                    // Now covered, by this row alone.
                    (true, 0) => {
                        table.close_tuple(rank);
                        (at, 1)
                    }
                    // Another row is no longer alone.
                    (true, _) => (other_row(&self.having, &values, at), -1),
                    // Uncovered now; this row was alone.
                    (false, 1) => {
                        // Between two changes of one row it may have been invalid, with tuples that cannot occur.
                        if requirement.requires(&values) {
                            table.open_tuple(rank, values);
                        }
                        (at, -1)
                    }
                    // Another row is alone now.
                    (false, _) => (other_row(&self.having, &values, at), 1),
                };
                for &position in positions {
                    let lone = &mut self.lone[row_of][parameters[position as usize]];
                    *lone = lone.wrapping_add_signed(change);
                }
                let cost = &mut self.costs[row_of];
                *cost = cost.wrapping_add_signed(change * positions.len() as i32);
            }
        }
        self.work += work;
    }

    /// Changes one cell.
    pub(crate) fn set(&mut self, at: usize, parameter: usize, value: u32) {
        self.count(at, Some(parameter), false);
        let old = self.rows[at][parameter];
        self.having[old as usize][at / 64] &= !(1 << (at % 64));
        self.rows[at][parameter] = value;
        self.having[value as usize][at / 64] |= 1 << (at % 64);
        self.count(at, Some(parameter), true);
        self.changed[at][parameter] = self.step;
        self.touch(at);
    }

    fn touch(&mut self, at: usize) {
        if !std::mem::replace(&mut self.touched.1[at], true) {
            self.touched.0.push(at);
        }
    }

    /// Makes `best`, the rows when they were last kept, equal to the rows as they are.
    fn keep(&mut self, best: &mut Vec<Row>) {
        best.truncate(self.rows.len());
        for at in self.touched.0.drain(..) {
            self.touched.1[at] = false;
            if let Some(row) = self.rows.get(at) {
                best[at].clone_from(row);
            }
        }
        debug_assert_eq!(*best, self.rows);
    }

    fn drop_cheapest_row(&mut self, fixed: usize, random: &mut Random) {
        let least = self.costs[fixed..].iter().copied().min().unwrap_or(0);
        let tied: Vec<usize> = (fixed..self.rows.len()).filter(|&at| self.costs[at] == least).collect();
        self.remove(tied[random.below(tied.len())]);
    }

    /// Takes a row out; the last row takes its place.
    pub(crate) fn remove(&mut self, at: usize) {
        self.count(at, None, false);
        let last = self.rows.len() - 1;
        for &value in &self.rows[at] {
            self.having[value as usize][at / 64] &= !(1 << (at % 64));
        }
        if at != last {
            for &value in &self.rows[last] {
                self.having[value as usize][last / 64] &= !(1 << (last % 64));
                self.having[value as usize][at / 64] |= 1 << (at % 64);
            }
        }
        self.rows.swap_remove(at);
        self.lone.swap_remove(at);
        self.costs.swap_remove(at);
        if at != last {
            self.touch(at);
        }
        self.changed.swap_remove(at);
    }

    /// How many uncovered tuples a row would cover after the change of one cell.
    fn gain(&self, at: usize, parameter: usize, value: u32) -> i64 {
        let row = &self.rows[at];
        let owner = &self.space.owner;
        let covers = |tuple: &[u32]| {
            tuple.contains(&value)
                && tuple.iter().all(|&own| {
                    let place = owner[own as usize] as usize;
                    place == parameter || row[place] == own
                })
        };
        self.tables
            .iter()
            .map(|table| table.open.iter().filter(|(_, tuple)| covers(tuple)).count() as i64)
            .sum()
    }

    /// How many uncovered tuples a whole row covers.
    fn gain_of_row(&self, row: &[u32]) -> i64 {
        let owner = &self.space.owner;
        let covers = |tuple: &[u32]| tuple.iter().all(|&own| row[owner[own as usize] as usize] == own);
        self.tables
            .iter()
            .map(|table| table.open.iter().filter(|(_, tuple)| covers(tuple)).count() as i64)
            .sum()
    }

    /// One step: the best change that covers an uncovered tuple, else a forced one.
    fn repair(&mut self, fixed: usize, random: &mut Random) {
        self.repair_logged(fixed, random, &mut Vec::new());
    }

    /// The same, noting row, parameter and old value of every change.
    pub(crate) fn repair_logged(
        &mut self,
        fixed: usize,
        random: &mut Random,
        log: &mut Vec<(usize, usize, u32)>,
    ) {
        let table = (0..self.tables.len())
            .filter(|&at| !self.tables[at].open.is_empty())
            .max_by_key(|&at| self.tables[at].open.len());
        let Some(table) = table else { return };
        let pick = random.below(self.tables[table].open.len());
        let tuple = self.tables[table].open[pick].1.clone();
        let change = if random.below(1000) == 0 { None } else { self.best_change(&tuple, fixed, random) };
        match change.or_else(|| self.forced_change(&tuple, fixed, random)) {
            Some(change) => {
                for &(parameter, value) in &change.cells {
                    log.push((change.row, parameter, self.rows[change.row][parameter]));
                    self.set(change.row, parameter, value);
                }
            }
            None => self.step += 1,
        }
    }

    /// The best change of a row that lacks just one value of the tuple. Where constraints forbid the change
    /// alone, other cells follow it.
    fn best_change(&mut self, tuple: &[u32], fixed: usize, random: &mut Random) -> Option<Change> {
        let tenure = 4 + random.below(6) as u64;
        let open = self.open() as i64;
        let mut best: Option<Change> = None;
        let mut blocked: Vec<usize> = Vec::new();
        for missing in 0..tuple.len() {
            let value = tuple[missing];
            let parameter = self.space.owner[value as usize] as usize;
            for word in 0..self.having[value as usize].len() {
                let mut rows = self.rows_with(tuple, missing, word);
                while rows != 0 {
                    let at = word * 64 + rows.trailing_zeros() as usize;
                    rows &= rows - 1;
                    let age = self.changed[at][parameter];
                    if at < fixed || self.protected.contains(&at) || (age != 0 && self.step < age + tenure) {
                        continue;
                    }
                    let loss = i64::from(self.lone[at][parameter]);
                    if best.as_ref().is_some_and(|best| open - loss < best.score) {
                        continue;
                    }
                    let old = std::mem::replace(&mut self.rows[at][parameter], value);
                    let fits = self.space.fits(&self.rows[at], parameter);
                    self.rows[at][parameter] = old;
                    if !fits {
                        blocked.push(at);
                        continue;
                    }
                    self.work += open as u64;
                    let score = self.gain(at, parameter, value) - loss;
                    let cells = vec![(parameter, value)];
                    keep_better(&mut best, Change { score, age, row: at, cells });
                }
            }
        }
        random.shuffle(&mut blocked);
        for &at in blocked.iter().take(BLOCKED_TRIED) {
            if let Some(change) = self.change_with_repair(at, tuple, tenure, random) {
                keep_better(&mut best, change);
            }
        }
        best
    }

    /// The rows, within one word of the bit sets, that have all values of a tuple but one.
    fn rows_with(&self, tuple: &[u32], except: usize, word: usize) -> u64 {
        let left = self.rows.len().saturating_sub(word * 64);
        let all = if left >= 64 { u64::MAX } else { (1 << left) - 1 };
        let others = tuple.iter().enumerate().filter(|(at, _)| *at != except);
        others.fold(all, |rows, (_, &own)| rows & self.having[own as usize][word])
    }

    /// Up to `most` rows that have all these values, from a random one on.
    pub(crate) fn agreeing(&self, values: &[u32], most: usize, random: &mut Random, found: &mut Vec<usize>) {
        let words = self.rows.len().div_ceil(64);
        let start = random.below(words.max(1));
        let wanted = found.len() + most;
        for step in 0..words {
            let word = (start + step) % words;
            let mut rows = self.rows_with(values, usize::MAX, word);
            while rows != 0 && found.len() < wanted {
                found.push(word * 64 + rows.trailing_zeros() as usize);
                rows &= rows - 1;
            }
            if found.len() == wanted {
                return;
            }
        }
    }

    /// Puts a tuple into a row and lets as few other cells as propagation finds follow.
    fn change_with_repair(
        &mut self,
        at: usize,
        tuple: &[u32],
        tenure: u64,
        random: &mut Random,
    ) -> Option<Change> {
        let mut row = self.rows[at].clone();
        tuple.iter().for_each(|&value| row[self.space.owner[value as usize] as usize] = value);
        if !self.space.valid(&row) {
            let start = self.propagator.mark();
            let repaired = self.follow(tuple, &mut row, random);
            self.propagator.undo(start);
            if !repaired || !self.space.valid(&row) {
                return None;
            }
        }
        let old = &self.rows[at];
        let cells: Vec<(usize, u32)> =
            (0..row.len()).filter(|&p| row[p] != old[p]).map(|p| (p, row[p])).collect();
        let age = cells.iter().map(|&(parameter, _)| self.changed[at][parameter]).max().unwrap_or(0);
        if age != 0 && self.step < age + tenure {
            return None;
        }
        let loss: i64 = cells.iter().map(|&(parameter, _)| i64::from(self.lone[at][parameter])).sum();
        Some(Change { score: self.gain_of_row(&row) - loss, age, row: at, cells })
    }

    /// Completes a row around a tuple, keeping the row's own values where propagation allows.
    fn follow(&mut self, tuple: &[u32], row: &mut [u32], random: &mut Random) -> bool {
        if !tuple.iter().all(|&value| self.propagator.choose(value)) {
            return false;
        }
        let mut order = std::mem::take(&mut self.bound);
        random.shuffle(&mut order);
        let done = order.iter().all(|&parameter| {
            if self.propagator.choose(row[parameter]) {
                return true;
            }
            let mut others: Vec<u32> =
                self.space.ids(parameter).filter(|&value| self.propagator.alive(value)).collect();
            random.shuffle(&mut others);
            match others.into_iter().find(|&value| self.propagator.choose(value)) {
                Some(value) => {
                    row[parameter] = value;
                    true
                }
                None => false,
            }
        });
        self.bound = order;
        done
    }

    /// Puts a tuple into a random row.
    fn forced_change(&mut self, tuple: &[u32], fixed: usize, random: &mut Random) -> Option<Change> {
        (0..20).find_map(|_| {
            let at = fixed + random.below(self.rows.len() - fixed);
            if self.protected.contains(&at) {
                return None;
            }
            self.change_with_repair(at, tuple, 0, random)
        })
    }
}

/// Rows whose change has to be followed by others that are tried in one step.
const BLOCKED_TRIED: usize = 4;

fn keep_better(best: &mut Option<Change>, change: Change) {
    if best
        .as_ref()
        .is_none_or(|own| change.score > own.score || (change.score == own.score && change.age < own.age))
    {
        *best = Some(change);
    }
}

/// A row other than `except` that has all the values.
fn other_row(having: &[Vec<u64>], values: &[u32], except: usize) -> usize {
    let words = having[values[0] as usize].len();
    for word in 0..words {
        let mut rows = values.iter().fold(u64::MAX, |rows, &value| rows & having[value as usize][word]);
        if word == except / 64 {
            rows &= !(1 << (except % 64));
        }
        if rows != 0 {
            return word * 64 + rows.trailing_zeros() as usize;
        }
    }
    Search::only_row(having, values)
}

/// Visits the tuples of a sorted row: rank, and the positions in the row.
fn for_each_tuple(
    row: &[u32],
    strength: usize,
    part: &impl Fn(usize, u32) -> usize,
    visit: &mut impl FnMut(usize, &[usize]),
) {
    fn descend(
        row: &[u32],
        end: usize,
        left: usize,
        rank: usize,
        positions: &mut [usize],
        part: &impl Fn(usize, u32) -> usize,
        visit: &mut impl FnMut(usize, &[usize]),
    ) {
        if left == 0 {
            visit(rank, positions);
            return;
        }
        for at in (left - 1)..end {
            positions[left - 1] = at;
            descend(row, at, left - 1, rank + part(left - 1, row[at]), positions, part, visit);
        }
    }
    descend(row, row.len(), strength, 0, &mut vec![0; strength], part, visit);
}

/// Visits the tuples of a sorted row that contain the position `must`.
fn for_each_tuple_with(
    row: &[u32],
    must: usize,
    strength: usize,
    part: &impl Fn(usize, u32) -> usize,
    visit: &mut impl FnMut(usize, &[usize]),
) {
    match strength {
        1 => visit(part(0, row[must]), &[must]),
        2 => {
            let own = part(1, row[must]);
            for at in 0..must {
                visit(own + part(0, row[at]), &[at, must]);
            }
            let own = part(0, row[must]);
            for at in must + 1..row.len() {
                visit(own + part(1, row[at]), &[must, at]);
            }
        }
        3 => {
            let own = part(2, row[must]);
            for b in 0..must {
                let base = own + part(1, row[b]);
                for a in 0..b {
                    visit(base + part(0, row[a]), &[a, b, must]);
                }
            }
            let own = part(1, row[must]);
            for c in must + 1..row.len() {
                let base = own + part(2, row[c]);
                for a in 0..must {
                    visit(base + part(0, row[a]), &[a, must, c]);
                }
            }
            let own = part(0, row[must]);
            for c in must + 1..row.len() {
                let base = own + part(2, row[c]);
                for b in must + 1..c {
                    visit(base + part(1, row[b]), &[must, b, c]);
                }
            }
        }
        _ => {
            let mut positions = vec![0; strength];
            descend_with(row, Some(must), (row.len(), strength), 0, &mut positions, part, visit);
        }
    }
}

/// Visits choices of positions below `end`, the highest first; `must` is still to be among them.
fn descend_with(
    row: &[u32],
    must: Option<usize>,
    (end, left): (usize, usize),
    rank: usize,
    positions: &mut [usize],
    part: &impl Fn(usize, u32) -> usize,
    visit: &mut impl FnMut(usize, &[usize]),
) {
    if left == 0 {
        visit(rank, positions);
        return;
    }
    let lowest = must.map_or(left - 1, |must| must.max(left - 1));
    for at in lowest..end {
        let still = must.filter(|&must| must != at);
        if left == 1 && still.is_some() {
            return;
        }
        positions[left - 1] = at;
        let rank = rank + part(left - 1, row[at]);
        descend_with(row, still, (at, left - 1), rank, positions, part, visit);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tuples_with_a_position_are_those_of_all_tuples_that_have_it() {
        let row: Vec<u32> = vec![1, 4, 6, 9, 11, 13, 17];
        let part = |position: usize, value: u32| (position + 1) * 100 + value as usize;
        for strength in 1..=5 {
            for must in 0..row.len() {
                let (mut all, mut own) = (Vec::new(), Vec::new());
                for_each_tuple(&row, strength, &part, &mut |rank, positions| {
                    if positions.contains(&must) {
                        all.push((rank, positions.to_vec()));
                    }
                });
                let mut visit = |rank: usize, positions: &[usize]| own.push((rank, positions.to_vec()));
                for_each_tuple_with(&row, must, strength, &part, &mut visit);
                all.sort();
                own.sort();
                assert_eq!(all, own, "strength {strength}, position {must}");
            }
        }
    }
}
