//! The picture of a failing region: how the group ends when two numbers of the minimal case take other values.

use twinrun_base::{Case, Domain, IntKind, Value, Verdict};
use twinrun_testing::executor::{ExecuteError, Executor};
use twinrun_testing::replay::Replay;

use crate::outcome::Region;

/// Values on each axis.
const SIDE: usize = 41;
/// Numbers of a case that are tried as axes.
const MOST_AXES: usize = 12;
/// Each time-out costs the whole work limit.
const MOST_TIMEOUTS: usize = 20;

/// A number in a case: the input and, in an array, the element.
#[derive(Clone, Copy)]
struct Axis {
    input: usize,
    element: Option<usize>,
}

/// The picture; none where the case has fewer than two numbers.
pub(crate) fn region(executor: &mut dyn Executor, case: &Case) -> Result<Option<Region>, ExecuteError> {
    let axes = axes(case);
    let mut chosen: Vec<Axis> = Vec::new();
    let verdict = judge(executor, case)?;
    for axis in &axes {
        if chosen.len() < 2 && matters(executor, case, *axis, verdict)? {
            chosen.push(*axis);
        }
    }
    for axis in &axes {
        let same = |other: &Axis| other.input == axis.input && other.element == axis.element;
        if chosen.len() < 2 && !chosen.iter().any(same) {
            chosen.push(*axis);
        }
    }
    let [x, y] = chosen[..] else { return Ok(None) };
    let (across, column) = values(case, x);
    let (up, row) = values(case, y);
    let mut cells = Vec::with_capacity(across.len() * up.len());
    let mut timeouts = 0;
    for vertical in &up {
        for horizontal in &across {
            let mut other = case.clone();
            set(&mut other, x, *horizontal);
            set(&mut other, y, *vertical);
            let verdict = judge(executor, &other)?;
            timeouts += usize::from(verdict == Verdict::Timeout);
            if timeouts > MOST_TIMEOUTS {
                return Ok(None);
            }
            cells.push(verdict);
        }
    }
    Ok(Some(Region {
        x: (name(case, x), across),
        y: (name(case, y), up),
        cells,
        here: (column, row),
        exact: false,
    }))
}

/// The numbers of a case, lengths left out: other inputs are drawn by them.
fn axes(case: &Case) -> Vec<Axis> {
    let mut axes = Vec::new();
    for (index, input) in case.inputs.iter().enumerate() {
        let elements = match (&input.domain, &input.value) {
            (Domain::Int { kind: IntKind::Length | IntKind::Bool, .. }, _) => 0,
            (Domain::Int { lo, hi, .. }, Value::Int(_)) if lo < hi => {
                axes.push(Axis { input: index, element: None });
                0
            }
            (Domain::Float { lo, hi }, Value::Float(_)) if lo < hi => {
                axes.push(Axis { input: index, element: None });
                0
            }
            (Domain::Ints { .. }, Value::Ints(numbers)) => numbers.len(),
            (Domain::Floats { .. }, Value::Floats(numbers)) => numbers.len(),
            _ => 0,
        };
        axes.extend((0..elements).map(|element| Axis { input: index, element: Some(element) }));
    }
    axes.truncate(MOST_AXES);
    axes
}

fn matters(
    executor: &mut dyn Executor,
    case: &Case,
    axis: Axis,
    verdict: Verdict,
) -> Result<bool, ExecuteError> {
    let (values, _) = values(case, axis);
    for value in values.iter().step_by(2) {
        let mut other = case.clone();
        set(&mut other, axis, *value);
        if judge(executor, &other)? != verdict {
            return Ok(true);
        }
    }
    Ok(false)
}

fn judge(executor: &mut dyn Executor, case: &Case) -> Result<Verdict, ExecuteError> {
    let mut replay = Replay::default();
    replay.begin(case);
    Ok(executor.run(&mut replay)?.verdict)
}

fn name(case: &Case, axis: Axis) -> String {
    let input = &case.inputs[axis.input].name;
    axis.element.map_or(input.clone(), |element| format!("{input}[{element}]"))
}

/// The values along an axis around the case's own, within the domain, and where its own is.
fn values(case: &Case, axis: Axis) -> (Vec<f64>, usize) {
    let input = &case.inputs[axis.input];
    let element = axis.element.unwrap_or(0);
    match (&input.domain, &input.value) {
        (Domain::Int { lo, hi, .. }, Value::Int(own)) => integers(*lo, *hi, *own),
        (Domain::Ints { lo, hi, .. }, Value::Ints(numbers)) => integers(*lo, *hi, numbers[element]),
        (Domain::Float { lo, hi }, Value::Float(own)) => floats(*lo, *hi, *own),
        (Domain::Floats { lo, hi, .. }, Value::Floats(numbers)) => floats(*lo, *hi, numbers[element]),
        _ => (vec![0.0], 0),
    }
}

fn integers(lo: i64, hi: i64, own: i64) -> (Vec<f64>, usize) {
    let half = (SIDE / 2) as i64;
    let from = own.saturating_sub(half).clamp(lo, hi.saturating_sub(2 * half).max(lo));
    let to = from.saturating_add(2 * half).min(hi);
    let values: Vec<f64> = (from..=to).map(|value| value as f64).collect();
    (values, usize::try_from(own.saturating_sub(from)).unwrap_or(0))
}

fn floats(lo: f64, hi: f64, own: f64) -> (Vec<f64>, usize) {
    let half = SIDE / 2;
    let step = (own.abs().max(1.0) * 2.0 / half as f64).min((hi - lo) / (2 * half) as f64);
    let before = (((own - lo) / step).floor() as usize).min(half);
    let after = (((hi - own) / step).floor() as usize).min(half);
    let values = (0..=before + after).map(|at| own + (at as f64 - before as f64) * step).collect();
    (values, before)
}

fn set(case: &mut Case, axis: Axis, value: f64) {
    let element = axis.element.unwrap_or(0);
    match &mut case.inputs[axis.input].value {
        Value::Int(own) => *own = value as i64,
        Value::Float(own) => *own = value,
        Value::Ints(numbers) => numbers[element] = value as i64,
        Value::Floats(numbers) => numbers[element] = value,
        Value::Bytes(_) | Value::Ops(_) => {}
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_values_of_an_axis_stay_in_the_domain_and_hold_the_own_one() {
        for (lo, hi, own) in
            [(-1000, 1000, 3), (0, 5, 5), (-1000, 1000, -1000), (i64::MIN, i64::MAX, i64::MAX - 1)]
        {
            let (values, at) = integers(lo, hi, own);
            assert!(values.len() <= SIDE && values[at] == own as f64, "{lo} {hi} {own}: {values:?}");
            assert!(values.iter().all(|value| (lo as f64..=hi as f64).contains(value)));
        }
        for (lo, hi, own) in [(-10.0, 10.0, 0.0), (0.0, 1.0, 1.0), (-1e300, 1e300, 5.0)] {
            let (values, at) = floats(lo, hi, own);
            assert!(values.len() <= SIDE && values[at] == own, "{values:?}");
            assert!(values.iter().all(|value| (lo..=hi).contains(value)));
        }
    }
}
