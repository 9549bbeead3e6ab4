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
use crate::random::Random;
use crate::space::{Row, Space};

/// Count tables larger than this are not built; the array is then returned as it is.
const LIMIT_ENTRIES: usize = 1 << 30;

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

struct Search<'a> {
    space: &'a Space,
    tables: Vec<Table<'a>>,
    rows: Vec<Row>,
    /// The rows that have each value, as bits.
    having: Vec<Vec<u64>>,
    /// Tuples that only this row covers, for each cell.
    lone: Vec<Vec<u32>>,
    /// The step at which each cell last changed.
    changed: Vec<Vec<u64>>,
    step: u64,
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
            best.clone_from(&search.rows);
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
        let tuples = &requirement.tuples;
        let entries = tuples.part(tuples.strength - 1, tuples.values as u32);
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
    fn new(space: &'a Space, fresh: &'a [Requirement], rows: &[Row]) -> Option<Search<'a>> {
        let tables: Option<Vec<Table<'a>>> = fresh.iter().map(Table::new).collect();
        let mut search = Search {
            space,
            tables: tables?,
            rows: Vec::new(),
            having: vec![vec![0; rows.len().div_ceil(64)]; space.values()],
            lone: Vec::new(),
            changed: Vec::new(),
            step: 0,
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
        }
        Some(search)
    }

    fn open(&self) -> usize {
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
                        table.open_tuple(rank, values);
                        (at, -1)
                    }
                    // Another row is alone now.
                    (false, _) => (other_row(&self.having, &values, at), 1),
                };
                for &position in positions {
                    let lone = &mut self.lone[row_of][parameters[position as usize]];
                    *lone = lone.wrapping_add_signed(change);
                }
            }
        }
    }

    fn set(&mut self, at: usize, parameter: usize, value: u32) {
        self.count(at, Some(parameter), false);
        let old = self.rows[at][parameter];
        self.having[old as usize][at / 64] &= !(1 << (at % 64));
        self.rows[at][parameter] = value;
        self.having[value as usize][at / 64] |= 1 << (at % 64);
        self.count(at, Some(parameter), true);
        self.changed[at][parameter] = self.step;
    }

    fn drop_cheapest_row(&mut self, fixed: usize, random: &mut Random) {
        let cost = |search: &Search<'_>, at: usize| search.lone[at].iter().sum::<u32>();
        let least = (fixed..self.rows.len()).map(|at| cost(self, at)).min().unwrap_or(0);
        let tied: Vec<usize> = (fixed..self.rows.len()).filter(|&at| cost(self, at) == least).collect();
        let at = tied[random.below(tied.len())];
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
        self.changed.swap_remove(at);
    }

    /// How many uncovered tuples a changed cell would cover.
    fn gain(&self, at: usize, parameter: usize, value: u32) -> i64 {
        let row = &self.rows[at];
        let covers = |tuple: &[u32]| {
            let mut has = false;
            for &own in tuple {
                let owner = self.space.owner[own as usize] as usize;
                if owner == parameter {
                    if own != value {
                        return false;
                    }
                    has = true;
                } else if row[owner] != own {
                    return false;
                }
            }
            has
        };
        self.tables
            .iter()
            .map(|table| table.open.iter().filter(|(_, tuple)| covers(tuple)).count() as i64)
            .sum()
    }

    /// One step: the best single-value change that covers an uncovered tuple, else a forced one.
    fn repair(&mut self, fixed: usize, random: &mut Random) {
        let table = (0..self.tables.len())
            .filter(|&at| !self.tables[at].open.is_empty())
            .max_by_key(|&at| self.tables[at].open.len());
        let Some(table) = table else { return };
        let pick = random.below(self.tables[table].open.len());
        let tuple = self.tables[table].open[pick].1.clone();
        if random.below(1000) != 0 && self.best_change(&tuple, fixed, random) {
            return;
        }
        self.force(&tuple, fixed, random);
    }

    fn best_change(&mut self, tuple: &[u32], fixed: usize, random: &mut Random) -> bool {
        let tenure = 4 + random.below(6) as u64;
        let mut best: Option<(i64, u64, usize, usize, u32)> = None;
        for missing in 0..tuple.len() {
            let value = tuple[missing];
            let parameter = self.space.owner[value as usize] as usize;
            let words = self.having[value as usize].len();
            for word in 0..words {
                let mut rows = tuple
                    .iter()
                    .enumerate()
                    .filter(|(at, _)| *at != missing)
                    .fold(u64::MAX, |rows, (_, &own)| rows & self.having[own as usize][word]);
                if tuple.len() == 1 {
                    rows = if (word + 1) * 64 <= self.rows.len() {
                        u64::MAX
                    } else {
                        (1 << (self.rows.len() % 64)) - 1
                    };
                }
                while rows != 0 {
                    let at = word * 64 + rows.trailing_zeros() as usize;
                    rows &= rows - 1;
                    if at < fixed {
                        continue;
                    }
                    let loss = i64::from(self.lone[at][parameter]);
                    let changed = self.changed[at][parameter];
                    if changed != 0 && self.step < changed + tenure {
                        continue;
                    }
                    let bound = best.as_ref().map(|(score, ..)| *score);
                    if bound.is_some_and(|score| self.open() as i64 - loss < score) {
                        continue;
                    }
                    let score = self.gain(at, parameter, value) - loss;
                    if best
                        .as_ref()
                        .is_none_or(|(own, age, ..)| score > *own || (score == *own && changed < *age))
                    {
                        let old = std::mem::replace(&mut self.rows[at][parameter], value);
                        let fits = self.space.fits(&self.rows[at], parameter);
                        self.rows[at][parameter] = old;
                        if fits {
                            best = Some((score, changed, at, parameter, value));
                        }
                    }
                }
            }
        }
        match best {
            Some((.., at, parameter, value)) => {
                self.set(at, parameter, value);
                true
            }
            None => false,
        }
    }

    /// Puts a tuple into a random row where that leaves the row valid.
    fn force(&mut self, tuple: &[u32], fixed: usize, random: &mut Random) {
        for _ in 0..20 {
            let at = fixed + random.below(self.rows.len() - fixed);
            let mut row = self.rows[at].clone();
            tuple.iter().for_each(|&value| row[self.space.owner[value as usize] as usize] = value);
            if self.space.valid(&row) {
                for &value in tuple {
                    let parameter = self.space.owner[value as usize] as usize;
                    if self.rows[at][parameter] != value {
                        self.set(at, parameter, value);
                    }
                }
                return;
            }
        }
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
        positions: &mut Vec<usize>,
        part: &impl Fn(usize, u32) -> usize,
        visit: &mut impl FnMut(usize, &[usize]),
    ) {
        if left == 0 {
            visit(rank, positions);
            return;
        }
        for at in (left - 1)..end {
            positions.push(at);
            descend(row, at, left - 1, rank + part(left - 1, row[at]), positions, part, visit);
            positions.pop();
        }
    }
    descend(row, row.len(), strength, 0, &mut Vec::with_capacity(strength), part, visit);
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
        _ => for_each_tuple(row, strength, part, &mut |rank, positions| {
            if positions.contains(&must) {
                visit(rank, positions);
            }
        }),
    }
}
