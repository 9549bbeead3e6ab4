//! Candidates for relational invariants: what holds between the variables of all loops in every sample.

use std::collections::BTreeSet;

use rustc_hash::FxHashMap;
use twinrun_base::Value;
use twinrun_term::{Identity, Rational, Sort, Symbol, Term};

use super::alignment::{Pace, beginnings};
use super::attempt::{Attempt, Known};
use super::polynomials::{Polynomial, vanishing};
use super::reals::exact;

/// A variable with the number that it had in each sample.
struct Variable {
    term: Term,
    numbers: Vec<Rational>,
    is_loop: bool,
}

impl Attempt<'_> {
    /// The variables with their numbers in all samples, one for each arrival that all runs have.
    fn variables(
        &mut self,
        known: &Known<'_>,
        paces: &[Pace],
        live: &BTreeSet<Symbol>,
    ) -> Option<Vec<Variable>> {
        let Known { runs, longest, samples, .. } = known;
        let mut variables: Vec<Variable> = Vec::new();
        for (&run, pace) in runs.iter().zip(paces) {
            for (index, (_, symbol)) in longest.cells[&run].iter().enumerate() {
                let term = self.real(*symbol)?;
                if self.reals.terms.as_symbol(term).is_none_or(|symbol| !live.contains(&symbol)) {
                    continue;
                }
                let mut numbers = Vec::new();
                for (_, looped) in *samples {
                    for step in 0..beginnings(looped, runs, paces) {
                        let number = pace.arrival(step);
                        let arrival = looped.arrivals.iter().filter(|it| it.slot == run).nth(number)?;
                        numbers.push(exact(*arrival.numbers.get(index)?)?);
                    }
                }
                variables.push(Variable { term, numbers, is_loop: true });
            }
        }
        for (position, input) in samples.first()?.0.inputs.iter().enumerate() {
            if !matches!(input.value, Value::Int(_) | Value::Float(_)) {
                continue;
            }
            // Only inputs that the proof speaks of.
            let identity = Identity::Input { draw: position as u32, element: Some(0) };
            let terms = &self.reals.terms;
            let found = live.iter().copied().find(|&symbol| terms.symbol_info(symbol).identity == identity);
            let Some(symbol) = found else { continue };
            let term = self.reals.terms.symbol_term(symbol);
            let mut numbers = Vec::new();
            for (case, looped) in *samples {
                let number = match &case.inputs[position].value {
                    Value::Int(number) => Rational::whole((*number).into()),
                    Value::Float(number) => exact(*number)?,
                    _ => return None,
                };
                numbers.extend(std::iter::repeat_n(number, beginnings(looped, runs, paces)));
            }
            variables.push(Variable { term, numbers, is_loop: false });
        }
        Some(variables)
    }

    /// Candidates without products of variables, and those with them.
    pub(super) fn candidates(
        &mut self,
        known: &Known<'_>,
        paces: &[Pace],
        live: &BTreeSet<Symbol>,
        begin: &FxHashMap<Term, Term>,
    ) -> Option<(Vec<Term>, Vec<Term>)> {
        let mut variables = self.variables(known, paces, live)?;
        let mut candidates = self.differences(known, paces, &variables, begin);
        // Variables that are always equal stand for each other.
        let mut position = 0;
        while position < variables.len() {
            let same = (0..position).find(|&earlier| {
                variables[earlier].numbers == variables[position].numbers && variables[position].is_loop
            });
            if let Some(earlier) = same {
                let (a, b) = (variables[earlier].term, variables[position].term);
                if self.reals.terms.sort(a) == self.reals.terms.sort(b) {
                    candidates.push(self.reals.terms.eq(b, a));
                    variables.remove(position);
                    continue;
                }
            }
            position += 1;
        }
        // Orders between counters and inputs, and the least values that counters had.
        for counter in variables.iter().filter(|variable| variable.is_loop) {
            if self.reals.terms.sort(counter.term) != Sort::Int {
                continue;
            }
            let least = counter.numbers.iter().filter_map(|number| number.as_whole()).min()?;
            let least = self.reals.terms.int(least);
            candidates.push(self.reals.terms.num_le(least, counter.term));
            for input in variables.iter().filter(|variable| !variable.is_loop) {
                if self.reals.terms.sort(input.term) != Sort::Int {
                    continue;
                }
                // `i <= v` and, where a loop runs up to `v` itself, `i <= v + 1`; the other way round where it counts down.
                let above = |(a, b): (&Rational, &Rational)| a.plus(b.negated()).and_then(Rational::as_whole);
                let above: Option<Vec<i128>> =
                    counter.numbers.iter().zip(&input.numbers).map(above).collect();
                let Some((most, least)) =
                    above.and_then(|above| Some((*above.iter().max()?, *above.iter().min()?)))
                else {
                    continue;
                };
                if (-1..=2).contains(&most) {
                    let offset = self.reals.terms.int(most);
                    let limit = self.reals.terms.num_add(input.term, offset);
                    candidates.push(self.reals.terms.num_le(counter.term, limit));
                }
                if (-2..=1).contains(&least) {
                    let offset = self.reals.terms.int(least);
                    let limit = self.reals.terms.num_add(input.term, offset);
                    candidates.push(self.reals.terms.num_le(limit, counter.term));
                }
            }
        }
        if variables.is_empty() {
            return Some((candidates, Vec::new()));
        }
        let mut products = Vec::new();
        for degree in [1, 2] {
            // What a lower degree tells needs no higher one.
            let samples: Vec<Vec<Rational>> = (0..variables[0].numbers.len())
                .map(|sample| variables.iter().map(|variable| variable.numbers[sample]).collect())
                .collect();
            let Some(found) = vanishing(&samples, variables.len(), degree) else { continue };
            let mut told: Vec<usize> = Vec::new();
            for polynomial in found {
                let touches =
                    polynomial.iter().any(|(monomial, _)| monomial.iter().any(|&it| variables[it].is_loop));
                if !touches {
                    continue;
                }
                let vanishes = self.vanishes(&polynomial, &variables);
                if degree == 1 {
                    candidates.push(vanishes);
                } else {
                    products.push(vanishes);
                }
                if degree == 1 {
                    told.extend(polynomial[0].0.iter().filter(|&&it| variables[it].is_loop));
                }
            }
            told.sort_unstable();
            told.dedup();
            for position in told.into_iter().rev() {
                variables.remove(position);
            }
        }
        Some((candidates, products))
    }

    /// Variables whose difference stays what it was at the beginning, whatever that is.
    fn differences(
        &mut self,
        known: &Known<'_>,
        paces: &[Pace],
        variables: &[Variable],
        begin: &FxHashMap<Term, Term>,
    ) -> Vec<Term> {
        let mut spans: Vec<std::ops::Range<usize>> = Vec::new();
        for (_, looped) in known.samples {
            let start = spans.last().map_or(0, |span| span.end);
            spans.push(start..start + beginnings(looped, &known.runs, paces));
        }
        let mut found = Vec::new();
        for (number, one) in variables.iter().enumerate().filter(|(_, it)| it.is_loop) {
            for other in variables[..number].iter().filter(|it| it.is_loop) {
                let (Some(&from), Some(&to)) = (begin.get(&one.term), begin.get(&other.term)) else {
                    continue;
                };
                if self.reals.terms.sort(one.term) != self.reals.terms.sort(other.term)
                    || (self.reals.terms.is_constant(from) && self.reals.terms.is_constant(to))
                {
                    continue;
                }
                let difference = |at: usize| one.numbers[at].plus(other.numbers[at].negated());
                let stays = |span: &std::ops::Range<usize>| {
                    span.clone()
                        .all(|at| difference(at).is_some() && difference(at) == difference(span.start))
                };
                if spans.iter().all(stays) && one.numbers != other.numbers {
                    let now = self.reals.terms.num_sub(one.term, other.term);
                    let first = self.reals.terms.num_sub(from, to);
                    found.push(self.reals.terms.eq(now, first));
                }
            }
        }
        found
    }

    fn vanishes(&mut self, polynomial: &Polynomial, variables: &[Variable]) -> Term {
        let mut total = self.reals.terms.real(Rational::ZERO);
        for (monomial, factor) in polynomial {
            let mut product = self.reals.terms.real(Rational::ONE);
            for &variable in monomial {
                let mut term = variables[variable].term;
                if self.reals.terms.sort(term) == Sort::Int {
                    term = self.reals.terms.to_real(term);
                }
                product = self.reals.terms.num_mul(product, term);
            }
            let part = self.reals.terms.num_scale(product, *factor);
            total = self.reals.terms.num_add(total, part);
        }
        let zero = self.reals.terms.real(Rational::ZERO);
        self.reals.terms.eq(total, zero)
    }
}
