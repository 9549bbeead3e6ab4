//! Independent parts: conditions that share no symbol, directly or through others, can be solved apart.

use rustc_hash::{FxHashMap, FxHashSet};
use twinrun_term::{Symbol, Term, Terms};

/// Splits conditions into parts that share no symbol. Parts come in the order of their last condition, latest first, since a
/// path query's news is in its last condition; inside a part the order stays.
pub fn split(terms: &Terms, conditions: &[Term]) -> Vec<Vec<Term>> {
    if conditions.len() <= 1 {
        return vec![conditions.to_vec()];
    }
    let mut parents: Vec<usize> = (0..conditions.len()).collect();
    let mut owner: FxHashMap<Symbol, usize> = FxHashMap::default();
    let mut sets = FxHashMap::default();
    for (position, &condition) in conditions.iter().enumerate() {
        // Conditions over the very same symbols are common along a path.
        if let Some(&earlier) = sets.get(&terms.symbol_set(condition)) {
            join(&mut parents, position, earlier);
            continue;
        }
        sets.insert(terms.symbol_set(condition), position);
        for &symbol in terms.free_symbols(condition) {
            let earlier = *owner.entry(symbol).or_insert(position);
            join(&mut parents, position, earlier);
        }
    }
    let mut parts: Vec<Vec<Term>> = Vec::new();
    let mut part_of: FxHashMap<usize, usize> = FxHashMap::default();
    for position in (0..conditions.len()).rev() {
        let root = find(&mut parents, position);
        let part = *part_of.entry(root).or_insert_with(|| {
            parts.push(Vec::new());
            parts.len() - 1
        });
        parts[part].push(conditions[position]);
    }
    parts.iter_mut().for_each(|part| part.reverse());
    parts
}

/// Those of `earlier` that share symbols with `fresh`, directly or through others, in their order.
pub(crate) fn related(terms: &Terms, earlier: &[Term], fresh: &[Term]) -> Vec<Term> {
    let mut symbols: FxHashSet<Symbol> =
        fresh.iter().flat_map(|&condition| terms.free_symbols(condition)).copied().collect();
    let mut kept = vec![false; earlier.len()];
    loop {
        let before = symbols.len();
        for (kept, &condition) in kept.iter_mut().zip(earlier) {
            let own = terms.free_symbols(condition);
            if !*kept && own.iter().any(|symbol| symbols.contains(symbol)) {
                *kept = true;
                symbols.extend(own);
            }
        }
        if symbols.len() == before {
            break;
        }
    }
    earlier.iter().zip(kept).filter(|(_, kept)| *kept).map(|(condition, _)| *condition).collect()
}

fn find(parents: &mut [usize], mut position: usize) -> usize {
    while parents[position] != position {
        parents[position] = parents[parents[position]];
        position = parents[position];
    }
    position
}

fn join(parents: &mut [usize], left: usize, right: usize) {
    let (left, right) = (find(parents, left), find(parents, right));
    parents[left.max(right)] = left.min(right);
}

#[cfg(test)]
mod tests {
    use super::*;
    use twinrun_term::Sort;

    #[test]
    fn conditions_without_common_symbols_fall_apart() {
        let mut terms = Terms::new();
        let x: Vec<Term> = (0..5).map(|i| terms.symbol(&format!("x{i}"), Sort::Int, None)).collect();
        let a = terms.num_lt(x[0], x[1]);
        let b = terms.num_lt(x[2], x[3]);
        let c = terms.num_lt(x[1], x[4]);
        let d = terms.num_lt(x[4], x[0]);
        assert_eq!(split(&terms, &[a, b, c]), vec![vec![a, c], vec![b]]);
        assert_eq!(split(&terms, &[a, c, b, d]), vec![vec![a, c, d], vec![b]]);
    }
}
