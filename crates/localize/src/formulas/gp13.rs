//! GP13: found by genetic programming, optimal for one fault (Yoo, 2012).

use super::{Counts, Formula, ratio};

pub(super) const FORMULA: Formula = Formula {
    name: "gp13",
    title: "GP13",
    about: "found by genetic programming, optimal for one fault",
    cite: "Yoo, 2012",
    score,
};

fn score(c: &Counts) -> f64 {
    c.ef * (1.0 + ratio(1.0, 2.0 * c.ep + c.ef))
}

#[cfg(test)]
mod tests {
    #[test]
    fn the_values_are_the_published_definition_s() {
        super::super::check(&super::FORMULA, [4.0, 3.0, 2.0, 6.0], 4.4);
        super::super::check(&super::FORMULA, [5.0, 12.0, 1.0, 9.0], 5.172413793103448);
    }
}
