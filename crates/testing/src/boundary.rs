//! All pairs of boundary values: for every two numbers of a case, each boundary value of the one with each of the other. Most faults need no more than two
//! values to agree (Kuhn, Wallace, Gallo: IEEE TSE 30(6), 2004), and wrong arithmetic shows at the ends of ranges.

use twinrun_base::{Case, Domain, IntKind, Op, OpSpec, Value};

use crate::generate::origin;

/// A place of a case that is set on its own, with the values that it gets.
struct Slot {
    input: usize,
    /// The element of an array; none for the whole input.
    element: Option<usize>,
    values: Vec<Value>,
}

/// The cases that differ from `base` in one or two places, which have boundary values; at most so many, spread evenly, and whether these are all.
pub fn pairs(base: &Case, most: usize) -> (Vec<Case>, bool) {
    let slots = slots(base);
    let mut count = slots.iter().map(|slot| slot.values.len()).sum::<usize>();
    for (position, slot) in slots.iter().enumerate() {
        let others: usize = slots[position + 1..].iter().map(|other| other.values.len()).sum();
        count = count.saturating_add(slot.values.len().saturating_mul(others));
    }
    let step = count.div_ceil(most.max(1)).max(1);
    let mut number = 0;
    let mut cases = Vec::new();
    let mut keep = |changes: &[(&Slot, &Value)]| {
        if number % step == 0 {
            let mut case = base.clone();
            changes.iter().for_each(|(slot, value)| set(&mut case, slot, value));
            cases.push(case);
        }
        number += 1;
    };
    for (position, slot) in slots.iter().enumerate() {
        for value in &slot.values {
            keep(&[(slot, value)]);
            for other in &slots[position + 1..] {
                other.values.iter().for_each(|second| keep(&[(slot, value), (other, second)]));
            }
        }
    }
    (cases, step == 1)
}

fn set(case: &mut Case, slot: &Slot, value: &Value) {
    let whole = &mut case.inputs[slot.input].value;
    match (slot.element, whole, value) {
        (Some(element), Value::Ints(numbers), Value::Int(number)) => numbers[element] = *number,
        (Some(element), Value::Floats(numbers), Value::Float(number)) => numbers[element] = *number,
        (None, whole, value) => whole.clone_from(value),
        _ => {}
    }
}

fn slots(case: &Case) -> Vec<Slot> {
    let mut slots = Vec::new();
    for (input, drawn) in case.inputs.iter().enumerate() {
        let mut elements = |count: usize, values: Vec<Value>| {
            let of = |element| Slot { input, element: Some(element), values: values.clone() };
            slots.extend((0..count).map(of));
        };
        match (&drawn.domain, &drawn.value) {
            (Domain::Ints { lo, hi, kind, .. }, Value::Ints(numbers)) => {
                elements(numbers.len(), ints(*kind, *lo, *hi));
            }
            (Domain::Floats { lo, hi, .. }, Value::Floats(numbers)) => {
                elements(numbers.len(), floats(*lo, *hi));
            }
            (domain, _) => slots.push(Slot { input, element: None, values: whole(domain) }),
        }
    }
    slots
}

/// Boundary values of an input that is set as a whole.
fn whole(domain: &Domain) -> Vec<Value> {
    match domain {
        Domain::Int { kind, lo, hi } => ints(*kind, *lo, *hi),
        Domain::Float { lo, hi } => floats(*lo, *hi),
        Domain::Text { min, max, alphabet } => {
            let letters = match (alphabet.first(), alphabet.last()) {
                (Some(&first), Some(&last)) => vec![first, last],
                _ => vec![0, b'a', 255],
            };
            let lengths = [*min, (*min + 1).min(*max), *max];
            let text = |letter: u8| lengths.map(|length| Value::Bytes(vec![letter; length as usize]));
            distinct(letters.into_iter().flat_map(text).collect())
        }
        Domain::Permutation { n } => {
            let identity: Vec<i64> = (0..i64::from(*n)).collect();
            let mut swapped = identity.clone();
            let mut rotated = identity.clone();
            if *n > 1 {
                swapped.swap(0, 1);
                rotated.rotate_left(1);
            }
            let reversed = identity.iter().rev().copied().collect();
            distinct([identity, swapped, rotated, reversed].into_iter().map(Value::Ints).collect())
        }
        Domain::Ops { max, specs } => {
            let ends = |spec: &OpSpec, op: usize| {
                let with = |end: fn(&(i32, i32)) -> i32| {
                    let mut arguments = [0; 3];
                    spec.arguments.iter().zip(&mut arguments).for_each(|(range, to)| *to = end(range));
                    Op { op: op as i32, arguments }
                };
                [with(|range| range.0), with(|range| range.1)]
            };
            let all: Vec<Op> = specs.iter().enumerate().flat_map(|(op, spec)| ends(spec, op)).collect();
            let mut values = vec![Value::Ops(Vec::new())];
            for op in all.into_iter().filter(|_| *max > 0) {
                values.push(Value::Ops(vec![op]));
                values.push(Value::Ops(vec![op; *max as usize]));
            }
            distinct(values)
        }
        Domain::Ints { .. } | Domain::Floats { .. } => Vec::new(),
    }
}

/// Both ends of a range, their neighbours, and the numbers around zero.
fn ints(kind: IntKind, lo: i64, hi: i64) -> Vec<Value> {
    let hi = hi.max(lo);
    let middle = origin(lo, hi);
    // Where a signed number of the same width would turn negative.
    let turn = if kind == IntKind::U32 { 1i64 << 31 } else { middle };
    let near = |number: i64| [number.saturating_sub(1), number, number.saturating_add(1)];
    let all = [lo, middle, turn, hi].into_iter().flat_map(near).filter(|number| (lo..=hi).contains(number));
    distinct(all.map(Value::Int).collect())
}

fn floats(lo: f64, hi: f64) -> Vec<Value> {
    let all = [
        lo,
        lo.next_up(),
        -1.0,
        -f64::MIN_POSITIVE,
        -0.0,
        0.0,
        f64::from_bits(1),
        0.1,
        1.0,
        hi.next_down(),
        hi,
    ];
    distinct(all.into_iter().filter(|number| lo <= *number && *number <= hi).map(Value::Float).collect())
}

fn distinct(values: Vec<Value>) -> Vec<Value> {
    let mut found: Vec<Value> = Vec::new();
    for value in values {
        // Zeros of both signs are different inputs.
        let same = |known: &Value| match (known, &value) {
            (Value::Float(a), Value::Float(b)) => a.to_bits() == b.to_bits(),
            (known, value) => known == value,
        };
        if !found.iter().any(same) {
            found.push(value);
        }
    }
    found
}

#[cfg(test)]
mod tests {
    use twinrun_base::{Input, Shape};

    use super::*;

    fn case() -> Case {
        let ints = Domain::Ints { kind: IntKind::I32, shape: Shape::Array(2), lo: -5, hi: 9 };
        let text = Domain::Text { min: 0, max: 2, alphabet: b"ab".to_vec() };
        let input = |name: &str, domain, value| Input { name: name.to_owned(), domain, value };
        Case {
            inputs: vec![
                input("x", Domain::Int { kind: IntKind::U32, lo: 0, hi: 0xffff_ffff }, Value::Int(7)),
                input("a", ints, Value::Ints(vec![3, 4])),
                input("f", Domain::Float { lo: -0.5, hi: f64::INFINITY }, Value::Float(2.0)),
                input("t", text, Value::Bytes(b"a".to_vec())),
                input("p", Domain::Permutation { n: 3 }, Value::Ints(vec![0, 1, 2])),
            ],
        }
    }

    #[test]
    fn every_two_boundary_values_meet_and_lie_in_their_domains() {
        let (cases, all) = pairs(&case(), usize::MAX);
        assert!(all);
        for case in &cases {
            for input in &case.inputs {
                assert!(crate::replay::fits(&input.domain, &input.value), "{input}");
            }
        }
        let has = |x: i64, second: i64| {
            cases.iter().any(|case| {
                case.get("x") == Some(&Value::Int(x))
                    && matches!(case.get("a"), Some(Value::Ints(a)) if a[1] == second)
            })
        };
        for x in [0, 1, (1 << 31) - 1, 1 << 31, 0xffff_ffff] {
            assert!([-5, -4, -1, 0, 1, 8, 9].into_iter().all(|second| has(x, second)), "{x}");
        }
    }

    #[test]
    fn fewer_are_spread_evenly_and_said_not_to_be_all() {
        let (cases, all) = pairs(&case(), 50);
        assert!(!all && (25..=50).contains(&cases.len()), "{}", cases.len());
    }
}
