//! Wong 1: violated touches (Wong et al., 2007).

use super::{Counts, Formula};

pub(super) const FORMULA: Formula =
    Formula { name: "wong1", title: "Wong 1", about: "violated touches", cite: "Wong et al., 2007", score };

fn score(c: &Counts) -> f64 {
    c.ef
}

#[cfg(test)]
mod tests {
    #[test]
    fn the_values_are_the_published_definition_s() {
        super::super::check(&super::FORMULA, [4.0, 3.0, 2.0, 6.0], 4.0);
        super::super::check(&super::FORMULA, [5.0, 12.0, 1.0, 9.0], 5.0);
    }
}
