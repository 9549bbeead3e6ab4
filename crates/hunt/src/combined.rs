//! Combinatorial testing of a relation without a model: its own inputs are the parameters, boundary values of their ranges the
//! values, and cases that cover all pairs run before any is drawn.
//!
//! Faults that need two extreme inputs at once are rarely drawn; and which pair of values suffices tells much about a failure.

use serde::{Deserialize, Serialize};
use twinrun_base::case::{Domain, IntKind, Value};
use twinrun_base::{Case, Rng, Verdict, cut};
use twinrun_combine::{Config, Model, Parameter, failing_combinations, generate};
use twinrun_testing::executor::{ExecuteError, Executor};
use twinrun_testing::generate::Generator;
use twinrun_testing::replay::Replay;

/// Drawn cases among which that with the most inputs is the pattern.
const PATTERNS: usize = 16;
/// Numbers that are varied; the others keep the values of the pattern.
const MOST_CELLS: usize = 14;
/// Elements of one array that are varied.
const MOST_ELEMENTS: usize = 6;
/// Cases; the array is cut there.
const MOST_CASES: usize = 120;

/// What the combinations of boundary values of one relation gave.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Combined {
    /// The subject.
    pub subject: String,
    /// The relation.
    pub relation: String,
    /// The inputs that were varied, with the number of values of each.
    pub inputs: Vec<(String, usize)>,
    /// Cases run, and of these violated or crashed.
    pub cases: u64,
    /// See `cases`.
    pub failing: u64,
    /// The smallest combinations of values of the first failing case that no holding case has, in words.
    pub suffices: Vec<String>,
}

/// Runs the combinations; beside what they gave, the cases that fail.
pub(crate) fn combine(
    (subject, relation): (&str, &str),
    executor: &mut dyn Executor,
    seed: u64,
) -> Result<Option<(Combined, Vec<Case>)>, ExecuteError> {
    let Some(pattern) = pattern(executor, seed)? else { return Ok(None) };
    let cells = cells(&pattern);
    if cells.len() < 2 {
        return Ok(None);
    }
    // Inputs may have one name, parameters may not.
    let parameters: Vec<Parameter> =
        cells.iter().enumerate().map(|(number, cell)| cell.parameter(number)).collect();
    let model = Model { parameters, ..Model::default() };
    let array = generate(&model, &Config { strength: Some(2), seed, ..Config::default() })
        .map_err(|error| ExecuteError::new(error.to_string()))?;
    let (mut passing, mut failing) = (Vec::new(), Vec::new());
    let mut replay = Replay::default();
    let mut cases = 0;
    for row in array.rows.into_iter().take(MOST_CASES) {
        replay.begin(&case(&pattern, &cells, &row));
        match executor.run(&mut replay)?.verdict {
            Verdict::Holds => passing.push(row),
            Verdict::Violated | Verdict::Crashed => failing.push((row, replay.drawn())),
            Verdict::Discarded if cut::is_requested() => break,
            Verdict::Discarded => continue,
            Verdict::Timeout => break,
        }
        cases += 1;
    }
    let suffices = failing.first().map_or(Vec::new(), |(row, _)| failing_combinations(row, &passing));
    let words = |pairs: &Vec<(usize, usize)>| {
        let word = |&(cell, value): &(usize, usize)| {
            let Cell { name, values, .. } = &cells[cell];
            format!("{name} = {}", values[value])
        };
        pairs.iter().map(word).collect::<Vec<_>>().join(" and ")
    };
    let combined = Combined {
        subject: subject.to_owned(),
        relation: relation.to_owned(),
        inputs: cells.iter().map(|cell| (cell.name.clone(), cell.values.len())).collect(),
        cases,
        failing: failing.len() as u64,
        suffices: suffices.iter().map(words).collect(),
    };
    Ok(Some((combined, failing.into_iter().map(|(_, case)| case).collect())))
}

/// The drawn case with the most inputs: shorter arrays are cut from longer ones.
fn pattern(executor: &mut dyn Executor, seed: u64) -> Result<Option<Case>, ExecuteError> {
    let mut generator = Generator::new(Rng::new(seed), &[]);
    let mut best: Option<(usize, Case)> = None;
    for _ in 0..PATTERNS {
        generator.begin(&[]);
        if executor.run(&mut generator)?.verdict == Verdict::Discarded {
            continue;
        }
        let case = generator.case();
        let size = cells(&case).len();
        if best.as_ref().is_none_or(|(most, _)| size > *most) {
            best = Some((size, case));
        }
    }
    Ok(best.map(|(_, case)| case))
}

/// A number that is varied.
struct Cell {
    /// The input, and the element of an array.
    at: (usize, Option<usize>),
    name: String,
    values: Vec<f64>,
}

impl Cell {
    fn parameter(&self, number: usize) -> Parameter {
        let labels = self.values.iter().map(|value| twinrun_combine::Value::plain(&value.to_string()));
        Parameter { name: format!("cell {number}"), values: labels.collect() }
    }
}

/// The numbers of a case that have at least two boundary values.
fn cells(case: &Case) -> Vec<Cell> {
    let mut cells = Vec::new();
    for (index, input) in case.inputs.iter().enumerate() {
        let mut add = |element: Option<usize>, values: Vec<f64>| {
            if values.len() > 1 && cells.len() < MOST_CELLS {
                let name = match element {
                    Some(element) => format!("{}[{element}]", input.name),
                    None => input.name.clone(),
                };
                cells.push(Cell { at: (index, element), name, values });
            }
        };
        match &input.domain {
            Domain::Int { kind, lo, hi } => add(None, telling(*kind, *lo, *hi)),
            Domain::Float { lo, hi } => add(None, telling_reals(*lo, *hi)),
            Domain::Ints { kind, shape, lo, hi } => {
                (0..shape.count().min(MOST_ELEMENTS)).for_each(|at| add(Some(at), telling(*kind, *lo, *hi)));
            }
            Domain::Floats { shape, lo, hi } => {
                (0..shape.count().min(MOST_ELEMENTS)).for_each(|at| add(Some(at), telling_reals(*lo, *hi)));
            }
            _ => {}
        }
    }
    cells
}

/// The ends of a range and what lies around zero; all alternatives of a choice, if they are few.
fn telling(kind: IntKind, lo: i64, hi: i64) -> Vec<f64> {
    let mut values: Vec<i64> = match kind {
        IntKind::Choice | IntKind::Bool if hi - lo < 8 => (lo..=hi).collect(),
        IntKind::Length => vec![lo, lo.saturating_add(1), hi],
        _ => vec![lo, -1, 0, 1, hi],
    };
    values.retain(|value| (lo..=hi).contains(value));
    values.sort_unstable();
    values.dedup();
    // Larger numbers are not exact as doubles; they would not be the ends any more.
    values.into_iter().filter(|value| value.unsigned_abs() <= 1 << 53).map(|value| value as f64).collect()
}

fn telling_reals(lo: f64, hi: f64) -> Vec<f64> {
    let mut values = vec![lo, -1.0, 0.0, 1.0, hi];
    values.retain(|value| value.is_finite() && (lo..=hi).contains(value));
    values.sort_by(f64::total_cmp);
    values.dedup();
    values
}

/// The pattern with the values of a row.
fn case(pattern: &Case, cells: &[Cell], row: &[usize]) -> Case {
    let mut case = pattern.clone();
    for (cell, &value) in cells.iter().zip(row) {
        let number = cell.values[value];
        match (&mut case.inputs[cell.at.0].value, cell.at.1) {
            (Value::Int(it), None) => *it = number as i64,
            (Value::Float(it), None) => *it = number,
            (Value::Ints(all), Some(at)) if at < all.len() => all[at] = number as i64,
            (Value::Floats(all), Some(at)) if at < all.len() => all[at] = number,
            _ => {}
        }
    }
    case
}

#[cfg(test)]
mod tests {
    use super::*;
    use twinrun_base::case::{Input, Shape};

    #[test]
    fn telling_values_are_the_ends_and_what_lies_around_zero() {
        assert_eq!(telling(IntKind::I32, -1000, 1000), [-1000.0, -1.0, 0.0, 1.0, 1000.0]);
        assert_eq!(telling(IntKind::I32, 1, 9), [1.0, 9.0]);
        assert_eq!(telling(IntKind::Length, 0, 8), [0.0, 1.0, 8.0]);
        assert_eq!(telling(IntKind::Choice, 0, 3), [0.0, 1.0, 2.0, 3.0]);
        assert_eq!(telling(IntKind::I64, i64::MIN, i64::MAX), [-1.0, 0.0, 1.0]);
        assert_eq!(telling_reals(0.0, 2.5), [0.0, 1.0, 2.5]);
    }

    #[test]
    fn a_row_is_written_into_the_pattern() {
        let input = |name: &str, domain, value| Input { name: name.into(), domain, value };
        let pattern = Case {
            inputs: vec![
                input("n", Domain::Int { kind: IntKind::Length, lo: 0, hi: 2 }, Value::Int(2)),
                input(
                    "a",
                    Domain::Ints { kind: IntKind::I32, shape: Shape::Array(2), lo: -5, hi: 5 },
                    Value::Ints(vec![3, 4]),
                ),
            ],
        };
        let cells = cells(&pattern);
        let names: Vec<&str> = cells.iter().map(|cell| cell.name.as_str()).collect();
        assert_eq!(names, ["n", "a[0]", "a[1]"]);
        let row = case(&pattern, &cells, &[1, 0, 4]);
        assert_eq!(row.inputs[0].value, Value::Int(1));
        assert_eq!(row.inputs[1].value, Value::Ints(vec![-5, 5]));
    }
}
