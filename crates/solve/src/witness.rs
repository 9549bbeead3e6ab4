//! Small witnesses: a model whose numbers are near zero, found with few queries.

use twinrun_term::{Model, Sort, Symbol, Term, Terms, Value, signed};

use crate::answer::Answer;
use crate::solver::Solver;

impl Solver {
    /// Can the conditions hold together, and if so, with which small inputs? The greatest absolute value of all inputs is
    /// brought down first (by bisection), then each input to zero where that is possible. Only numbers are made small.
    pub fn small_witness(&mut self, terms: &mut Terms, conditions: &[Term]) -> Answer {
        let mut model = match self.check(terms, conditions) {
            Answer::Sat(model) => model,
            other => return other,
        };
        let symbols: Vec<Symbol> = model
            .iter()
            .map(|(symbol, _)| symbol)
            .filter(|&symbol| matches!(terms.symbol_info(symbol).sort, Sort::Bv(_) | Sort::Int))
            .collect();
        let mut fixed = conditions.to_vec();
        let greatest =
            |terms: &Terms, model: &Model| symbols.iter().map(|&s| size(terms, model, s)).max().unwrap_or(0);
        let (mut low, mut high) = (0, greatest(terms, &model));
        // Powers of two first, so that few queries meet huge numbers.
        while low < high {
            let root = high.isqrt();
            let middle = if high > 64 && root > low { root } else { low + (high - low) / 2 };
            match self.check_within(terms, &fixed, &symbols, middle) {
                Some(smaller) => {
                    high = greatest(terms, &smaller).min(middle);
                    model.extend(&smaller);
                }
                None => low = middle + 1,
            }
        }
        for &symbol in &symbols {
            fixed.extend(within(terms, symbol, high));
        }
        for &symbol in &symbols {
            if size(terms, &model, symbol) > 0 {
                let zero = within(terms, symbol, 0);
                let attempt: Vec<Term> = fixed.iter().copied().chain(zero.iter().copied()).collect();
                if let Answer::Sat(smaller) = self.check(terms, &attempt) {
                    model.extend(&smaller);
                    fixed = attempt;
                }
            }
        }
        Answer::Sat(model)
    }

    fn check_within(
        &mut self,
        terms: &mut Terms,
        conditions: &[Term],
        symbols: &[Symbol],
        bound: i128,
    ) -> Option<Model> {
        let mut all = conditions.to_vec();
        for &symbol in symbols {
            all.extend(within(terms, symbol, bound));
        }
        self.check(terms, &all).model()
    }
}

/// How far a symbol's number is from zero.
fn size(terms: &Terms, model: &Model, symbol: Symbol) -> i128 {
    let info = terms.symbol_info(symbol);
    match model.value(terms, symbol) {
        Value::Bv(value) if is_unsigned(terms, symbol) => i128::from(value),
        Value::Bv(value) => i128::from(signed(info.sort.width(), value)).abs(),
        Value::Num(value) => value.numerator().abs(),
        _ => 0,
    }
}

fn is_unsigned(terms: &Terms, symbol: Symbol) -> bool {
    terms.symbol_info(symbol).range.is_some_and(|(low, _)| low >= 0)
}

/// Conditions that a symbol's absolute value is at most `bound`.
fn within(terms: &mut Terms, symbol: Symbol, bound: i128) -> Vec<Term> {
    let term = terms.symbol_term(symbol);
    let is_unsigned = is_unsigned(terms, symbol);
    match terms.sort(term) {
        Sort::Bv(width) => {
            let high = terms.bv(width, bound as u64);
            if is_unsigned {
                return vec![terms.ule(term, high)];
            }
            let low = terms.bv(width, (-bound) as u64);
            vec![terms.sle(low, term), terms.sle(term, high)]
        }
        _ => {
            let (low, high) = (terms.int(-bound), terms.int(bound));
            vec![terms.num_le(low, term), terms.num_le(term, high)]
        }
    }
}
