//! A model as generation sees it: parameters sorted by size, values numbered through, constraints compiled.
//!
//! Parameters are in ascending order of size, so that the ids of a row's values ascend and the tuples that
//! are hardest to cover have the highest ranks (see `tuples`).

use crate::cnf::Cnf;
use crate::error::Error;
use crate::expression::Cell;
use crate::model::Model;
use crate::rule::{Numbering, Rule, compile};

/// A complete row: the id of a value for every parameter, in the order of the space.
pub(crate) type Row = Vec<u32>;

#[derive(Debug, Clone)]
pub(crate) struct Space {
    /// The model's index of each parameter here.
    pub order: Vec<usize>,
    pub sizes: Vec<usize>,
    /// The id of each parameter's first value.
    pub first: Vec<u32>,
    /// The parameter of each value.
    pub owner: Vec<u32>,
    /// What every row satisfies; cells are parameters in the order here.
    pub rules: Vec<Rule>,
    /// The rules that mention each parameter.
    pub rules_of: Vec<Vec<u32>>,
    /// The rules as clauses, without the exactly-one conditions of parameters.
    pub cnf: Cnf,
    pub weights: Vec<u32>,
}

/// Which invalid values rows may have.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Invalid {
    /// None at all.
    Never,
    /// One, or none.
    AtMostOne,
}

impl Space {
    pub(crate) fn new(model: &Model, invalid: Invalid) -> Result<Space, Error> {
        let mut order: Vec<usize> = (0..model.parameters.len()).collect();
        order.sort_by_key(|&parameter| model.parameters[parameter].values.len());
        let mut position = vec![0; order.len()];
        order.iter().enumerate().for_each(|(at, &parameter)| position[parameter] = at);
        let sizes: Vec<usize> =
            order.iter().map(|&parameter| model.parameters[parameter].values.len()).collect();
        let mut first = Vec::new();
        let mut owner = Vec::new();
        for (at, size) in sizes.iter().enumerate() {
            first.push(owner.len() as u32);
            owner.extend(std::iter::repeat_n(at as u32, *size));
        }
        let weights = order
            .iter()
            .flat_map(|&parameter| model.parameters[parameter].values.iter().map(|v| v.weight.max(1)));
        let weights = weights.collect();
        let number = |cell: Cell| position[cell.parameter];
        let numbering = Numbering { parameters: &model.parameters, number: &number };
        let mut rules = Vec::new();
        for constraint in &model.constraints {
            rules.push(compile(&constraint.expression, &constraint.text, &numbering)?);
        }
        rules.extend(validity(model, invalid, &position));
        let mut space =
            Space { order, sizes, first, owner, rules, rules_of: Vec::new(), cnf: Cnf::default(), weights };
        space.index();
        Ok(space)
    }

    fn index(&mut self) {
        self.rules_of = vec![Vec::new(); self.sizes.len()];
        self.cnf = Cnf { clauses: Vec::new(), variables: self.owner.len() as u32 };
        for (at, rule) in self.rules.iter().enumerate() {
            rule.cells().into_iter().for_each(|cell| self.rules_of[cell].push(at as u32));
            let first = &self.first;
            self.cnf.require(rule, &[], &|cell, index| first[cell] + index as u32);
        }
    }

    /// Number of values of all parameters together.
    pub(crate) fn values(&self) -> usize {
        self.owner.len()
    }

    /// The ids of a parameter's values.
    pub(crate) fn ids(&self, parameter: usize) -> std::ops::Range<u32> {
        self.first[parameter]..self.first[parameter] + self.sizes[parameter] as u32
    }

    /// Whether a complete row satisfies the rules that mention a parameter.
    pub(crate) fn fits(&self, row: &[u32], parameter: usize) -> bool {
        let value = |cell: usize| (row[cell] - self.first[cell]) as usize;
        self.rules_of[parameter].iter().all(|&rule| self.rules[rule as usize].holds(&value))
    }

    /// Whether a complete row satisfies all rules.
    pub(crate) fn valid(&self, row: &[u32]) -> bool {
        let value = |cell: usize| (row[cell] - self.first[cell]) as usize;
        self.rules.iter().all(|rule| rule.holds(&value))
    }

    /// Parameters in connected components of the constraints, named by one of their members; free parameters have none.
    pub(crate) fn components(&self) -> Vec<Option<usize>> {
        fn root(parent: &mut [usize], mut at: usize) -> usize {
            while parent[at] != at {
                parent[at] = parent[parent[at]];
                at = parent[at];
            }
            at
        }
        let mut parent: Vec<usize> = (0..self.sizes.len()).collect();
        for rule in &self.rules {
            for pair in rule.cells().windows(2) {
                let (a, b) = (root(&mut parent, pair[0]), root(&mut parent, pair[1]));
                parent[b] = a;
            }
        }
        let bound = |at: usize| !self.rules_of[at].is_empty();
        (0..self.sizes.len()).map(|at| bound(at).then(|| root(&mut parent, at))).collect()
    }

    /// The model's parameter and value of an id.
    pub(crate) fn locate(&self, value: u32) -> (usize, usize) {
        let at = self.owner[value as usize] as usize;
        (self.order[at], (value - self.first[at]) as usize)
    }

    /// A row in the order of the model, as indexes of values.
    pub(crate) fn to_model(&self, row: &[u32]) -> Vec<usize> {
        let mut out = vec![0; row.len()];
        for (at, &value) in row.iter().enumerate() {
            out[self.order[at]] = (value - self.first[at]) as usize;
        }
        out
    }

    /// A row of the model in the order here.
    pub(crate) fn of_model(&self, row: &[usize]) -> Row {
        self.order.iter().enumerate().map(|(at, &own)| self.first[at] + row[own] as u32).collect()
    }

    /// A row of the model, perhaps partial, in the order here.
    pub(crate) fn ids_of(&self, row: &[Option<usize>]) -> Vec<Option<u32>> {
        self.order
            .iter()
            .enumerate()
            .map(|(at, &parameter)| row[parameter].map(|value| self.first[at] + value as u32))
            .collect()
    }
}

fn validity(model: &Model, invalid: Invalid, position: &[usize]) -> Vec<Rule> {
    let mut rules = Vec::new();
    if invalid == Invalid::AtMostOne {
        let is_invalid =
            |parameter: usize| model.parameters[parameter].values.iter().any(|value| value.invalid);
        let with: Vec<usize> =
            (0..model.parameters.len()).filter(|&parameter| is_invalid(parameter)).collect();
        let worth = |&parameter: &usize| {
            model.parameters[parameter]
                .values
                .iter()
                .map(|value| f64::from(u8::from(value.invalid)))
                .collect()
        };
        if with.len() > 1 {
            let worth = with.iter().map(worth).collect();
            let cells = with.iter().map(|&parameter| position[parameter]).collect();
            rules.push(Rule::Sum { cells, worth, bound: 1.0, strict: false });
        }
        return rules;
    }
    for (parameter, description) in model.parameters.iter().enumerate() {
        let allowed: Vec<bool> = description.values.iter().map(|value| !value.invalid).collect();
        if allowed.contains(&false) {
            rules.push(Rule::Single { cell: position[parameter], allowed });
        }
    }
    rules
}
