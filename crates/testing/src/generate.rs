//! Drawing cases: seeded, biased to boundaries, small values and repeats, and to neighbours of earlier cases.
//!
//! Each case is either fresh or a neighbour of a case in the corpus (one that reached new code). Either way the generator
//! answers the relation's draws one by one and records them.

mod change;
mod numbers;
mod sequences;

pub(crate) use numbers::{bring, origin};

use std::rc::Rc;

use twinrun_base::{Case, Domain, Inputs, IntKind, Op, OpSpec, Rng, Shape, Value};

use crate::record::{Record, put_ints};

/// Draws the inputs of one case after another.
#[derive(Debug)]
pub struct Generator {
    rng: Rng,
    record: Record,
    dictionary: Vec<i64>,
    /// The case whose neighbour is being drawn, and how many of its inputs (in 256ths) are changed.
    parent: Option<Rc<Case>>,
    change_rate: u64,
}

impl Generator {
    /// A generator for this seed; `dictionary` are numbers worth trying.
    pub fn new(rng: Rng, dictionary: &[i64]) -> Generator {
        Generator {
            rng,
            record: Record::default(),
            dictionary: dictionary.to_vec(),
            parent: None,
            change_rate: 0,
        }
    }

    /// Begins a case: a neighbour of one in the corpus or, more often the less the corpus has to offer, a fresh one.
    pub fn begin(&mut self, corpus: &[Rc<Case>]) {
        self.record.clear();
        let neighbour = !corpus.is_empty() && self.rng.one_in(3);
        self.parent = neighbour.then(|| Rc::clone(&corpus[self.rng.below(corpus.len() as u64) as usize]));
        // From one input changed in many to nearly all.
        self.change_rate = 32 << self.rng.below(4);
    }

    /// Begins a case in which the inputs that `given` names have its values, brought into their ranges; the others are drawn.
    pub fn begin_with(&mut self, given: Case) {
        self.record.clear();
        self.parent = Some(Rc::new(given));
        self.change_rate = 0;
    }

    /// The case drawn since [`Generator::begin`].
    pub fn case(&self) -> Case {
        self.record.case()
    }

    /// The parent's value for the input that is drawn next, and whether it should be changed.
    #[inline]
    fn inherited(&mut self, name: &str) -> Option<(Rc<Case>, usize, bool)> {
        let parent = self.parent.as_ref()?;
        let index = self.record.len();
        let index = match parent.inputs.get(index) {
            Some(input) if input.name == name => index,
            _ => parent.inputs.iter().position(|input| input.name == name)?,
        };
        let parent = Rc::clone(parent);
        let changed = self.rng.below(256) < self.change_rate;
        Some((parent, index, changed))
    }
}

impl Inputs for Generator {
    #[inline]
    fn int(&mut self, name: &str, kind: IntKind, lo: i64, hi: i64) -> i64 {
        let hi = hi.max(lo);
        let value = match self.inherited(name) {
            Some((parent, index, changed)) => match parent.inputs[index].value {
                Value::Int(old) if changed => change::int(&mut self.rng, old, lo, hi, &self.dictionary),
                Value::Int(old) => old.clamp(lo, hi),
                _ => numbers::int(&mut self.rng, lo, hi, &self.dictionary),
            },
            None if kind == IntKind::Length => numbers::length(&mut self.rng, lo, hi),
            None if hi.wrapping_sub(lo) < 16 && lo <= hi => self.rng.range(lo, hi),
            None => numbers::int(&mut self.rng, lo, hi, &self.dictionary),
        };
        let same = |domain: &Domain| matches!(domain, Domain::Int { kind: k, lo: l, hi: h } if *k == kind && *l == lo && *h == hi);
        self.record.push(name, same, || Domain::Int { kind, lo, hi }, |slot| *slot = Value::Int(value));
        value
    }

    fn float(&mut self, name: &str, lo: f64, hi: f64) -> f64 {
        let value = match self.inherited(name) {
            Some((parent, index, changed)) => match parent.inputs[index].value {
                Value::Float(old) if changed => change::float(&mut self.rng, old, lo, hi),
                Value::Float(old) => numbers::clamp(old, lo, hi),
                _ => numbers::float(&mut self.rng, lo, hi),
            },
            None => numbers::float(&mut self.rng, lo, hi),
        };
        let same = |domain: &Domain| matches!(domain, Domain::Float { lo: l, hi: h } if *l == lo && *h == hi);
        self.record.push(name, same, || Domain::Float { lo, hi }, |slot| *slot = Value::Float(value));
        value
    }

    fn ints(&mut self, name: &str, kind: IntKind, shape: Shape, lo: i64, hi: i64, out: &mut Vec<i64>) {
        let hi = hi.max(lo);
        match self.inherited(name) {
            Some((parent, index, changed)) => {
                if let Value::Ints(old) = &parent.inputs[index].value {
                    sequences::fit_ints(&mut self.rng, old, shape.count(), lo, hi, &self.dictionary, out);
                }
                if out.len() != shape.count() {
                    out.clear();
                    sequences::ints(&mut self.rng, shape.count(), lo, hi, &self.dictionary, out);
                } else if changed {
                    change::ints(&mut self.rng, out, lo, hi, &self.dictionary);
                }
            }
            None => sequences::ints(&mut self.rng, shape.count(), lo, hi, &self.dictionary, out),
        }
        let same = |domain: &Domain| matches!(domain, Domain::Ints { kind: k, shape: s, lo: l, hi: h } if *k == kind && *s == shape && *l == lo && *h == hi);
        self.record.push(name, same, || Domain::Ints { kind, shape, lo, hi }, |slot| put_ints(slot, out));
    }

    fn floats(&mut self, name: &str, shape: Shape, lo: f64, hi: f64, out: &mut Vec<f64>) {
        let inherited = self.inherited(name);
        let old = inherited.as_ref().and_then(|(parent, index, _)| match &parent.inputs[*index].value {
            Value::Floats(old) => Some(old.as_slice()),
            _ => None,
        });
        let changed = inherited.as_ref().is_some_and(|(_, _, changed)| *changed);
        sequences::floats(&mut self.rng, old, changed, shape.count(), lo, hi, out);
        let same = |domain: &Domain| matches!(domain, Domain::Floats { shape: s, lo: l, hi: h } if *s == shape && *l == lo && *h == hi);
        self.record.push(
            name,
            same,
            || Domain::Floats { shape, lo, hi },
            |slot| *slot = Value::Floats(out.clone()),
        );
    }

    fn text(&mut self, name: &str, min: u32, max: u32, alphabet: &[u8], out: &mut Vec<u8>) {
        match self.inherited(name) {
            Some((parent, index, changed)) => {
                if let Value::Bytes(old) = &parent.inputs[index].value {
                    out.extend(old.iter().filter(|byte| alphabet.is_empty() || alphabet.contains(byte)));
                }
                if changed {
                    change::text(&mut self.rng, out, alphabet);
                }
                sequences::fit_text(&mut self.rng, min, max, alphabet, out);
            }
            None => sequences::text(&mut self.rng, min, max, alphabet, out),
        }
        let same = |domain: &Domain| matches!(domain, Domain::Text { min: a, max: b, alphabet: c } if *a == min && *b == max && c == alphabet);
        let domain = || Domain::Text { min, max, alphabet: alphabet.to_vec() };
        self.record.push(name, same, domain, |slot| match slot {
            Value::Bytes(old) => out.clone_into(old),
            other => *other = Value::Bytes(out.clone()),
        });
    }

    fn permutation(&mut self, name: &str, n: u32, out: &mut Vec<i64>) {
        let inherited = self.inherited(name);
        out.extend(0..i64::from(n));
        match &inherited {
            Some((parent, index, changed)) => {
                match &parent.inputs[*index].value {
                    Value::Ints(old) if old.len() == n as usize => old.clone_into(out),
                    _ => self.rng.shuffle(out),
                }
                if *changed && n > 1 {
                    let (i, j) = (self.rng.below(u64::from(n)), self.rng.below(u64::from(n)));
                    out.swap(i as usize, j as usize);
                }
            }
            None => self.rng.shuffle(out),
        }
        let same = |domain: &Domain| matches!(domain, Domain::Permutation { n: m } if *m == n);
        self.record.push(name, same, || Domain::Permutation { n }, |slot| put_ints(slot, out));
    }

    fn ops(&mut self, name: &str, max: u32, specs: &[OpSpec], out: &mut Vec<Op>) {
        match self.inherited(name) {
            Some((parent, index, changed)) => {
                if let Value::Ops(old) = &parent.inputs[index].value {
                    out.extend(old.iter().take(max as usize));
                }
                if changed {
                    change::ops(&mut self.rng, out, max, specs);
                }
            }
            None => sequences::ops(&mut self.rng, max, specs, out),
        }
        let same =
            |domain: &Domain| matches!(domain, Domain::Ops { max: m, specs: s } if *m == max && s == specs);
        let domain = || Domain::Ops { max, specs: specs.to_vec() };
        self.record.push(name, same, domain, |slot| *slot = Value::Ops(out.clone()));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn draw(seed: u64, cases: usize) -> Vec<Case> {
        let mut generator = Generator::new(Rng::new(seed), &[777]);
        let mut corpus = Vec::new();
        (0..cases)
            .map(|_| {
                generator.begin(&corpus);
                let n = generator.int("n", IntKind::Length, 0, 6);
                let mut numbers = Vec::new();
                generator.ints("a", IntKind::I32, Shape::Array(n as u32), -1000, 1000, &mut numbers);
                let mut text = Vec::new();
                generator.text("t", 1, 4, b"xyz", &mut text);
                generator.float("f", -1.0, 2.0);
                let mut permutation = Vec::new();
                generator.permutation("p", 4, &mut permutation);
                let mut ops = Vec::new();
                generator.ops("o", 3, &OpSpec::parse("push 0..9; pop").unwrap(), &mut ops);
                let case = generator.case();
                corpus.push(Rc::new(case.clone()));
                case
            })
            .collect()
    }

    #[test]
    fn every_draw_lies_in_its_domain() {
        for case in draw(1, 5000) {
            for input in &case.inputs {
                assert!(crate::replay::fits(&input.domain, &input.value), "{input}");
            }
        }
    }

    #[test]
    fn the_same_seed_draws_the_same_cases() {
        assert_eq!(draw(5, 100), draw(5, 100));
        assert_ne!(draw(5, 100), draw(6, 100));
    }

    #[test]
    fn boundaries_repeats_and_the_dictionary_occur() {
        let cases = draw(3, 5000);
        let arrays: Vec<&Vec<i64>> = cases
            .iter()
            .map(|case| if let Some(Value::Ints(a)) = case.get("a") { a } else { panic!() })
            .collect();
        assert!(arrays.iter().any(|a| a.contains(&1000)) && arrays.iter().any(|a| a.contains(&-1000)));
        assert!(arrays.iter().any(|a| a.contains(&777)));
        assert!(arrays.iter().any(|a| a.len() > 2 && a.iter().all(|x| x == &a[0])));
    }
}
