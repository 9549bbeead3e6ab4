//! Replaying a case: the relation's draws are answered from it, brought back into the domain where the domain has changed.
//!
//! While shrinking, a shorter length makes the arrays that depend on it ask for fewer elements: they are cut, not refused.

use twinrun_base::{Case, Domain, Inputs, IntKind, Op, OpSpec, Shape, Value};

use crate::generate::{bring, origin};
use crate::record::Record;

/// Answers draws from a case and records what was really drawn.
#[derive(Debug, Default)]
pub struct Replay {
    case: Case,
    record: Record,
    /// The next input of the case that may answer.
    next: usize,
    /// An answer was not the saved one (another name, kind, length or range).
    adapted: bool,
}

impl Replay {
    /// Begins to replay `case`.
    pub fn begin(&mut self, case: &Case) {
        self.case.clone_from(case);
        self.record.clear();
        self.next = 0;
        self.adapted = false;
    }

    /// What the relation really drew.
    pub fn drawn(&self) -> Case {
        self.record.case()
    }

    /// Whether the case was replayed exactly: nothing adapted, nothing left over.
    pub fn exact(&self) -> bool {
        !self.adapted && self.next == self.case.inputs.len()
    }

    /// The saved value for the next draw: the next input of this name.
    fn saved(&mut self, name: &str) -> Option<&Value> {
        let found = self.case.inputs[self.next.min(self.case.inputs.len())..]
            .iter()
            .position(|input| input.name == name);
        match found {
            Some(skipped) => {
                self.adapted |= skipped > 0;
                self.next += skipped + 1;
                Some(&self.case.inputs[self.next - 1].value)
            }
            None => {
                self.adapted = true;
                None
            }
        }
    }

    fn answer(&mut self, name: &str, domain: Domain) -> Value {
        let saved = self.saved(name).cloned();
        let value = match saved {
            Some(value) if fits(&domain, &value) => value,
            other => {
                self.adapted = true;
                adapt(&domain, other.as_ref())
            }
        };
        self.record.push(name, |old| *old == domain, || domain.clone(), |slot| slot.clone_from(&value));
        value
    }
}

impl Inputs for Replay {
    fn int(&mut self, name: &str, kind: IntKind, lo: i64, hi: i64) -> i64 {
        match self.answer(name, Domain::Int { kind, lo, hi: hi.max(lo) }) {
            Value::Int(value) => value,
            _ => lo,
        }
    }

    fn float(&mut self, name: &str, lo: f64, hi: f64) -> f64 {
        match self.answer(name, Domain::Float { lo, hi }) {
            Value::Float(value) => value,
            _ => lo,
        }
    }

    fn ints(&mut self, name: &str, kind: IntKind, shape: Shape, lo: i64, hi: i64, out: &mut Vec<i64>) {
        if let Value::Ints(values) = self.answer(name, Domain::Ints { kind, shape, lo, hi: hi.max(lo) }) {
            *out = values;
        }
    }

    fn floats(&mut self, name: &str, shape: Shape, lo: f64, hi: f64, out: &mut Vec<f64>) {
        if let Value::Floats(values) = self.answer(name, Domain::Floats { shape, lo, hi }) {
            *out = values;
        }
    }

    fn text(&mut self, name: &str, min: u32, max: u32, alphabet: &[u8], out: &mut Vec<u8>) {
        let domain = Domain::Text { min, max: max.max(min), alphabet: alphabet.to_vec() };
        if let Value::Bytes(values) = self.answer(name, domain) {
            *out = values;
        }
    }

    fn permutation(&mut self, name: &str, n: u32, out: &mut Vec<i64>) {
        if let Value::Ints(values) = self.answer(name, Domain::Permutation { n }) {
            *out = values;
        }
    }

    fn ops(&mut self, name: &str, max: u32, specs: &[OpSpec], out: &mut Vec<Op>) {
        if let Value::Ops(values) = self.answer(name, Domain::Ops { max, specs: specs.to_vec() }) {
            *out = values;
        }
    }
}

/// Whether the value lies in the domain.
pub fn fits(domain: &Domain, value: &Value) -> bool {
    match (domain, value) {
        (Domain::Int { lo, hi, .. }, Value::Int(value)) => (lo..=hi).contains(&value),
        (Domain::Float { lo, hi }, Value::Float(value)) => lo <= value && value <= hi,
        (Domain::Ints { shape, lo, hi, .. }, Value::Ints(values)) => {
            values.len() == shape.count() && values.iter().all(|value| (lo..=hi).contains(&value))
        }
        (Domain::Floats { shape, lo, hi }, Value::Floats(values)) => {
            values.len() == shape.count() && values.iter().all(|value| lo <= value && value <= hi)
        }
        (Domain::Text { min, max, alphabet }, Value::Bytes(bytes)) => {
            (*min as usize..=*max as usize).contains(&bytes.len())
                && bytes.iter().all(|byte| alphabet.is_empty() || alphabet.contains(byte))
        }
        (Domain::Permutation { n }, Value::Ints(values)) => {
            let mut sorted = values.clone();
            sorted.sort_unstable();
            sorted.iter().copied().eq(0..i64::from(*n))
        }
        (Domain::Ops { max, specs }, Value::Ops(ops)) => {
            ops.len() <= *max as usize
                && ops.iter().all(|op| {
                    usize::try_from(op.op).ok().and_then(|index| specs.get(index)).is_some_and(|spec| {
                        spec.arguments
                            .iter()
                            .zip(op.arguments)
                            .all(|((lo, hi), value)| (*lo..=*hi).contains(&value))
                    })
                })
        }
        _ => false,
    }
}

/// The value of the domain that is nearest in spirit to an old one.
fn adapt(domain: &Domain, old: Option<&Value>) -> Value {
    match domain {
        Domain::Int { lo, hi, .. } => match old {
            Some(Value::Int(old)) => Value::Int(bring(*old, *lo, *hi)),
            _ => Value::Int(origin(*lo, *hi)),
        },
        Domain::Float { lo, hi } => match old {
            Some(Value::Float(old)) if !old.is_nan() => Value::Float(old.max(*lo).min(*hi)),
            _ => Value::Float(0f64.max(*lo).min(*hi)),
        },
        Domain::Ints { shape, lo, hi, .. } => {
            let old = if let Some(Value::Ints(old)) = old { old.as_slice() } else { &[] };
            let mut values: Vec<i64> =
                old.iter().take(shape.count()).map(|value| bring(*value, *lo, *hi)).collect();
            values.resize(shape.count(), origin(*lo, *hi));
            Value::Ints(values)
        }
        Domain::Floats { shape, lo, hi } => {
            let old = if let Some(Value::Floats(old)) = old { old.as_slice() } else { &[] };
            let mut values: Vec<f64> =
                old.iter().take(shape.count()).map(|value| value.max(*lo).min(*hi)).collect();
            values.resize(shape.count(), 0f64.max(*lo).min(*hi));
            Value::Floats(values)
        }
        Domain::Text { min, max, alphabet } => {
            let old = if let Some(Value::Bytes(old)) = old { old.as_slice() } else { &[] };
            let allowed = |byte: &&u8| alphabet.is_empty() || alphabet.contains(byte);
            let mut bytes: Vec<u8> = old.iter().filter(allowed).take(*max as usize).copied().collect();
            let filler = alphabet.first().copied().unwrap_or(b'a');
            bytes.resize(bytes.len().max(*min as usize), filler);
            Value::Bytes(bytes)
        }
        Domain::Permutation { n } => {
            // Keep the order of those that remain, then what is missing.
            let old = if let Some(Value::Ints(old)) = old { old.as_slice() } else { &[] };
            let mut values: Vec<i64> = Vec::with_capacity(*n as usize);
            for value in old.iter().copied().chain(0..i64::from(*n)) {
                if (0..i64::from(*n)).contains(&value) && !values.contains(&value) {
                    values.push(value);
                }
            }
            Value::Ints(values)
        }
        Domain::Ops { max, specs } => {
            let old = if let Some(Value::Ops(old)) = old { old.as_slice() } else { &[] };
            let fitting = |op: &&Op| fits(domain, &Value::Ops(vec![**op])) && !specs.is_empty();
            Value::Ops(old.iter().filter(fitting).take(*max as usize).copied().collect())
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn case() -> Case {
        let mut replay = Replay::default();
        replay.begin(&Case::default());
        let mut out = Vec::new();
        replay.int("n", IntKind::Length, 3, 3);
        replay.ints("a", IntKind::I32, Shape::Array(3), 5, 9, &mut out);
        replay.drawn()
    }

    #[test]
    fn an_unchanged_relation_replays_exactly() {
        let case = case();
        let mut replay = Replay::default();
        replay.begin(&case);
        replay.int("n", IntKind::Length, 1, 6);
        let mut out = Vec::new();
        replay.ints("a", IntKind::I32, Shape::Array(3), 0, 9, &mut out);
        assert_eq!(out, [5, 5, 5]);
        assert!(replay.exact());
    }

    #[test]
    fn a_shorter_array_is_cut_and_that_is_noticed() {
        let case = case();
        let mut replay = Replay::default();
        replay.begin(&case);
        replay.int("n", IntKind::Length, 1, 2);
        let mut out = Vec::new();
        replay.ints("a", IntKind::I32, Shape::Array(2), 0, 4, &mut out);
        assert_eq!(out, [4, 4]);
        assert!(!replay.exact());
    }

    #[test]
    fn a_permutation_keeps_the_order_of_what_remains() {
        let domain = Domain::Permutation { n: 3 };
        assert_eq!(adapt(&domain, Some(&Value::Ints(vec![4, 2, 0, 1]))), Value::Ints(vec![2, 0, 1]));
        assert_eq!(adapt(&domain, None), Value::Ints(vec![0, 1, 2]));
    }
}
