//! GP03: found by genetic programming (Yoo, 2012).

use super::{Counts, Formula};

pub(super) const FORMULA: Formula =
    Formula { name: "gp03", title: "GP03", about: "found by genetic programming", cite: "Yoo, 2012", score };

fn score(c: &Counts) -> f64 {
    (c.ef * c.ef - c.ep.sqrt()).abs().sqrt()
}

#[cfg(test)]
mod tests {
    #[test]
    fn the_values_are_the_published_definition_s() {
        super::super::check(&super::FORMULA, [4.0, 3.0, 2.0, 6.0], 3.777293898074536);
        super::super::check(&super::FORMULA, [5.0, 12.0, 1.0, 9.0], 4.6406786556345665);
    }
}
