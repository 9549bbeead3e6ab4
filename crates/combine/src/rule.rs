//! Constraints in the form that generation evaluates millions of times: formulas over numbered cells whose
//! atoms are sets of values, small tables, or sums.

use crate::error::Error;
use crate::expression::{Cell, Cells, Comparison, Expression, Operator, Term, possible, term_interval};
use crate::model::{Parameter, Value};
use crate::value::{Concrete, Scalar, TOLERANCE};

/// The largest table of value combinations that one comparison may take.
const TABLE_LIMIT: usize = 1 << 16;

/// A formula over cells; a row gives each cell the index of a value.
#[derive(Debug, Clone, PartialEq)]
pub(crate) enum Rule {
    Constant(bool),
    And(Vec<Rule>),
    Or(Vec<Rule>),
    /// The cell has one of the allowed values.
    Single {
        cell: usize,
        allowed: Vec<bool>,
    },
    /// The combination of the cells' values is allowed; the last cell counts fastest.
    Table {
        cells: Vec<usize>,
        sizes: Vec<usize>,
        allowed: Vec<bool>,
    },
    /// The sum of what each cell's value is worth is at most (or below) the bound.
    Sum {
        cells: Vec<usize>,
        worth: Vec<Vec<f64>>,
        bound: f64,
        strict: bool,
    },
}

/// The cells of a rule: `number` maps a cell of an expression to its number here.
pub(crate) struct Numbering<'a> {
    pub parameters: &'a [Parameter],
    pub number: &'a dyn Fn(Cell) -> usize,
}

impl Rule {
    /// Whether the rule holds for the values that `value` gives to cells.
    pub(crate) fn holds(&self, value: &impl Fn(usize) -> usize) -> bool {
        match self {
            Rule::Constant(constant) => *constant,
            Rule::And(parts) => parts.iter().all(|part| part.holds(value)),
            Rule::Or(parts) => parts.iter().any(|part| part.holds(value)),
            Rule::Single { cell, allowed } => allowed[value(*cell)],
            Rule::Table { cells, sizes, allowed } => {
                let index =
                    cells.iter().zip(sizes).fold(0, |index, (cell, size)| index * size + value(*cell));
                allowed[index]
            }
            Rule::Sum { cells, worth, bound, strict } => {
                let sum: f64 = cells.iter().zip(worth).map(|(cell, worth)| worth[value(*cell)]).sum();
                within(sum, *bound, *strict)
            }
        }
    }

    /// All cells that the rule depends on, in order and once each.
    pub(crate) fn cells(&self) -> Vec<usize> {
        fn collect(rule: &Rule, cells: &mut Vec<usize>) {
            match rule {
                Rule::Constant(_) => {}
                Rule::And(parts) | Rule::Or(parts) => parts.iter().for_each(|part| collect(part, cells)),
                Rule::Single { cell, .. } => cells.push(*cell),
                Rule::Table { cells: own, .. } | Rule::Sum { cells: own, .. } => cells.extend(own),
            }
        }
        let mut cells = Vec::new();
        collect(self, &mut cells);
        cells.sort_unstable();
        cells.dedup();
        cells
    }
}

/// The comparison that ends a sum.
pub(crate) fn within(sum: f64, bound: f64, strict: bool) -> bool {
    if strict { sum < bound - TOLERANCE } else { sum <= bound + TOLERANCE }
}

/// Turns a condition into a rule.
///
/// # Errors
/// When one comparison spans too many combinations of values and is no sum; `text` names the condition.
pub(crate) fn compile(expression: &Expression, text: &str, numbering: &Numbering<'_>) -> Result<Rule, Error> {
    formula(expression, true, text, numbering).map(simplify)
}

fn formula(
    expression: &Expression,
    wanted: bool,
    text: &str,
    numbering: &Numbering<'_>,
) -> Result<Rule, Error> {
    let all = |parts: &[Expression]| -> Result<Vec<Rule>, Error> {
        parts.iter().map(|part| formula(part, wanted, text, numbering)).collect()
    };
    match expression {
        Expression::Constant(constant) => Ok(Rule::Constant(*constant == wanted)),
        Expression::And(parts) if wanted => all(parts).map(Rule::And),
        Expression::And(parts) => all(parts).map(Rule::Or),
        Expression::Or(parts) if wanted => all(parts).map(Rule::Or),
        Expression::Or(parts) => all(parts).map(Rule::And),
        Expression::Not(inner) => formula(inner, !wanted, text, numbering),
        Expression::Like(..) | Expression::Among(..) | Expression::Compare(..) => {
            atom(expression, wanted, text, numbering)
        }
    }
}

fn atom(expression: &Expression, wanted: bool, text: &str, numbering: &Numbering<'_>) -> Result<Rule, Error> {
    let cells = expression.cells();
    let sizes: Vec<usize> =
        cells.iter().map(|cell| numbering.parameters[cell.parameter].values.len()).collect();
    let product = sizes.iter().try_fold(1usize, |product, size| product.checked_mul(*size));
    match product {
        Some(product) if product <= TABLE_LIMIT => {
            let allowed: Vec<bool> = (0..product)
                .map(|index| possible(expression, wanted, &Choice::new(&cells, &sizes, index, numbering)))
                .collect();
            let cells: Vec<usize> = cells.iter().map(|cell| (numbering.number)(*cell)).collect();
            Ok(match (allowed.iter().all(|a| *a), allowed.iter().any(|a| *a), cells.as_slice()) {
                (true, ..) => Rule::Constant(true),
                (_, false, _) => Rule::Constant(false),
                (.., [cell]) => Rule::Single { cell: *cell, allowed },
                _ => Rule::Table { cells, sizes, allowed },
            })
        }
        _ => sum(expression, wanted, numbering).ok_or_else(|| Error::TooWide(text.to_owned())),
    }
}

/// One combination of values, by its index in a table.
struct Choice<'a> {
    cells: &'a [Cell],
    values: Vec<&'a Value>,
}

impl<'a> Choice<'a> {
    fn new(cells: &'a [Cell], sizes: &[usize], mut index: usize, numbering: &Numbering<'a>) -> Choice<'a> {
        let mut values = Vec::with_capacity(cells.len());
        for (cell, size) in cells.iter().zip(sizes).rev() {
            values.push(&numbering.parameters[cell.parameter].values[index % size]);
            index /= size;
        }
        values.reverse();
        Choice { cells, values }
    }
}

impl Cells for Choice<'_> {
    fn cell(&self, cell: Cell) -> (Option<&str>, &Concrete) {
        let value = self.values[self.cells.binary_search(&cell).expect("the cell occurs in the condition")];
        (Some(&value.label), &value.set)
    }
}

/// A comparison of linear terms as sums: equality is `≤` both ways, difference is `<` either way.
fn sum(expression: &Expression, wanted: bool, numbering: &Numbering<'_>) -> Option<Rule> {
    let Expression::Compare(comparison, left, right) = expression else { return None };
    let one = |left: &Term, right: &Term, strict: bool| -> Option<Rule> {
        let mut parts = Vec::new();
        linear(left, 1.0, &mut parts)?;
        linear(right, -1.0, &mut parts)?;
        let mut bound = 0.0;
        let mut terms: Vec<(Cell, f64)> = Vec::new();
        for (cell, factor) in parts {
            match cell {
                None => bound -= factor,
                Some(cell) => match terms.iter_mut().find(|(own, _)| *own == cell) {
                    Some((_, own)) => *own += factor,
                    None => terms.push((cell, factor)),
                },
            }
        }
        let worth = terms.iter().map(|(cell, factor)| {
            let values = &numbering.parameters[cell.parameter].values;
            values
                .iter()
                .map(|value| value.set.interval().map(|(low, high)| (factor * low).min(factor * high)))
                .collect()
        });
        let worth: Option<Vec<Vec<f64>>> = worth.collect();
        let cells = terms.iter().map(|(cell, _)| (numbering.number)(*cell)).collect();
        Some(Rule::Sum { cells, worth: worth?, bound, strict })
    };
    match (comparison, wanted) {
        (Comparison::Less, true) => one(left, right, true),
        (Comparison::AtMost, true) => one(left, right, false),
        (Comparison::Less, false) => one(right, left, false),
        (Comparison::AtMost, false) => one(right, left, true),
        (Comparison::Equal, true) | (Comparison::Different, false) => {
            Some(Rule::And(vec![one(left, right, false)?, one(right, left, false)?]))
        }
        _ => Some(Rule::Or(vec![one(left, right, true)?, one(right, left, true)?])),
    }
}

fn linear(term: &Term, factor: f64, parts: &mut Vec<(Option<Cell>, f64)>) -> Option<()> {
    struct NoCells;
    impl Cells for NoCells {
        fn cell(&self, _: Cell) -> (Option<&str>, &Concrete) {
            const NONE: &Concrete = &Concrete::AnyOf(Vec::new());
            (None, NONE)
        }
    }
    let constant = |term: &Term| {
        let mut cells = Vec::new();
        term.collect(&mut cells);
        if cells.is_empty() { term_interval(term, &NoCells).map(|(low, _)| low) } else { None }
    };
    match term {
        Term::Cell(cell) => parts.push((Some(*cell), factor)),
        Term::Constant(Scalar::Number(number)) => parts.push((None, factor * number)),
        Term::Constant(Scalar::Text(_)) => return None,
        Term::Arithmetic(Operator::Add, left, right) => {
            linear(left, factor, parts)?;
            linear(right, factor, parts)?;
        }
        Term::Arithmetic(Operator::Subtract, left, right) => {
            linear(left, factor, parts)?;
            linear(right, -factor, parts)?;
        }
        Term::Arithmetic(Operator::Multiply, left, right) => match (constant(left), constant(right)) {
            (Some(number), _) => linear(right, factor * number, parts)?,
            (_, Some(number)) => linear(left, factor * number, parts)?,
            _ => return None,
        },
        Term::Arithmetic(Operator::Divide, left, right) => {
            let number = constant(right).filter(|number| *number != 0.0)?;
            linear(left, factor / number, parts)?;
        }
        Term::Arithmetic(Operator::Remainder, ..) => return None,
    }
    Some(())
}

/// Flattens nested formulas, drops constants, and joins sets over the same cell.
fn simplify(rule: Rule) -> Rule {
    let (parts, conjunction) = match rule {
        Rule::And(parts) => (parts, true),
        Rule::Or(parts) => (parts, false),
        other => return other,
    };
    let mut flat: Vec<Rule> = Vec::new();
    for part in parts.into_iter().map(simplify) {
        match part {
            Rule::Constant(constant) if constant == conjunction => {}
            Rule::Constant(constant) => return Rule::Constant(constant),
            Rule::And(inner) if conjunction => flat.extend(inner),
            Rule::Or(inner) if !conjunction => flat.extend(inner),
            other => flat.push(other),
        }
    }
    let mut joined: Vec<Rule> = Vec::new();
    let mut single_of: rustc_hash::FxHashMap<usize, usize> = rustc_hash::FxHashMap::default();
    for part in flat {
        let Rule::Single { cell, allowed } = part else {
            joined.push(part);
            continue;
        };
        match single_of.get(&cell) {
            Some(&at) => {
                if let Rule::Single { allowed: own, .. } = &mut joined[at] {
                    for (own, other) in own.iter_mut().zip(allowed) {
                        *own = if conjunction { *own && other } else { *own || other };
                    }
                }
            }
            None => {
                single_of.insert(cell, joined.len());
                joined.push(Rule::Single { cell, allowed });
            }
        }
    }
    let decides = |part: &Rule| matches!(part, Rule::Single { allowed, .. } if allowed.iter().all(|a| *a != conjunction));
    if joined.iter().any(decides) {
        return Rule::Constant(!conjunction);
    }
    joined.retain(
        |part| !matches!(part, Rule::Single { allowed, .. } if allowed.iter().all(|a| *a == conjunction)),
    );
    match joined.len() {
        0 => Rule::Constant(conjunction),
        1 => joined.remove(0),
        _ if conjunction => Rule::And(joined),
        _ => Rule::Or(joined),
    }
}
