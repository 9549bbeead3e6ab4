//! From classes to concrete values: the tests of a planned group are solved together, so that the concrete
//! part of the input rule holds between them; what is left is drawn at random. A small search over finite
//! sets does it: values in random order, cut off as soon as a rule has become impossible.

use super::matcher::Group;
use super::relation::{Relation, Test};
use crate::expression::{Cell, Cells, Comparison, Expression, Term, possible, term_interval};
use crate::model::Model;
use crate::random::Random;
use crate::value::{Concrete, Scalar};

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
}

/// Makes rows concrete. Planned groups are met in their order as far as possible.
pub fn concretise(
    model: &Model,
    rows: &[Vec<usize>],
    planned: &[Group],
    random: &mut Random,
) -> ConcreteStage {
    let mut stage = ConcreteStage::default();
    let mut tests: Vec<Option<Test>> = vec![None; rows.len()];
    for group in planned {
        let relation = &model.relations[group.relation];
        let open: Vec<usize> =
            (0..group.tests.len()).filter(|&run| tests[group.tests[run]].is_none()).collect();
        if open.is_empty() {
            let members: Vec<&Test> = group.tests.iter().filter_map(|&at| tests[at].as_ref()).collect();
            let held = relation.holds(model, &members);
            stage.solved += usize::from(held);
            stage.given_up += usize::from(!held);
            continue;
        }
        let members: Vec<&[usize]> = group.tests.iter().map(|&at| rows[at].as_slice()).collect();
        let known: Vec<Option<&Test>> = group.tests.iter().map(|&at| tests[at].as_ref()).collect();
        match solve(model, Some(relation), &members, &known, random) {
            Some(solved) => {
                stage.calls.0 += 1;
                stage.solved += 1;
                for (run, test) in solved.into_iter().enumerate() {
                    tests[group.tests[run]] = Some(test);
                }
            }
            None => {
                stage.calls.1 += 1;
                stage.given_up += 1;
            }
        }
    }
    for (at, test) in tests.into_iter().enumerate() {
        let test = test.or_else(|| solve(model, None, &[&rows[at]], &[None], random)?.pop());
        let test = test.unwrap_or_else(|| {
            stage.impossible.push(at);
            let value = |(parameter, &value): (usize, &usize)| {
                draw(&model.parameters[parameter].values[value].set, random)
            };
            Test::new(rows[at].clone(), rows[at].iter().enumerate().map(value).collect())
        });
        stage.tests.push(test);
    }
    stage
}

/// Nodes of the search before it gives up.
const NODES: usize = 4000;

/// Values for the rows of a group (or of one row alone) that satisfy the constraints and the relation.
fn solve(
    model: &Model,
    relation: Option<&Relation>,
    rows: &[&[usize]],
    known: &[Option<&Test>],
    random: &mut Random,
) -> Option<Vec<Test>> {
    let class =
        |run: usize, parameter: usize| model.parameters[parameter].values[rows[run][parameter]].set.clone();
    let mut sets: Vec<Vec<Concrete>> = (0..rows.len())
        .map(|run| match known[run] {
            Some(test) => test.cells.clone(),
            None => (0..rows[run].len()).map(|parameter| class(run, parameter)).collect(),
        })
        .collect();
    // One variable for each open cell; parameters that are the same in all runs share one.
    let mut variables: Vec<Vec<Cell>> = Vec::new();
    #[expect(clippy::needless_range_loop, reason = "a parameter is a number in cells")]
    for parameter in 0..model.parameters.len() {
        let open: Vec<Cell> =
            (0..rows.len()).filter(|&run| known[run].is_none()).map(|run| Cell { run, parameter }).collect();
        if relation.is_some_and(|relation| relation.same.contains(&parameter)) {
            if let Some(test) = known.iter().flatten().next() {
                for cell in &open {
                    if !sets[cell.run][parameter].meets(&test.cells[parameter]) {
                        return None;
                    }
                    sets[cell.run][parameter] = test.cells[parameter].clone();
                }
            } else if !open.is_empty() {
                variables.push(open);
            }
        } else {
            variables.extend(open.into_iter().map(|cell| vec![cell]));
        }
    }
    variables.retain(|cells| sets[cells[0].run][cells[0].parameter].only().is_none());
    let mut search = Search { model, relation, rows, sets, nodes: 0, random };
    // Cells that the relation names first, then those of constraints; the others are free.
    let named: Vec<Cell> = relation
        .map(|r| r.input.cells().into_iter().chain(r.concrete.iter().flat_map(Expression::cells)).collect())
        .unwrap_or_default();
    let bound = |parameter: usize| {
        model.constraints.iter().any(|c| c.expression.cells().iter().any(|cell| cell.parameter == parameter))
    };
    variables.sort_by_key(|cells| {
        (!cells.iter().any(|cell| named.contains(cell)), !bound(cells[0].parameter), search.width(cells[0]))
    });
    if !search.consistent(None) || !search.assign(&variables) {
        return None;
    }
    let Search { sets, .. } = search;
    Some(rows.iter().zip(sets).map(|(row, cells)| Test { row: row.to_vec(), cells }).collect())
}

struct Search<'a> {
    model: &'a Model,
    relation: Option<&'a Relation>,
    rows: &'a [&'a [usize]],
    sets: Vec<Vec<Concrete>>,
    nodes: usize,
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

    fn assign(&mut self, variables: &[Vec<Cell>]) -> bool {
        let Some((cells, rest)) = variables.split_first() else { return true };
        let first = cells[0];
        for value in self.candidates(first) {
            self.nodes += 1;
            if self.nodes > NODES {
                return false;
            }
            let old: Vec<Concrete> = cells
                .iter()
                .map(|cell| {
                    std::mem::replace(&mut self.sets[cell.run][cell.parameter], Concrete::One(value.clone()))
                })
                .collect();
            if self.consistent(Some(first)) && self.assign(rest) {
                return true;
            }
            for (cell, old) in cells.iter().zip(old) {
                self.sets[cell.run][cell.parameter] = old;
            }
        }
        false
    }

    /// Whether the rules that mention a cell (all of them without one) are still possible.
    fn consistent(&self, changed: Option<Cell>) -> bool {
        let concerns =
            |expression: &Expression| changed.is_none_or(|changed| mentions(expression, changed.parameter));
        for run in 0..self.rows.len() {
            let view = View { search: self, only: Some(run) };
            let mut constraints =
                self.model.constraints.iter().filter(|constraint| concerns(&constraint.expression));
            if !constraints.all(|constraint| possible(&constraint.expression, true, &view)) {
                return false;
            }
        }
        self.relation.is_none_or(|relation| relation.rules_hold(&View { search: self, only: None }))
    }

    /// Values to try for a cell: those that an equation determines, then a random choice.
    fn candidates(&mut self, cell: Cell) -> Vec<Scalar> {
        let set = self.sets[cell.run][cell.parameter].clone();
        let mut values: Vec<Scalar> = Vec::new();
        if let Some(relation) = self.relation {
            let view = View { search: self, only: None };
            determined(&relation.input, cell, &view, &mut values);
            relation.concrete.iter().for_each(|rule| determined(rule, cell, &view, &mut values));
        }
        values.retain(|value| set.contains(value));
        let mut others: Vec<Scalar> = match &set {
            Concrete::Integers(low, high) if high - low < 64 => {
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

/// The cells of a search: of all runs, or of one run whose row the constraints speak of.
struct View<'a, 'b> {
    search: &'a Search<'b>,
    only: Option<usize>,
}

impl Cells for View<'_, '_> {
    fn cell(&self, cell: Cell) -> (Option<&str>, &Concrete) {
        let run = self.only.unwrap_or(cell.run);
        let value =
            &self.search.model.parameters[cell.parameter].values[self.search.rows[run][cell.parameter]];
        (Some(&value.label), &self.search.sets[run][cell.parameter])
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
