//! Evaluates conditions over rows. A cell may be a class of concrete values: then the question is whether
//! the condition is *possible* for some choice of them, taken comparison by comparison; over cells with
//! one concrete value each the answer is exact.

use std::cmp::Ordering;

use super::{Cell, Comparison, Expression, Operator, Term};
use crate::model::Parameter;
use crate::value::{Concrete, Scalar, TOLERANCE};

/// Where the values of cells come from.
pub trait Cells {
    /// The label, if the value has one, and the set of concrete values of a cell.
    fn cell(&self, cell: Cell) -> (Option<&str>, &Concrete);
}

/// Abstract rows, one a run: the index of a value for every parameter.
#[derive(Debug, Clone, Copy)]
pub struct Rows<'a> {
    /// The parameters.
    pub parameters: &'a [Parameter],
    /// The rows of the runs, the source first.
    pub rows: &'a [&'a [usize]],
}

impl Cells for Rows<'_> {
    fn cell(&self, cell: Cell) -> (Option<&str>, &Concrete) {
        let value = &self.parameters[cell.parameter].values[self.rows[cell.run][cell.parameter]];
        (Some(&value.label), &value.set)
    }
}

/// Whether the condition is possible (or, with `wanted` false, whether its negation is).
pub fn possible(expression: &Expression, wanted: bool, cells: &dyn Cells) -> bool {
    match expression {
        Expression::Constant(constant) => *constant == wanted,
        Expression::And(parts) if wanted => parts.iter().all(|part| possible(part, true, cells)),
        Expression::And(parts) => parts.iter().any(|part| possible(part, false, cells)),
        Expression::Or(parts) if wanted => parts.iter().any(|part| possible(part, true, cells)),
        Expression::Or(parts) => parts.iter().all(|part| possible(part, false, cells)),
        Expression::Not(inner) => possible(inner, !wanted, cells),
        Expression::Like(cell, pattern) => {
            let (label, set) = cells.cell(*cell);
            let text = label.map(str::to_owned).or_else(|| set.only().map(|scalar| scalar.to_string()));
            matches_pattern(&text.unwrap_or_default(), pattern) == wanted
        }
        Expression::Among(cell, labels) => {
            let (label, _) = cells.cell(*cell);
            label.is_some_and(|label| labels.iter().any(|own| own == label)) == wanted
        }
        Expression::Compare(comparison, left, right) => {
            let (left, right) = (operand(left, cells), operand(right, cells));
            match (comparison, wanted) {
                (Comparison::Equal, true) | (Comparison::Different, false) => may_equal(&left, &right),
                (Comparison::Equal, false) | (Comparison::Different, true) => may_differ(&left, &right),
                (Comparison::Less, true) => may_order(&left, &right, true),
                (Comparison::AtMost, true) => may_order(&left, &right, false),
                (Comparison::Less, false) => may_order(&right, &left, false),
                (Comparison::AtMost, false) => may_order(&right, &left, true),
            }
        }
    }
}

/// The least and greatest value of a term, if it is numeric.
pub fn term_interval(term: &Term, cells: &dyn Cells) -> Option<(f64, f64)> {
    operand(term, cells).interval()
}

enum Operand<'a> {
    Set(Option<&'a str>, &'a Concrete),
    Scalar(&'a Scalar),
    Interval(f64, f64),
    Nothing,
}

impl Operand<'_> {
    fn interval(&self) -> Option<(f64, f64)> {
        match self {
            Operand::Set(_, set) => set.interval(),
            Operand::Scalar(scalar) => scalar.number().map(|number| (number, number)),
            Operand::Interval(low, high) => Some((*low, *high)),
            Operand::Nothing => None,
        }
    }

    fn only(&self) -> Option<Scalar> {
        match self {
            Operand::Set(_, set) => set.only(),
            Operand::Scalar(scalar) => Some((*scalar).clone()),
            Operand::Interval(low, high) => (high - low <= TOLERANCE).then_some(Scalar::Number(*low)),
            Operand::Nothing => None,
        }
    }

    /// A class compared with its own name.
    fn named(&self, other: &Operand<'_>) -> Option<bool> {
        match (self, other) {
            (Operand::Set(Some(label), set), Operand::Scalar(Scalar::Text(text))) => match set {
                Concrete::One(own) => Some(label == text || own.to_string() == *text),
                _ if label == text => Some(true),
                Concrete::AnyOf(_) => None,
                _ => Some(false),
            },
            _ => None,
        }
    }
}

fn operand<'a>(term: &'a Term, cells: &'a dyn Cells) -> Operand<'a> {
    match term {
        Term::Cell(cell) => {
            let (label, set) = cells.cell(*cell);
            Operand::Set(label, set)
        }
        Term::Constant(scalar) => Operand::Scalar(scalar),
        Term::Arithmetic(operator, left, right) => {
            let (left, right) = (operand(left, cells).interval(), operand(right, cells).interval());
            match (left, right) {
                (Some(left), Some(right)) => match arithmetic(*operator, left, right) {
                    Some((low, high)) => Operand::Interval(low, high),
                    None => Operand::Nothing,
                },
                _ => Operand::Nothing,
            }
        }
    }
}

fn arithmetic(operator: Operator, (a, b): (f64, f64), (c, d): (f64, f64)) -> Option<(f64, f64)> {
    let hull = |points: [f64; 4]| {
        let low = points.into_iter().fold(f64::INFINITY, f64::min);
        let high = points.into_iter().fold(f64::NEG_INFINITY, f64::max);
        (low.is_finite() && high.is_finite()).then_some((low, high))
    };
    match operator {
        Operator::Add => Some((a + c, b + d)),
        Operator::Subtract => Some((a - d, b - c)),
        Operator::Multiply => hull([a * c, a * d, b * c, b * d]),
        Operator::Divide if c > 0.0 || d < 0.0 => hull([a / c, a / d, b / c, b / d]),
        Operator::Divide if c == 0.0 && d == 0.0 => None,
        Operator::Divide => Some((f64::MIN, f64::MAX)),
        Operator::Remainder if c == d && a == b => (c != 0.0).then(|| {
            let rest = a - c * (a / c).floor();
            (rest, rest)
        }),
        Operator::Remainder if c > 0.0 => Some((0.0, d)),
        Operator::Remainder => (c != 0.0 || d != 0.0).then(|| (c.min(0.0), d.max(0.0))),
    }
}

fn may_equal(left: &Operand<'_>, right: &Operand<'_>) -> bool {
    if let Some(answer) = left.named(right).or_else(|| right.named(left)) {
        return answer;
    }
    match (left, right) {
        (Operand::Nothing, _) | (_, Operand::Nothing) => false,
        (Operand::Set(_, a), Operand::Set(_, b)) => a.meets(b),
        (Operand::Set(_, set), Operand::Scalar(scalar)) | (Operand::Scalar(scalar), Operand::Set(_, set)) => {
            set.contains(scalar)
        }
        (Operand::Scalar(a), Operand::Scalar(b)) => a.compare(b) == Ordering::Equal,
        _ => match (left.interval(), right.interval()) {
            (Some((a, b)), Some((c, d))) => a.max(c) <= b.min(d) + TOLERANCE,
            _ => false,
        },
    }
}

fn may_differ(left: &Operand<'_>, right: &Operand<'_>) -> bool {
    if let Some(answer) = left.named(right).or_else(|| right.named(left)) {
        return !answer;
    }
    match (left.only(), right.only()) {
        (Some(a), Some(b)) => a.compare(&b) != Ordering::Equal,
        _ => !matches!((left, right), (Operand::Nothing, _) | (_, Operand::Nothing)),
    }
}

fn may_order(left: &Operand<'_>, right: &Operand<'_>, strictly: bool) -> bool {
    if let (Some((low, _)), Some((_, high))) = (left.interval(), right.interval()) {
        return if strictly { low < high - TOLERANCE } else { low <= high + TOLERANCE };
    }
    match (left.only(), right.only()) {
        (Some(a), Some(b)) => {
            let order = a.compare(&b);
            order == Ordering::Less || (!strictly && order == Ordering::Equal)
        }
        _ => false,
    }
}

pub(crate) fn matches_pattern(text: &str, pattern: &str) -> bool {
    let (text, pattern): (Vec<char>, Vec<char>) = (text.chars().collect(), pattern.chars().collect());
    let (mut at, mut want) = (0, 0);
    let mut star: Option<(usize, usize)> = None;
    while at < text.len() {
        if want < pattern.len() && pattern[want] == '*' {
            star = Some((want, at));
            want += 1;
        } else if want < pattern.len() && (pattern[want] == '?' || pattern[want] == text[at]) {
            at += 1;
            want += 1;
        } else if let Some((back, from)) = star {
            star = Some((back, from + 1));
            want = back + 1;
            at = from + 1;
        } else {
            return false;
        }
    }
    pattern[want..].iter().all(|c| *c == '*')
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::error::Place;
    use crate::expression::{Names, parse};
    use crate::model::Value;

    fn check(text: &str, row: [usize; 2], expected: bool) {
        let class =
            |label: &str, low, high| Value { set: Concrete::Integers(low, high), ..Value::plain(label) };
        let parameters = [
            Parameter {
                name: "n".into(),
                values: vec![Value::plain("0"), class("few", 1, 5), class("many", 6, 20)],
            },
            Parameter { name: "s".into(), values: vec![Value::plain("abc"), Value::plain("2")] },
        ];
        let expression = parse(text, Place::default(), Names::single(&parameters)).unwrap();
        let cells = Rows { parameters: &parameters, rows: &[&row] };
        assert_eq!(possible(&expression, true, &cells), expected, "{text} over {row:?}");
    }

    #[test]
    fn classes_are_judged_by_what_is_possible() {
        check("n = few", [1, 0], true);
        check("n != few", [1, 0], false);
        check("n = 3", [1, 0], true);
        check("n != 3", [1, 0], true);
        check("n > 5", [1, 0], false);
        check("n + n >= 40", [2, 0], true);
        check("n * 2 < 12", [2, 0], false);
        check("n = s", [1, 1], true);
        check("n = s", [2, 1], false);
    }

    #[test]
    fn plain_values_are_judged_exactly() {
        check("s like \"a*c\"", [0, 0], true);
        check("not (s like \"?b\")", [0, 0], true);
        check("s = 2", [0, 1], true);
        check("s <> \"2\"", [0, 1], false);
        check("n % 2 = 0", [0, 0], true);
        check("1 / n > 0", [0, 0], false);
    }
}
