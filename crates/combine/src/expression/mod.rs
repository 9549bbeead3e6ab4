//! Conditions over the cells of one or several rows: of constraints, and of the input rules of relations.

mod evaluate;
mod lexer;
mod parser;

pub(crate) use evaluate::matches_pattern;
pub use evaluate::{Cells, Rows, possible, term_interval};
pub use parser::{Names, parse};

use crate::value::Scalar;

/// A condition.
#[derive(Debug, Clone, PartialEq)]
pub enum Expression {
    /// Always or never.
    Constant(bool),
    /// All of these.
    And(Vec<Expression>),
    /// At least one of these.
    Or(Vec<Expression>),
    /// Not this.
    Not(Box<Expression>),
    /// A comparison of two terms.
    Compare(Comparison, Term, Term),
    /// The label of a cell matches a pattern with `*` and `?`.
    Like(Cell, String),
    /// The label of a cell is one of these.
    Among(Cell, Vec<String>),
}

/// How two terms are compared.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Comparison {
    /// Equal.
    Equal,
    /// Not equal.
    Different,
    /// Less.
    Less,
    /// Less or equal.
    AtMost,
}

/// A value computed from cells.
#[derive(Debug, Clone, PartialEq)]
pub enum Term {
    /// The value of a cell.
    Cell(Cell),
    /// A constant.
    Constant(Scalar),
    /// Two terms joined by an operator.
    Arithmetic(Operator, Box<Term>, Box<Term>),
}

/// An arithmetic operator.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Operator {
    /// Sum.
    Add,
    /// Difference.
    Subtract,
    /// Product.
    Multiply,
    /// Quotient.
    Divide,
    /// Remainder with the sign of the divisor.
    Remainder,
}

/// One input of one run.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Cell {
    /// Which run: 0 is the source.
    pub run: usize,
    /// Which parameter.
    pub parameter: usize,
}

impl Expression {
    /// `if` this holds `then` that.
    pub fn implies(self, then: Expression) -> Expression {
        Expression::Or(vec![Expression::Not(Box::new(self)), then])
    }

    /// All cells that occur, in order and once each.
    pub fn cells(&self) -> Vec<Cell> {
        let mut cells = Vec::new();
        self.collect(&mut cells);
        cells.sort_unstable();
        cells.dedup();
        cells
    }

    /// All numbers that occur.
    pub fn numbers(&self) -> Vec<f64> {
        match self {
            Expression::Constant(_) | Expression::Like(..) => Vec::new(),
            Expression::And(parts) | Expression::Or(parts) => {
                parts.iter().flat_map(Expression::numbers).collect()
            }
            Expression::Not(inner) => inner.numbers(),
            Expression::Compare(_, left, right) => [left.numbers(), right.numbers()].concat(),
            Expression::Among(_, labels) => {
                labels.iter().filter_map(|label| Scalar::parse(label).number()).collect()
            }
        }
    }

    /// The texts that a parameter is compared with.
    pub fn compared_texts(&self) -> Vec<(usize, &str)> {
        match self {
            Expression::Constant(_) | Expression::Like(..) => Vec::new(),
            Expression::And(parts) | Expression::Or(parts) => {
                parts.iter().flat_map(Expression::compared_texts).collect()
            }
            Expression::Not(inner) => inner.compared_texts(),
            Expression::Compare(_, Term::Cell(cell), Term::Constant(Scalar::Text(text)))
            | Expression::Compare(_, Term::Constant(Scalar::Text(text)), Term::Cell(cell)) => {
                vec![(cell.parameter, text)]
            }
            Expression::Compare(..) => Vec::new(),
            Expression::Among(cell, labels) => {
                labels.iter().map(|label| (cell.parameter, label.as_str())).collect()
            }
        }
    }

    fn collect(&self, cells: &mut Vec<Cell>) {
        match self {
            Expression::Constant(_) => {}
            Expression::And(parts) | Expression::Or(parts) => {
                parts.iter().for_each(|part| part.collect(cells));
            }
            Expression::Not(inner) => inner.collect(cells),
            Expression::Compare(_, left, right) => {
                left.collect(cells);
                right.collect(cells);
            }
            Expression::Like(cell, _) | Expression::Among(cell, _) => cells.push(*cell),
        }
    }
}

impl Term {
    fn numbers(&self) -> Vec<f64> {
        match self {
            Term::Cell(_) => Vec::new(),
            Term::Constant(scalar) => scalar.number().into_iter().collect(),
            Term::Arithmetic(_, left, right) => [left.numbers(), right.numbers()].concat(),
        }
    }

    /// All cells that occur, in the order of the text.
    pub fn collect(&self, cells: &mut Vec<Cell>) {
        match self {
            Term::Cell(cell) => cells.push(*cell),
            Term::Constant(_) => {}
            Term::Arithmetic(_, left, right) => {
                left.collect(cells);
                right.collect(cells);
            }
        }
    }
}
