//! From classes to concrete values: the tests of a planned group are solved together, so that the concrete
//! part of the input rule holds between them; what is left is drawn at random. A small search over finite
//! sets does it: values in random order, cut off as soon as a rule has become impossible.

use super::matcher::Group;
use super::relation::{Relation, Test};
use crate::expression::{Cell, Cells, Comparison, Expression, Term, possible, term_interval};
use crate::model::{Model, Parameter};
use crate::random::Random;
use crate::value::{Concrete, Scalar};
use rustc_hash::FxHashSet;

/// What the concrete stage did.
#[derive(Debug, Clone, Default)]
pub struct ConcreteStage {
    /// One test for each row, in order.
    pub tests: Vec<Test>,
    /// Planned groups that the values satisfy.
    pub solved: usize,
    /// Planned groups that were given up.
    pub given_up: usize,
    /// Searches that found values, and that found none.
    pub calls: (usize, usize),
    /// Rows for which no concrete values satisfy the constraints; their values are drawn without them.
    pub impossible: Vec<usize>,
    /// Tests with the same values as an earlier one: classes that overlap leave no others.
    pub repeated: Vec<usize>,
}

/// Makes rows concrete. Planned groups are met in their order as far as possible; a test that serves several of
/// them has its values from the first, and what that spoils is mended afterwards.
pub fn concretise(
    model: &Model,
    rows: &[Vec<usize>],
    planned: &[Group],
    random: &mut Random,
) -> ConcreteStage {
    let mut stage = ConcreteStage::default();
    let mut tests: Vec<Option<Test>> = vec![None; rows.len()];
    let mut met = vec![false; planned.len()];
    for (at, group) in planned.iter().enumerate() {
        let members: Vec<&Test> = group.tests.iter().filter_map(|&test| tests[test].as_ref()).collect();
        if members.len() == group.tests.len() {
            met[at] = model.relations[group.relation].holds(model, &members);
            continue;
        }
        let solved = solve(model, rows, &tests, &group.tests, &[group], &mut NODES.to_owned(), random);
        met[at] = solved.is_some();
        stage.calls.0 += usize::from(met[at]);
        stage.calls.1 += usize::from(!met[at]);
        for (test, values) in solved.into_iter().flatten() {
            tests[test] = Some(values);
        }
    }
    mend(model, rows, planned, &mut tests, &mut met, &mut stage.calls, random);
    stage.solved = met.iter().filter(|met| **met).count();
    stage.given_up = planned.len() - stage.solved;
    let mut seen: FxHashSet<String> = FxHashSet::default();
    for at in 0..rows.len() {
        let grouped = tests[at].take();
        let free = grouped.is_none();
        let mut test = grouped;
        // A test that serves a group keeps its values; any other is drawn again when its values were there before.
        for _ in 0..if free { REDRAWN } else { 0 } {
            let alone = solve(model, rows, &tests, &[at], &[], &mut NODES.to_owned(), random);
            test = alone.and_then(|alone| alone.into_iter().next()).map(|(_, test)| test);
            if test.as_ref().is_none_or(|test| !seen.contains(&written(model, test))) {
                break;
            }
        }
        let test = test.unwrap_or_else(|| {
            stage.impossible.push(at);
            let value = |(parameter, &value): (usize, &usize)| {
                draw(&model.parameters[parameter].values[value].set, random)
            };
            Test::new(rows[at].clone(), rows[at].iter().enumerate().map(value).collect())
        });
        if !seen.insert(written(model, &test)) {
            stage.repeated.push(at);
        }
        stage.tests.push(test);
    }
    stage
}

/// Draws of a test whose values were there before.
const REDRAWN: usize = 8;

/// The values of a test in one text, a plain one as the model writes it.
fn written(model: &Model, test: &Test) -> String {
    let cells = test.values().zip(&test.row).zip(&model.parameters);
    let cell =
        |((scalar, &value), parameter): ((&Scalar, &usize), &Parameter)| match &parameter.values[value].set {
            Concrete::One(_) => parameter.values[value].label.clone(),
            _ => scalar.to_string(),
        };
    cells.map(cell).collect::<Vec<_>>().join("\u{1}")
}

/// Nodes of one search before it gives up, of one search that mends, and of all that mend.
const NODES: usize = 4000;
const MENDING: (usize, usize) = (300, 60_000);
/// Tests that are given new values together, and groups that these may have to keep.
const TOGETHER: (usize, usize) = (8, 24);

/// Groups that were given up because their tests had values from other groups are tried again: with new values for
/// one of their tests, for all of them, or for all that hang together with them, such that every group met stays met.
fn mend(
    model: &Model,
    rows: &[Vec<usize>],
    planned: &[Group],
    tests: &mut [Option<Test>],
    met: &mut [bool],
    calls: &mut (usize, usize),
    random: &mut Random,
) {
    let mut serves: Vec<Vec<usize>> = vec![Vec::new(); rows.len()];
    for (at, group) in planned.iter().enumerate() {
        group.tests.iter().for_each(|&test| serves[test].push(at));
    }
    let mut left = MENDING.1;
    for at in 0..planned.len() {
        if met[at] || left == 0 {
            continue;
        }
        let own = &planned[at].tests;
        let mut choices: Vec<Vec<usize>> = own.iter().map(|&test| vec![test]).collect();
        choices.sort_by_key(|choice| serves[choice[0]].iter().filter(|&&group| met[group]).count());
        choices.push(own.clone());
        choices.extend(together(planned, &serves, met, own).filter(|all| all.len() > own.len()));
        for open in choices {
            let mut kept: Vec<usize> =
                open.iter().flat_map(|&test| &serves[test]).copied().filter(|&group| met[group]).collect();
            kept.sort_unstable();
            kept.dedup();
            if kept.len() > TOGETHER.1 {
                continue;
            }
            let groups: Vec<&Group> = kept.iter().chain([&at]).map(|&group| &planned[group]).collect();
            let mut involved: Vec<usize> =
                groups.iter().flat_map(|group| group.tests.iter().copied()).collect();
            involved.sort_unstable();
            involved.dedup();
            let known: Vec<Option<Test>> = involved.iter().map(|&test| tests[test].clone()).collect();
            open.iter().for_each(|&test| tests[test] = None);
            let mut nodes = MENDING.0.min(left);
            let granted = nodes;
            let solved = solve(model, rows, tests, &involved, &groups, &mut nodes, random);
            left -= granted - nodes;
            calls.0 += usize::from(solved.is_some());
            calls.1 += usize::from(solved.is_none());
            match solved {
                Some(solved) => {
                    for (test, values) in solved {
                        tests[test] = Some(values);
                    }
                    met[at] = true;
                    break;
                }
                None => involved.iter().zip(known).for_each(|(&test, values)| tests[test] = values),
            }
        }
    }
}

/// The tests that hang together with some by groups that are met, when they are not too many.
fn together(planned: &[Group], serves: &[Vec<usize>], met: &[bool], own: &[usize]) -> Option<Vec<usize>> {
    let mut all = own.to_vec();
    let mut next = 0;
    while next < all.len() {
        for &group in serves[all[next]].iter().filter(|&&group| met[group]) {
            for test in &planned[group].tests {
                if !all.contains(test) {
                    all.push(*test);
                }
            }
        }
        if all.len() > TOGETHER.0 {
            return None;
        }
        next += 1;
    }
    Some(all)
}

/// Values for those of some tests that have none yet, such that the constraints hold and all given groups (whose
/// tests are all among these) are met. Takes the nodes that the search visits from `nodes`.
fn solve(
    model: &Model,
    rows: &[Vec<usize>],
    tests: &[Option<Test>],
    members: &[usize],
    groups: &[&Group],
    nodes: &mut usize,
    random: &mut Random,
) -> Option<Vec<(usize, Test)>> {
    let place = |test: usize| members.iter().position(|&member| member == test);
    let linked: Vec<(&Relation, Vec<usize>)> = groups
        .iter()
        .map(|group| {
            (&model.relations[group.relation], group.tests.iter().filter_map(|&test| place(test)).collect())
        })
        .collect();
    let class =
        |test: usize, parameter: usize| model.parameters[parameter].values[rows[test][parameter]].set.clone();
    let mut sets: Vec<Vec<Concrete>> = members
        .iter()
        .map(|&test| match &tests[test] {
            Some(test) => test.cells.clone(),
            None => (0..rows[test].len()).map(|parameter| class(test, parameter)).collect(),
        })
        .collect();
    // One variable for each open cell; cells that a group wants to be equal share one.
    let mut variables: Vec<Vec<Cell>> = Vec::new();
    #[expect(clippy::needless_range_loop, reason = "a parameter is a number in cells")]
    for parameter in 0..model.parameters.len() {
        for equal in equal_tests(members.len(), &linked, parameter) {
            let (known, open): (Vec<usize>, Vec<usize>) =
                equal.into_iter().partition(|&run| tests[members[run]].is_some());
            if let Some(&first) = known.first() {
                let value = sets[first][parameter].clone();
                let fits = |&run: &usize| sets[run][parameter].meets(&value);
                if !known.iter().chain(&open).all(fits) {
                    return None;
                }
                open.iter().for_each(|&run| sets[run][parameter] = value.clone());
            } else if !open.iter().all(|&run| sets[run][parameter] == sets[open[0]][parameter]) {
                return None;
            } else if sets[open[0]][parameter].only().is_none() {
                variables.push(open.into_iter().map(|run| Cell { run, parameter }).collect());
            }
        }
    }
    let rows: Vec<&[usize]> = members.iter().map(|&test| rows[test].as_slice()).collect();
    let mut search = Search { model, linked, rows: &rows, sets, nodes, random };
    // Cells that a relation names first, then those of constraints; the others are free.
    let named: Vec<Cell> = search.named();
    let bound = |parameter: usize| {
        model.constraints.iter().any(|c| c.expression.cells().iter().any(|cell| cell.parameter == parameter))
    };
    variables.sort_by_key(|cells| {
        (!cells.iter().any(|cell| named.contains(cell)), !bound(cells[0].parameter), search.width(cells[0]))
    });
    if !search.consistent(None) || !search.assign(&variables) {
        return None;
    }
    let Search { sets, rows, .. } = search;
    let values = members.iter().zip(rows).zip(sets);
    Some(values.map(|((&test, row), cells)| (test, Test { row: row.to_vec(), cells })).collect())
}

/// The tests partitioned by what groups want equal in a parameter.
fn equal_tests(tests: usize, linked: &[(&Relation, Vec<usize>)], parameter: usize) -> Vec<Vec<usize>> {
    let mut leader: Vec<usize> = (0..tests).collect();
    for (relation, runs) in linked {
        if relation.same.contains(&parameter) {
            for &run in runs {
                let (from, to) = (leader[run], leader[runs[0]]);
                leader.iter_mut().filter(|leader| **leader == from).for_each(|leader| *leader = to);
            }
        }
    }
    let mut parts: Vec<Vec<usize>> = Vec::new();
    for first in 0..tests {
        let part: Vec<usize> = (0..tests).filter(|&run| leader[run] == leader[first]).collect();
        if part[0] == first {
            parts.push(part);
        }
    }
    parts
}

struct Search<'a> {
    model: &'a Model,
    /// The groups to be met: each its relation and the places of its tests.
    linked: Vec<(&'a Relation, Vec<usize>)>,
    rows: &'a [&'a [usize]],
    /// What the cells of each test can still be.
    sets: Vec<Vec<Concrete>>,
    /// Nodes that may still be visited.
    nodes: &'a mut usize,
    random: &'a mut Random,
}

impl Search<'_> {
    fn width(&self, cell: Cell) -> u64 {
        match &self.sets[cell.run][cell.parameter] {
            Concrete::One(_) => 1,
            Concrete::Integers(low, high) => high.abs_diff(*low),
            Concrete::Reals(..) => u64::MAX,
            Concrete::AnyOf(list) => list.len() as u64,
        }
    }

    /// The cells that the rules of the groups name.
    fn named(&self) -> Vec<Cell> {
        let mut named = Vec::new();
        for (relation, runs) in &self.linked {
            let cells = relation
                .input
                .cells()
                .into_iter()
                .chain(relation.concrete.iter().flat_map(Expression::cells));
            named.extend(cells.map(|cell| Cell { run: runs[cell.run], parameter: cell.parameter }));
        }
        named
    }

    fn assign(&mut self, variables: &[Vec<Cell>]) -> bool {
        let Some((cells, rest)) = variables.split_first() else { return true };
        for value in self.candidates(cells) {
            let Some(left) = self.nodes.checked_sub(1) else { return false };
            *self.nodes = left;
            let old: Vec<Concrete> = cells
                .iter()
                .map(|cell| {
                    std::mem::replace(&mut self.sets[cell.run][cell.parameter], Concrete::One(value.clone()))
                })
                .collect();
            if self.consistent(Some(cells)) && self.assign(rest) {
                return true;
            }
            for (cell, old) in cells.iter().zip(old) {
                self.sets[cell.run][cell.parameter] = old;
            }
        }
        false
    }

    /// Whether the rules that mention some cells of one parameter (all of them without any) are still possible.
    fn consistent(&self, changed: Option<&[Cell]>) -> bool {
        let touched = |run: usize| changed.is_none_or(|cells| cells.iter().any(|cell| cell.run == run));
        let concerns =
            |expression: &Expression| changed.is_none_or(|cells| mentions(expression, cells[0].parameter));
        for run in (0..self.rows.len()).filter(|&run| touched(run)) {
            let view = View { search: self, runs: Err(run) };
            let mut constraints =
                self.model.constraints.iter().filter(|constraint| concerns(&constraint.expression));
            if !constraints.all(|constraint| possible(&constraint.expression, true, &view)) {
                return false;
            }
        }
        let mut groups = self.linked.iter().filter(|(_, runs)| runs.iter().any(|&run| touched(run)));
        groups.all(|(relation, runs)| relation.rules_hold(&View { search: self, runs: Ok(runs) }))
    }

    /// Values to try for cells that are equal: those that an equation determines, then a random choice.
    fn candidates(&mut self, cells: &[Cell]) -> Vec<Scalar> {
        let set = self.sets[cells[0].run][cells[0].parameter].clone();
        let mut values: Vec<Scalar> = Vec::new();
        for (relation, runs) in &self.linked {
            let view = View { search: self, runs: Ok(runs) };
            for cell in cells {
                let Some(run) = runs.iter().position(|&run| run == cell.run) else { continue };
                let own = Cell { run, parameter: cell.parameter };
                determined(&relation.input, own, &view, &mut values);
                relation.concrete.iter().for_each(|rule| determined(rule, own, &view, &mut values));
            }
        }
        values.retain(|value| set.contains(value));
        let mut others: Vec<Scalar> = match &set {
            Concrete::Integers(low, high) if high.abs_diff(*low) < 64 => {
                (*low..=*high).map(|number| Scalar::Number(number as f64)).collect()
            }
            Concrete::Integers(low, high) => {
                let mut draws: Vec<Scalar> = (0..16).map(|_| draw(&set, self.random)).collect();
                draws.extend([*low, *high].map(|number| Scalar::Number(number as f64)));
                return values.into_iter().chain(draws).collect();
            }
            Concrete::Reals(..) => (0..16).map(|_| draw(&set, self.random)).collect(),
            Concrete::AnyOf(list) => list.clone(),
            Concrete::One(scalar) => vec![scalar.clone()],
        };
        self.random.shuffle(&mut others);
        values.extend(others);
        values
    }
}

fn mentions(expression: &Expression, parameter: usize) -> bool {
    expression.cells().iter().any(|cell| cell.parameter == parameter)
}

/// The cells of a search: of the runs of a group, or of the one test that the constraints speak of.
struct View<'a, 'b> {
    search: &'a Search<'b>,
    runs: Result<&'a [usize], usize>,
}

impl Cells for View<'_, '_> {
    fn cell(&self, cell: Cell) -> (Option<&str>, &Concrete) {
        let test = self.runs.map_or_else(|one| one, |runs| runs[cell.run]);
        let value =
            &self.search.model.parameters[cell.parameter].values[self.search.rows[test][cell.parameter]];
        (Some(&value.label), &self.search.sets[test][cell.parameter])
    }
}

/// Values that an equation `cell = term` leaves, when the term is known already.
fn determined(expression: &Expression, cell: Cell, cells: &dyn Cells, values: &mut Vec<Scalar>) {
    match expression {
        Expression::And(parts) | Expression::Or(parts) => {
            parts.iter().for_each(|part| determined(part, cell, cells, values));
        }
        Expression::Not(inner) => determined(inner, cell, cells, values),
        Expression::Compare(Comparison::Equal, left, right) => {
            for (own, other) in [(left, right), (right, left)] {
                if *own != Term::Cell(cell) {
                    continue;
                }
                match (other, term_interval(other, cells)) {
                    (_, Some((low, high))) if (high - low).abs() < 1e-9 => values.push(Scalar::Number(low)),
                    (Term::Cell(other), _) => values.extend(cells.cell(*other).1.only()),
                    _ => {}
                }
            }
        }
        _ => {}
    }
}

/// A random member.
fn draw(set: &Concrete, random: &mut Random) -> Scalar {
    match set {
        Concrete::One(scalar) => scalar.clone(),
        Concrete::Integers(low, high) => Scalar::Number(random.between(*low, *high) as f64),
        Concrete::Reals(low, high) => Scalar::Number(low + (high - low) * random.unit()),
        Concrete::AnyOf(list) => {
            list.get(random.below(list.len())).cloned().unwrap_or(Scalar::Text(String::new()))
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::groups::matches;
    use crate::readers::read_toml;

    /// The running example of the COMER paper: counts of points in two quadrants.
    const MODEL: &str = r#"
constraints = ["a + b > 0"]
[[parameters]]
name = "a"
values = [{ name = "few", range = "[0,2]" }, { name = "many", range = "[3,5]" }]
[[parameters]]
name = "b"
values = [{ name = "few", range = "[0,2]" }, { name = "many", range = "[3,5]" }]
[[parameters]]
name = "data"
values = [{ name = "any", range = "[0,1000000]" }]
[[relations]]
name = "one more point"
input = "follow.a = source.a + 1"
"#;

    #[test]
    fn source_and_follow_up_are_solved_together() {
        let model = read_toml(MODEL).unwrap();
        let rows = [vec![0, 0, 0], vec![1, 0, 0], vec![1, 1, 0]];
        let planned = [Group { relation: 0, tests: vec![0, 1] }, Group { relation: 0, tests: vec![1, 2] }];
        for seed in 0..50 {
            let stage = concretise(&model, &rows, &planned, &mut Random::new(seed));
            assert_eq!(stage.tests[0].cells[0], Concrete::One(Scalar::Number(2.0)));
            assert_eq!(stage.tests[0].cells[2], stage.tests[1].cells[2]);
            assert_eq!((stage.solved, stage.given_up), (1, 1), "the second pair differs in `b`");
            assert_eq!(matches(&model, &stage.tests), planned[..1]);
        }
    }

    #[test]
    fn constraints_hold_for_the_concrete_values() {
        let model = read_toml(MODEL).unwrap();
        for seed in 0..50 {
            let stage = concretise(&model, &[vec![0, 0, 0]], &[], &mut Random::new(seed));
            let sum: f64 = stage.tests[0].values().take(2).filter_map(Scalar::number).sum();
            assert!(sum > 0.0);
        }
    }
}
