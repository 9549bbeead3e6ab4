//! Zoltar: Jaccard with a heavy price for being missed by violated and touched by holding groups (Gonzalez, 2007).

use super::{Counts, Formula};

pub(super) const FORMULA: Formula = Formula {
    name: "zoltar",
    title: "Zoltar",
    about: "Jaccard with a heavy price for being missed by violated and touched by holding groups",
    cite: "Gonzalez, 2007",
    score,
};

fn score(c: &Counts) -> f64 {
    if c.ef == 0.0 { 0.0 } else { c.ef / (c.ef + c.nf + c.ep + 10_000.0 * c.nf * c.ep / c.ef) }
}

#[cfg(test)]
mod tests {
    #[test]
    fn the_values_are_the_published_definition_s() {
        super::super::check(&super::FORMULA, [4.0, 3.0, 2.0, 6.0], 0.0002665067626091012);
        super::super::check(&super::FORMULA, [5.0, 12.0, 1.0, 9.0], 0.00020817720043300858);
    }
}
