//! The input rule of a relation, over classes and over concrete values.

use crate::error::Error;
use crate::expression::{Cell, Cells, Expression, possible};
use crate::model::{Model, Parameter};
use crate::random::Random;
use crate::rule::{Numbering, Rule, compile};
use crate::space::{Row, Space};
use crate::value::{Concrete, Scalar};

/// A relation as far as generation is concerned: which rows form a group.
#[derive(Debug, Clone, PartialEq)]
pub struct Relation {
    /// Its name.
    pub name: String,
    /// The names of its runs, the source first.
    pub runs: Vec<String>,
    /// What holds between the rows of a group.
    pub input: Expression,
    /// What holds between concrete values besides.
    pub concrete: Option<Expression>,
    /// Parameters that are equal in all runs.
    pub same: Vec<usize>,
    /// What holds between the outputs, as written.
    pub output: String,
    /// The file has no input rule: it is still to be taken from the subject's relation ([`super::learn`]).
    pub taken: bool,
}

impl Relation {
    /// A relation; with `others_same`, parameters that no rule names in a follow-up are equal in all runs.
    pub fn new(
        name: &str,
        runs: Vec<String>,
        input: Expression,
        concrete: Option<Expression>,
        others_same: bool,
        parameters: usize,
        output: String,
    ) -> Relation {
        let mut named: Vec<Cell> = input.cells();
        named.extend(concrete.iter().flat_map(Expression::cells));
        let changes = |parameter: usize| named.iter().any(|cell| cell.run > 0 && cell.parameter == parameter);
        let same = (0..parameters).filter(|&parameter| others_same && !changes(parameter)).collect();
        Relation { name: name.to_owned(), runs, input, concrete, same, output, taken: false }
    }

    /// Whether concrete tests, the source first, form a group.
    pub fn holds(&self, model: &Model, tests: &[&Test]) -> bool {
        self.same.iter().all(|&p| tests[1..].iter().all(|test| test.cells[p] == tests[0].cells[p]))
            && self.rules_hold(&Tests { parameters: &model.parameters, tests })
    }

    /// Whether the rules are possible for what the cells can still be.
    pub(super) fn rules_hold(&self, cells: &dyn Cells) -> bool {
        possible(&self.input, true, cells)
            && self.concrete.as_ref().is_none_or(|rule| possible(rule, true, cells))
    }

    /// The abstract rule, ready to be evaluated often: over cell `run * parameters + position`, where
    /// `position` gives each parameter its place in a row.
    ///
    /// # Errors
    /// When the rule spans too many combinations of values.
    pub(super) fn compile(&self, model: &Model, position: &[usize]) -> Result<Rule, Error> {
        let count = model.parameters.len();
        let number = |cell: Cell| cell.run * count + position[cell.parameter];
        let numbering = Numbering { parameters: &model.parameters, number: &number };
        compile(&self.input, &self.name, &numbering)
    }
}

/// A concrete test: a row, and the value that each of its cells stands for.
#[derive(Debug, Clone, PartialEq)]
pub struct Test {
    /// The row that it came from.
    pub row: Vec<usize>,
    /// One concrete value for every parameter.
    pub cells: Vec<Concrete>,
}

impl Test {
    /// A test from its row and its concrete values.
    pub fn new(row: Vec<usize>, values: Vec<Scalar>) -> Test {
        Test { row, cells: values.into_iter().map(Concrete::One).collect() }
    }

    /// The concrete values.
    pub fn values(&self) -> impl Iterator<Item = &Scalar> {
        self.cells.iter().filter_map(|cell| match cell {
            Concrete::One(scalar) => Some(scalar),
            _ => None,
        })
    }
}

/// The runs of a group as cells.
struct Tests<'a> {
    parameters: &'a [Parameter],
    tests: &'a [&'a Test],
}

impl Cells for Tests<'_> {
    fn cell(&self, cell: Cell) -> (Option<&str>, &Concrete) {
        let test = self.tests[cell.run];
        let value = &self.parameters[cell.parameter].values[test.row[cell.parameter]];
        (Some(&value.label), &test.cells[cell.parameter])
    }
}

/// Abstract relations between rows of a space.
pub(super) struct Abstract<'a> {
    space: &'a Space,
    /// For each relation: its number of runs, the places of its equal parameters, its rule.
    pub relations: Vec<(usize, Vec<usize>, Rule)>,
}

impl<'a> Abstract<'a> {
    pub(super) fn new(model: &Model, space: &'a Space) -> Result<Abstract<'a>, Error> {
        let mut position = vec![0; space.order.len()];
        space.order.iter().enumerate().for_each(|(at, &parameter)| position[parameter] = at);
        let relations = model.relations.iter().map(|relation| {
            let mut same: Vec<usize> = relation.same.iter().map(|&parameter| position[parameter]).collect();
            same.sort_unstable();
            Ok((relation.runs.len(), same, relation.compile(model, &position)?))
        });
        Ok(Abstract { space, relations: relations.collect::<Result<_, Error>>()? })
    }

    /// Whether rows, the source first, can form a group of a relation.
    pub(super) fn related(&self, relation: usize, rows: &[&[u32]]) -> bool {
        let (_, same, rule) = &self.relations[relation];
        let count = rows[0].len();
        let value =
            |cell: usize| (rows[cell / count][cell % count] - self.space.first[cell % count]) as usize;
        same.iter().all(|&at| rows[1..].iter().all(|row| row[at] == rows[0][at])) && rule.holds(&value)
    }

    /// Whether two rows can form a group of a relation of two, whichever is the source.
    pub(super) fn paired(&self, relation: usize, a: &[u32], b: &[u32]) -> bool {
        a != b && (self.related(relation, &[a, b]) || self.related(relation, &[b, a]))
    }

    /// All follow-ups of a source by one relation, or a random part of them when there are very many.
    /// Each is one row for every run after the first. With `backwards` the given row is the follow-up of a
    /// relation of two, and sources are sought.
    pub(super) fn partners(
        &self,
        relation: usize,
        given: &[u32],
        backwards: bool,
        random: &mut Random,
    ) -> Vec<Vec<Row>> {
        let (runs, same, _) = &self.relations[relation];
        let open: Vec<usize> = (0..given.len()).filter(|at| !same.contains(at)).collect();
        let mut rows: Vec<Row> = vec![given.to_vec(); runs - 1];
        let cells: Vec<(usize, usize)> =
            (0..runs - 1).flat_map(|run| open.iter().map(move |&at| (run, at))).collect();
        let product = cells
            .iter()
            .try_fold(1usize, |p, &(_, at)| p.checked_mul(self.space.sizes[at]).filter(|p| *p <= ENUMERATED));
        let mut found = Vec::new();
        let mut keep = |rows: &[Row]| {
            let related = if backwards {
                self.related(relation, &[&rows[0], given])
            } else {
                let all: Vec<&[u32]> = std::iter::once(given).chain(rows.iter().map(Vec::as_slice)).collect();
                self.related(relation, &all)
            };
            if related && rows.iter().all(|row| row != given && self.space.valid(row)) {
                found.push(rows.to_vec());
            }
        };
        match product {
            Some(product) => {
                for mut index in 0..product {
                    for &(run, at) in &cells {
                        rows[run][at] = self.space.first[at] + (index % self.space.sizes[at]) as u32;
                        index /= self.space.sizes[at];
                    }
                    keep(&rows);
                }
            }
            None => {
                for _ in 0..ENUMERATED / 4 {
                    for &(run, at) in &cells {
                        rows[run][at] = self.space.first[at] + random.below(self.space.sizes[at]) as u32;
                    }
                    keep(&rows);
                }
            }
        }
        found
    }
}

/// Follow-ups are listed completely up to this many combinations of open values.
const ENUMERATED: usize = 4096;
