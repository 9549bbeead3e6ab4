//! Every case of a relation with few cases, run in the other engine: a proof that needs no solver.

use twinrun_base::{Domain, Inputs, IntKind, Op, OpSpec, Shape, Value, Verdict, cut};
use twinrun_explore::{Engine, Source};
use twinrun_testing::executor::Ending;
use twinrun_testing::record::Record;

use crate::error::Error;
use crate::net::Net;
use crate::verdict::AllCases;

/// More cases than this are not run.
const MOST_CASES: u64 = 200_000;

/// Runs every case, where there are few enough; stops at the first that does not hold, which the net then knows.
pub(crate) fn run(
    net: &mut Net<'_>,
    engine: &mut Engine,
    stop: &dyn Fn() -> bool,
) -> Result<AllCases, Error> {
    let mut all = AllCases::default();
    let mut every = Every::default();
    loop {
        every.begin();
        let ending: Ending = net.executor().run_watched(&mut every)?;
        if every.too_many {
            return Ok(all);
        }
        all.run += 1;
        match ending.verdict {
            Verdict::Holds => {
                if all.holds == 0 {
                    // What a relation runs and checks, the engine with terms tells.
                    let path = engine.run(Source::Case(every.record.case()))?;
                    (all.ran, all.checked) = (path.runs > 0, !path.checks.is_empty());
                }
                all.holds += 1;
            }
            // What a cut ended says nothing, least of all that an assumption failed.
            Verdict::Discarded if cut::is_requested() => return Ok(all),
            Verdict::Discarded => all.discarded += 1,
            _ => {
                net.know(ending, every.record.case());
                return Ok(all);
            }
        }
        if !every.next() {
            all.complete = true;
            return Ok(all);
        }
        if all.run >= MOST_CASES || (all.run % 64 == 63 && stop()) {
            return Ok(all);
        }
    }
}

/// Whether the first case does not tell yet that there are too many.
pub(crate) fn are_few(net: &mut Net<'_>) -> Result<bool, Error> {
    let mut every = Every::default();
    net.executor().run_watched(&mut every)?;
    Ok(!every.too_many)
}

/// Answers the draws of a relation with one combination of values after the other.
#[derive(Default)]
struct Every {
    /// What was chosen at each draw of a number, out of how many.
    choices: Vec<(u64, u64)>,
    at: usize,
    record: Record,
    too_many: bool,
}

impl Every {
    fn begin(&mut self) {
        self.at = 0;
        self.record.clear();
    }

    /// The next combination; false when there is none.
    fn next(&mut self) -> bool {
        // A relation that drew less than before has no choices beyond.
        self.choices.truncate(self.at);
        while let Some((chosen, of)) = self.choices.pop() {
            if chosen + 1 < of {
                self.choices.push((chosen + 1, of));
                return true;
            }
        }
        false
    }

    fn pick(&mut self, of: u64) -> u64 {
        if self.at == self.choices.len() {
            self.choices.push((0, of));
            let product = self.choices.iter().try_fold(1u64, |product, (_, of)| product.checked_mul(*of));
            self.too_many |= of == 0 || product.is_none_or(|product| product > MOST_CASES);
        }
        let chosen = self.choices[self.at].0;
        self.at += 1;
        chosen
    }

    fn number(&mut self, lo: i64, hi: i64) -> i64 {
        let of = (i128::from(hi.max(lo)) - i128::from(lo) + 1).min(i128::from(u64::MAX)) as u64;
        lo.saturating_add_unsigned(self.pick(of))
    }

    fn keep(&mut self, name: &str, domain: Domain, value: Value) {
        self.record.push(name, |old| *old == domain, || domain.clone(), |slot| *slot = value);
    }

    fn double(&mut self, lo: f64, hi: f64) -> f64 {
        // One double only where both ends are the same bits: zeros of both signs are two.
        self.too_many |= lo.to_bits() != hi.to_bits();
        lo
    }
}

impl Inputs for Every {
    fn int(&mut self, name: &str, kind: IntKind, lo: i64, hi: i64) -> i64 {
        let value = self.number(lo, hi);
        self.keep(name, Domain::Int { kind, lo, hi: hi.max(lo) }, Value::Int(value));
        value
    }

    fn float(&mut self, name: &str, lo: f64, hi: f64) -> f64 {
        let value = self.double(lo, hi);
        self.keep(name, Domain::Float { lo, hi }, Value::Float(value));
        value
    }

    fn ints(&mut self, name: &str, kind: IntKind, shape: Shape, lo: i64, hi: i64, out: &mut Vec<i64>) {
        for _ in 0..shape.count() {
            if self.too_many {
                out.push(lo);
                continue;
            }
            let value = self.number(lo, hi);
            out.push(value);
        }
        self.keep(name, Domain::Ints { kind, shape, lo, hi: hi.max(lo) }, Value::Ints(out.clone()));
    }

    fn floats(&mut self, name: &str, shape: Shape, lo: f64, hi: f64, out: &mut Vec<f64>) {
        out.extend((0..shape.count()).map(|_| lo));
        self.double(lo, hi);
        self.keep(name, Domain::Floats { shape, lo, hi }, Value::Floats(out.clone()));
    }

    fn text(&mut self, name: &str, min: u32, max: u32, alphabet: &[u8], out: &mut Vec<u8>) {
        let length = self.number(min.into(), max.into());
        let mut letters = alphabet.to_vec();
        letters.sort_unstable();
        letters.dedup();
        if letters.is_empty() {
            letters = (0..=255).collect();
        }
        for _ in 0..length {
            let letter = if self.too_many { 0 } else { self.pick(letters.len() as u64) };
            out.push(letters[letter as usize]);
        }
        let domain = Domain::Text { min, max: max.max(min), alphabet: alphabet.to_vec() };
        self.keep(name, domain, Value::Bytes(out.clone()));
    }

    fn permutation(&mut self, name: &str, n: u32, out: &mut Vec<i64>) {
        let mut left: Vec<i64> = (0..i64::from(n)).collect();
        while !left.is_empty() {
            let next = if self.too_many { 0 } else { self.pick(left.len() as u64) };
            out.push(left.remove(next as usize));
        }
        self.keep(name, Domain::Permutation { n }, Value::Ints(out.clone()));
    }

    fn ops(&mut self, name: &str, max: u32, specs: &[OpSpec], out: &mut Vec<Op>) {
        let count = self.number(0, max.into());
        for _ in 0..count {
            if self.too_many || specs.is_empty() {
                break;
            }
            let op = self.pick(specs.len() as u64);
            let mut arguments = [0; 3];
            for (to, &(lo, hi)) in arguments.iter_mut().zip(&specs[op as usize].arguments) {
                *to = self.number(lo.into(), hi.into()) as i32;
            }
            out.push(Op { op: op as i32, arguments });
        }
        self.keep(name, Domain::Ops { max, specs: specs.to_vec() }, Value::Ops(out.clone()));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// All cases of a relation that draws like this.
    fn all(draw: impl Fn(&mut Every)) -> Option<Vec<String>> {
        let mut every = Every::default();
        let mut cases = Vec::new();
        loop {
            every.begin();
            draw(&mut every);
            if every.too_many {
                return None;
            }
            cases.push(every.record.case().to_string());
            if !every.next() {
                let mut sorted = cases.clone();
                sorted.sort();
                sorted.dedup();
                assert_eq!(sorted.len(), cases.len(), "no case comes twice");
                return Some(cases);
            }
        }
    }

    #[test]
    fn every_case_comes_once_also_where_draws_depend_on_others() {
        let triangle = all(|inputs| {
            let n = inputs.int("n", IntKind::Length, 0, 3);
            inputs.ints("a", IntKind::I32, Shape::Array(n as u32), -1, 1, &mut Vec::new());
        });
        assert_eq!(triangle.map(|cases| cases.len()), Some(1 + 3 + 9 + 27));
        let mixed = all(|inputs| {
            inputs.permutation("p", 4, &mut Vec::new());
            inputs.text("t", 0, 2, b"ba", &mut Vec::new());
            inputs.ops("o", 1, &OpSpec::parse("push 0..4; pop").expect("a specification"), &mut Vec::new());
        });
        assert_eq!(mixed.map(|cases| cases.len()), Some(24 * 7 * 7));
    }

    #[test]
    fn too_many_cases_are_not_begun() {
        assert_eq!(all(|inputs| _ = inputs.int("x", IntKind::I64, i64::MIN, i64::MAX)), None);
        assert_eq!(all(|inputs| _ = inputs.float("x", 0.0, 1.0)), None);
        assert_eq!(
            all(|inputs| inputs.ints("a", IntKind::U8, Shape::Array(9), 0, 255, &mut Vec::new())),
            None
        );
    }
}
