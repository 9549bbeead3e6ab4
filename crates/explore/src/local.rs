//! Inputs near known ones, found by trying: where conditions multiply inputs or compare floats, solvers need long for what a few
//! evaluations find.

use twinrun_term::{Evaluation, Model, Sort, Symbol, Term, Terms, Theories, Value, mask, signed};

/// So many values of one input are tried.
const VALUES: usize = 48;
/// So many inputs that the condition mentions are changed, each alone, and then each together with another one.
const SYMBOLS: usize = 12;
/// So many pairs of changes are tried.
const PAIRS: u32 = 400;

/// Whether solvers may find a condition hard.
pub(crate) fn is_hard(terms: &Terms, conditions: &[Term]) -> bool {
    let hard = Theories::NONLINEAR.union(Theories::FLOATS);
    conditions.iter().any(|&condition| terms.theories(condition).intersects(hard))
}

/// Inputs that satisfy all conditions and differ from `model`, which satisfies `prefix`, in one input or two.
pub(crate) fn nearby(terms: &Terms, prefix: &[Term], fresh: &[Term], model: &Model) -> Option<Model> {
    let mut symbols: Vec<Symbol> = fresh.iter().flat_map(|&term| terms.free_symbols(term)).copied().collect();
    symbols.sort_unstable();
    symbols.dedup();
    symbols.truncate(SYMBOLS);
    let choices: Vec<Vec<Value>> =
        symbols.iter().map(|&symbol| values(terms, &symbols, symbol, model)).collect();
    let satisfied = |changed: &[(Symbol, &Value)]| {
        let mut inputs = model.clone();
        changed.iter().for_each(|(symbol, value)| inputs.set(*symbol, (*value).clone()));
        let evaluation = Evaluation::new(inputs);
        let touched = |term: &Term| {
            let own = terms.free_symbols(*term);
            changed.iter().any(|(symbol, _)| own.binary_search(symbol).is_ok())
        };
        let holds = |term: &Term| evaluation.holds(terms, *term);
        (fresh.iter().all(holds) && prefix.iter().filter(|term| touched(term)).all(holds))
            .then(|| evaluation.model().clone())
    };
    for (&symbol, values) in symbols.iter().zip(&choices) {
        if let Some(found) = values.iter().find_map(|value| satisfied(&[(symbol, value)])) {
            return Some(found);
        }
    }
    // The same sequence every time, so that searches can be repeated.
    let mut state = 0x9e37_79b9u32;
    let mut next = |below: usize| {
        state = state.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
        (state >> 8) as usize % below.max(1)
    };
    for _ in 0..PAIRS {
        let (a, b) = (next(symbols.len()), next(symbols.len()));
        if a == b || choices[a].is_empty() || choices[b].is_empty() {
            continue;
        }
        let (first, second) = (&choices[a][next(choices[a].len())], &choices[b][next(choices[b].len())]);
        if let Some(found) = satisfied(&[(symbols[a], first), (symbols[b], second)]) {
            return Some(found);
        }
    }
    None
}

/// Values of an input that are worth trying, those near the known one first.
fn values(terms: &Terms, symbols: &[Symbol], symbol: Symbol, model: &Model) -> Vec<Value> {
    let info = terms.symbol_info(symbol);
    let known = model.value(terms, symbol);
    match info.sort {
        Sort::Bv(width) => {
            let Some((low, high)) = info.range else { return Vec::new() };
            let number = |value: &Value| {
                let bits = value.as_bits().unwrap_or(0);
                if low >= 0 { i128::from(bits) } else { i128::from(signed(width, bits)) }
            };
            let here = number(&known);
            let steps = (1..=VALUES as i128 / 4).flat_map(|step| [here + step, here - step]);
            let others = symbols.iter().filter(|other| terms.symbol_info(**other).sort == info.sort);
            let others = others.flat_map(|&other| {
                let value = number(&model.value(terms, other));
                [value, value + 1, value - 1]
            });
            let wide = (0..8).flat_map(|power| [here + (16 << power), here - (16 << power)]);
            let mut tried: Vec<i128> = Vec::new();
            for value in steps.chain([low, high, 0, 1, -1]).chain(others).chain(wide) {
                if value != here && (low..=high).contains(&value) && !tried.contains(&value) {
                    tried.push(value);
                }
            }
            tried.truncate(VALUES);
            tried.into_iter().map(|value| Value::Bv(value as u64 & mask(width))).collect()
        }
        Sort::F64 => {
            let Some(here) = known.as_bits().map(f64::from_bits) else { return Vec::new() };
            let others = symbols.iter().filter(|other| terms.symbol_info(**other).sort == Sort::F64);
            let others = others.filter_map(|&other| model.value(terms, other).as_bits().map(f64::from_bits));
            let steps = [1.0, -1.0, 0.5, -0.5, 4.0, -4.0, 32.0, -32.0].map(|step| here + step);
            let mut tried: Vec<f64> = Vec::new();
            for value in
                others.flat_map(|value| [value, value + 1.0, value - 1.0]).chain(steps).chain([0.0, -here])
            {
                if value != here && !tried.contains(&value) {
                    tried.push(value);
                }
            }
            tried.truncate(VALUES);
            tried.into_iter().map(|value| Value::Float(value.to_bits())).collect()
        }
        _ => Vec::new(),
    }
}

#[cfg(test)]
mod tests {
    use twinrun_term::BvOrder;

    use super::*;

    #[test]
    fn a_product_is_turned_without_a_solver() {
        let mut terms = Terms::default();
        let x = terms.symbol("x", Sort::Bv(32), Some((-50, 50)));
        let y = terms.symbol("y", Sort::Bv(32), Some((-50, 50)));
        let product = terms.bv_op(twinrun_term::BvOp::Mul, x, y);
        let (limit, kept) = (terms.bv(32, 30), terms.bv(32, 3));
        let large = terms.bv_order(BvOrder::Slt, limit, product);
        let prefix = terms.bv_order(BvOrder::Sle, kept, x);
        let mut model = Model::new();
        for (term, value) in [(x, 3), (y, 2)] {
            model.set(terms.as_symbol(term).unwrap(), Value::Bv(value));
        }
        assert!(is_hard(&terms, &[large]));
        let found = nearby(&terms, &[prefix], &[large], &model).expect("3 * 11 is large enough");
        let evaluation = Evaluation::new(found);
        assert!(evaluation.holds(&terms, large) && evaluation.holds(&terms, prefix));
        let never = terms.bv_order(BvOrder::Slt, x, kept);
        assert!(nearby(&terms, &[prefix], &[never], &model).is_none());
    }
}
