//! The size of a case: what shrinking makes smaller.

use twinrun_base::{Case, Domain, Value};

use crate::generate::origin;

/// Compared in order: how many elements, how far from the simplest values, then how the distances lie.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Measure {
    elements: u64,
    weight: u128,
    /// Order decides among equals: large values late.
    order: Vec<u64>,
}

/// The size of a case.
pub fn measure(case: &Case) -> Measure {
    let mut elements = 0;
    let mut order = Vec::new();
    for input in &case.inputs {
        elements += 1;
        match (&input.domain, &input.value) {
            (Domain::Int { lo, hi, .. }, Value::Int(value)) => order.push(int(*value, origin(*lo, *hi))),
            (Domain::Ints { lo, hi, .. }, Value::Ints(values)) => {
                elements += values.len() as u64;
                order.extend(values.iter().map(|value| int(*value, origin(*lo, *hi))));
            }
            (Domain::Permutation { .. }, Value::Ints(values)) => order.extend(inversions(values)),
            (_, Value::Int(value)) => order.push(int(*value, 0)),
            (_, Value::Ints(values)) => order.extend(values.iter().map(|value| int(*value, 0))),
            (_, Value::Float(value)) => order.push(float(*value)),
            (_, Value::Floats(values)) => {
                elements += values.len() as u64;
                order.extend(values.iter().map(|value| float(*value)));
            }
            (domain, Value::Bytes(bytes)) => {
                elements += bytes.len() as u64;
                let alphabet =
                    if let Domain::Text { alphabet, .. } = domain { alphabet.as_slice() } else { &[] };
                order.extend(bytes.iter().map(|byte| letter(*byte, alphabet)));
            }
            (_, Value::Ops(ops)) => {
                elements += ops.len() as u64;
                for op in ops {
                    order.push(int(i64::from(op.op), 0));
                    order.extend(op.arguments.iter().map(|argument| int(i64::from(*argument), 0)));
                }
            }
        }
    }
    let weight = order.iter().map(|item| u128::from(*item)).sum();
    Measure { elements, weight, order }
}

/// The distance from the simplest value; of two equal ones the value above is simpler.
fn int(value: i64, origin: i64) -> u64 {
    value.abs_diff(origin).saturating_mul(2).saturating_add(u64::from(value < origin))
}

/// Whole numbers are simpler than fractions, fractions with few digits simpler than others.
fn float(value: f64) -> u64 {
    const WHOLE: f64 = 9e15;
    if value.fract() == 0.0 && value.abs() < WHOLE {
        return int(value as i64, 0);
    }
    let digits = format!("{value:e}").split('e').next().map_or(0, str::len) as u64;
    let magnitude = value.abs().log2().abs().min(2000.0) as u64;
    (1 << 60) + (digits << 16) + (magnitude << 1) + u64::from(value < 0.0)
}

/// The place of a letter in its alphabet; without one, small letters first.
pub(super) fn letter(byte: u8, alphabet: &[u8]) -> u64 {
    if alphabet.is_empty() {
        let class = match byte {
            b'a'..=b'z' => 0,
            b'0'..=b'9' => 1,
            b'A'..=b'Z' => 2,
            b' '..=b'~' => 3,
            _ => 4,
        };
        return class * 256 + u64::from(byte);
    }
    alphabet.iter().position(|other| *other == byte).unwrap_or(alphabet.len()) as u64
}

/// For each element, how many larger ones stand before it.
fn inversions(values: &[i64]) -> impl Iterator<Item = u64> {
    values
        .iter()
        .enumerate()
        .map(|(index, value)| values[..index].iter().filter(|before| *before > value).count() as u64)
}
