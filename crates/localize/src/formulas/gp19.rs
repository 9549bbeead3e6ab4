//! GP19: found by genetic programming (Yoo, 2012).

use super::{Counts, Formula};

pub(super) const FORMULA: Formula =
    Formula { name: "gp19", title: "GP19", about: "found by genetic programming", cite: "Yoo, 2012", score };

fn score(c: &Counts) -> f64 {
    c.ef * (c.ep - c.ef + c.f() - c.p()).abs().sqrt()
}

#[cfg(test)]
mod tests {
    #[test]
    fn the_values_are_the_published_definition_s() {
        super::super::check(&super::FORMULA, [4.0, 3.0, 2.0, 6.0], 8.0);
        super::super::check(&super::FORMULA, [5.0, 12.0, 1.0, 9.0], 14.142135623730951);
    }
}
