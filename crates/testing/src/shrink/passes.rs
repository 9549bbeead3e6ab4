//! The ways in which a case can become smaller, from the coarsest to the finest.

use twinrun_base::{Case, Domain, IntKind, Shape, Value};

use super::Shrinker;
use super::measure::letter;
use crate::generate::{bring, origin};

/// Runs every pass once over the present best case.
pub(super) fn all(shrinker: &mut Shrinker<'_>) {
    lengths(shrinker);
    delete_elements(shrinker);
    delete_pieces(shrinker);
    zero_runs(shrinker);
    numbers(shrinker);
    shift_together(shrinker);
    pairs(shrinker);
    letters(shrinker);
    permutations(shrinker);
    swap_neighbours(shrinker);
}

fn inputs(shrinker: &Shrinker<'_>) -> std::ops::Range<usize> {
    0..shrinker.best.inputs.len()
}

/// Cuts what a length governs at its end.
fn lengths(shrinker: &mut Shrinker<'_>) {
    for index in inputs(shrinker) {
        let Some(Domain::Int { kind: IntKind::Length, lo, .. }) =
            shrinker.best.inputs.get(index).map(|it| it.domain.clone())
        else {
            continue;
        };
        let Value::Int(length) = shrinker.best.inputs[index].value else { continue };
        for target in toward(length, lo) {
            if shrinker.attempt_change(|case| case.inputs[index].value = Value::Int(target)) {
                break;
            }
        }
    }
}

/// Takes one element out of everything that a length governs: arrays, matrix rows and columns.
fn delete_elements(shrinker: &mut Shrinker<'_>) {
    for index in inputs(shrinker) {
        let mut position = 0;
        while let Some(input) = shrinker.best.inputs.get(index) {
            let (Domain::Int { kind: IntKind::Length, lo, .. }, Value::Int(length)) =
                (&input.domain, &input.value)
            else {
                break;
            };
            if position >= *length || length <= lo || shrinker.exhausted() {
                break;
            }
            let length = *length;
            if !shrinker.attempt_change(|case| delete_element(case, index, length, position as usize)) {
                position += 1;
            }
        }
    }
}

fn delete_element(case: &mut Case, index: usize, length: i64, position: usize) {
    case.inputs[index].value = Value::Int(length - 1);
    for input in &mut case.inputs[index + 1..] {
        match (&mut input.domain, &mut input.value) {
            (Domain::Ints { shape, .. }, Value::Ints(values)) => remove(shape, values, length, position),
            (Domain::Floats { shape, .. }, Value::Floats(values)) => remove(shape, values, length, position),
            (Domain::Permutation { n }, Value::Ints(values)) if i64::from(*n) == length => {
                *n -= 1;
                let gone = position as i64;
                values.retain(|value| *value != gone);
                values.iter_mut().filter(|value| **value > gone).for_each(|value| *value -= 1);
            }
            _ => {}
        }
    }
}

fn remove<T: Copy>(shape: &mut Shape, values: &mut Vec<T>, length: i64, position: usize) {
    match shape {
        Shape::Array(count) if i64::from(*count) == length => {
            *count -= 1;
            values.remove(position);
        }
        Shape::Matrix(rows, columns) => {
            if i64::from(*rows) == length {
                let width = *columns as usize;
                values.drain(position * width..(position + 1) * width);
                *rows -= 1;
            }
            if i64::from(*columns) == length {
                let width = *columns as usize;
                let mut at = 0;
                values.retain(|_| {
                    at += 1;
                    (at - 1) % width != position
                });
                *columns -= 1;
            }
        }
        Shape::Array(_) => {}
    }
}

/// Takes pieces out of text and of operation sequences, long ones first.
fn delete_pieces(shrinker: &mut Shrinker<'_>) {
    for index in inputs(shrinker) {
        let length = |case: &Case| match case.inputs.get(index).map(|input| &input.value) {
            Some(Value::Bytes(bytes)) => bytes.len(),
            Some(Value::Ops(ops)) => ops.len(),
            _ => 0,
        };
        let mut piece = length(&shrinker.best);
        while piece > 0 {
            let mut start = 0;
            while start < length(&shrinker.best) && !shrinker.exhausted() {
                let end = (start + piece).min(length(&shrinker.best));
                let removed = shrinker.attempt_change(|case| match &mut case.inputs[index].value {
                    Value::Bytes(bytes) => drop(bytes.drain(start..end)),
                    Value::Ops(ops) => drop(ops.drain(start..end)),
                    _ => {}
                });
                if !removed {
                    start += piece;
                }
            }
            piece /= 2;
        }
    }
}

/// Sets runs of array elements to the simplest value.
fn zero_runs(shrinker: &mut Shrinker<'_>) {
    for index in inputs(shrinker) {
        let count = match shrinker.best.inputs.get(index).map(|input| (&input.domain, &input.value)) {
            Some((Domain::Ints { .. }, Value::Ints(values))) => values.len(),
            Some((_, Value::Floats(values))) => values.len(),
            _ => 0,
        };
        let mut piece = count;
        while piece > 1 {
            for start in (0..count).step_by(piece) {
                shrinker.attempt_change(|case| {
                    let input = &mut case.inputs[index];
                    match (&input.domain, &mut input.value) {
                        (Domain::Ints { lo, hi, .. }, Value::Ints(values)) => {
                            values
                                .iter_mut()
                                .skip(start)
                                .take(piece)
                                .for_each(|value| *value = origin(*lo, *hi));
                        }
                        (Domain::Floats { lo, hi, .. }, Value::Floats(values)) => {
                            values
                                .iter_mut()
                                .skip(start)
                                .take(piece)
                                .for_each(|value| *value = 0f64.max(*lo).min(*hi));
                        }
                        _ => {}
                    }
                });
            }
            piece /= 2;
        }
    }
}

/// Brings every single number towards its simplest value.
fn numbers(shrinker: &mut Shrinker<'_>) {
    for index in inputs(shrinker) {
        let mut element = 0;
        while let Some(number) = number_at(&shrinker.best, index, element) {
            if shrinker.exhausted() {
                return;
            }
            match number {
                Number::Int(value, lo, hi) => {
                    let simplest = origin(lo, hi);
                    let mirrored =
                        (value < simplest).then(|| simplest.saturating_mul(2).saturating_sub(value).min(hi));
                    for target in toward(value, simplest).chain(mirrored) {
                        if shrinker.attempt_change(|case| set_int(case, index, element, target)) {
                            break;
                        }
                    }
                }
                Number::Float(value, lo, hi) => {
                    for target in simpler_floats(value).filter(|target| (lo..=hi).contains(target)) {
                        if shrinker.attempt_change(|case| set_float(case, index, element, target)) {
                            break;
                        }
                    }
                }
            }
            element += 1;
        }
    }
}

/// Brings all elements of an array nearer to the simplest value by the same amount, so that differences stay.
fn shift_together(shrinker: &mut Shrinker<'_>) {
    for index in inputs(shrinker) {
        let Some((Domain::Ints { lo, hi, .. }, Value::Ints(values))) =
            shrinker.best.inputs.get(index).map(|input| (&input.domain, &input.value))
        else {
            continue;
        };
        let (lo, hi) = (*lo, *hi);
        let (Some(least), Some(most)) = (values.iter().min().copied(), values.iter().max().copied()) else {
            continue;
        };
        let simplest = origin(lo, hi);
        let end = if least > simplest { least } else { most };
        let above = simplest.saturating_sub(least);
        for shift in toward(end, simplest).map(|target| target.saturating_sub(end)).chain([above]) {
            let shifted = shrinker.attempt_change(|case| {
                if let Value::Ints(values) = &mut case.inputs[index].value {
                    values.iter_mut().for_each(|value| *value = bring(value.saturating_add(shift), lo, hi));
                }
            });
            if shifted {
                break;
            }
        }
    }
}

/// Lowers two numbers at once, wherever they stand: faults that need equal or related numbers.
fn pairs(shrinker: &mut Shrinker<'_>) {
    const MOST: usize = 24;
    let mut numbers = Vec::new();
    for index in inputs(shrinker) {
        let mut element = 0;
        while let Some(number) = number_at(&shrinker.best, index, element) {
            if matches!(number, Number::Int(..)) && numbers.len() < MOST {
                numbers.push((index, element));
            }
            element += 1;
        }
    }
    for (position, first) in numbers.iter().enumerate() {
        for second in &numbers[position + 1..] {
            let both = |case: &Case| Some((int_at(case, *first)?, int_at(case, *second)?));
            while let Some(((a, a_lo, a_hi), (b, b_lo, b_hi))) = both(&shrinker.best) {
                if shrinker.exhausted() {
                    return;
                }
                let (a_origin, b_origin) = (origin(a_lo, a_hi), origin(b_lo, b_hi));
                if a == a_origin || b == b_origin {
                    break;
                }
                let step = |value: i64, origin: i64, by: u64| {
                    let by = by.min(value.abs_diff(origin)) as i64;
                    if value > origin { value - by } else { value + by }
                };
                let reach = a.abs_diff(a_origin).min(b.abs_diff(b_origin));
                let lowered = [reach, reach / 2, 1].into_iter().filter(|by| *by > 0).any(|by| {
                    shrinker.attempt_change(|case| {
                        set_int(case, first.0, first.1, step(a, a_origin, by));
                        set_int(case, second.0, second.1, step(b, b_origin, by));
                    })
                });
                if !lowered {
                    break;
                }
            }
        }
    }
}

/// Replaces letters by simpler ones.
fn letters(shrinker: &mut Shrinker<'_>) {
    for index in inputs(shrinker) {
        let mut position = 0;
        while let Some(input) = shrinker.best.inputs.get(index) {
            let Value::Bytes(bytes) = &input.value else { break };
            let Some(byte) = bytes.get(position).copied() else { break };
            let alphabet =
                if let Domain::Text { alphabet, .. } = &input.domain { alphabet.clone() } else { Vec::new() };
            let mut simpler: Vec<u8> = match alphabet.is_empty() {
                true => b"aAb0 ".to_vec(),
                false => alphabet.iter().take(16).copied().collect(),
            };
            simpler.retain(|other| letter(*other, &alphabet) < letter(byte, &alphabet));
            for other in simpler {
                let replaced = shrinker.attempt_change(|case| {
                    if let Value::Bytes(bytes) = &mut case.inputs[index].value {
                        bytes[position] = other;
                    }
                });
                if replaced {
                    break;
                }
            }
            position += 1;
        }
    }
}

/// Brings permutations nearer to the identity.
fn permutations(shrinker: &mut Shrinker<'_>) {
    for index in inputs(shrinker) {
        let Some((Domain::Permutation { n }, _)) =
            shrinker.best.inputs.get(index).map(|it| (it.domain.clone(), ()))
        else {
            continue;
        };
        let identity: Vec<i64> = (0..i64::from(n)).collect();
        if shrinker.attempt_change(|case| case.inputs[index].value = Value::Ints(identity)) {
            continue;
        }
        let swap = |case: &mut Case, i: usize, j: usize| {
            if let Value::Ints(values) = &mut case.inputs[index].value {
                values.swap(i, j);
            }
        };
        for i in 0..n as usize {
            for j in i + 1..n as usize {
                shrinker.attempt_change(|case| swap(case, i, j));
            }
        }
    }
}

/// Moves larger elements to the end, so that equal failures look alike.
fn swap_neighbours(shrinker: &mut Shrinker<'_>) {
    for index in inputs(shrinker) {
        let count = match shrinker.best.inputs.get(index).map(|input| (&input.domain, &input.value)) {
            Some((Domain::Ints { .. }, Value::Ints(values))) => values.len(),
            _ => 0,
        };
        for position in 1..count {
            shrinker.attempt_change(|case| {
                if let Value::Ints(values) = &mut case.inputs[index].value {
                    values.swap(position - 1, position);
                }
            });
        }
    }
}

enum Number {
    Int(i64, i64, i64),
    Float(f64, f64, f64),
}

/// The `element`-th number of an input with its range.
fn number_at(case: &Case, index: usize, element: usize) -> Option<Number> {
    let input = case.inputs.get(index)?;
    match (&input.domain, &input.value) {
        (Domain::Int { lo, hi, .. }, Value::Int(value)) if element == 0 => {
            Some(Number::Int(*value, *lo, *hi))
        }
        (Domain::Float { lo, hi }, Value::Float(value)) if element == 0 => {
            Some(Number::Float(*value, *lo, *hi))
        }
        (Domain::Ints { lo, hi, .. }, Value::Ints(values)) => {
            Some(Number::Int(*values.get(element)?, *lo, *hi))
        }
        (Domain::Floats { lo, hi, .. }, Value::Floats(values)) => {
            Some(Number::Float(*values.get(element)?, *lo, *hi))
        }
        (Domain::Ops { specs, .. }, Value::Ops(ops)) => {
            let op = ops.get(element / 4)?;
            let spec = specs.get(usize::try_from(op.op).ok()?)?;
            match element % 4 {
                0 => Some(Number::Int(i64::from(op.op), 0, specs.len() as i64 - 1)),
                argument => {
                    let value = i64::from(op.arguments[argument - 1]);
                    let (lo, hi) = spec
                        .arguments
                        .get(argument - 1)
                        .map_or((value, value), |(lo, hi)| (i64::from(*lo), i64::from(*hi)));
                    Some(Number::Int(value, lo, hi))
                }
            }
        }
        _ => None,
    }
}

fn int_at(case: &Case, (index, element): (usize, usize)) -> Option<(i64, i64, i64)> {
    match number_at(case, index, element)? {
        Number::Int(value, lo, hi) => Some((value, lo, hi)),
        Number::Float(..) => None,
    }
}

fn set_int(case: &mut Case, index: usize, element: usize, to: i64) {
    match case.inputs.get_mut(index).map(|input| &mut input.value) {
        Some(Value::Int(value)) => *value = to,
        Some(Value::Ints(values)) => values[element] = to,
        Some(Value::Ops(ops)) => match element % 4 {
            0 => ops[element / 4].op = to as i32,
            argument => ops[element / 4].arguments[argument - 1] = to as i32,
        },
        _ => {}
    }
}

fn set_float(case: &mut Case, index: usize, element: usize, to: f64) {
    match case.inputs.get_mut(index).map(|input| &mut input.value) {
        Some(Value::Float(value)) => *value = to,
        Some(Value::Floats(values)) => values[element] = to,
        _ => {}
    }
}

/// From `target` itself by halving the distance up to the neighbour of `value`.
fn toward(value: i64, target: i64) -> impl Iterator<Item = i64> {
    let mut distance = i128::from(target) - i128::from(value);
    std::iter::from_fn(move || {
        (distance != 0).then(|| {
            let next = (i128::from(value) + distance) as i64;
            distance /= 2;
            next
        })
    })
}

/// Simpler doubles: whole ones, then fractions with fewer digits.
fn simpler_floats(value: f64) -> impl Iterator<Item = f64> {
    let whole = [0.0, 1.0, value.trunc(), value.round(), value.floor(), value.ceil()].into_iter();
    let halved = (1..12).map(move |shift| (value / f64::from(1 << shift)).trunc());
    let fewer = [1e1, 1e2, 1e4].into_iter().map(move |scale| (value * scale).round() / scale);
    let smaller = [value - 1.0, value + 1.0, -value].into_iter();
    whole.chain(halved).chain(fewer).chain(smaller).filter(move |other| other.is_finite() && *other != value)
}
