//! Wong 2: violated touches less holding ones (Wong et al., 2007).

use super::{Counts, Formula};

pub(super) const FORMULA: Formula = Formula {
    name: "wong2",
    title: "Wong 2",
    about: "violated touches less holding ones",
    cite: "Wong et al., 2007",
    score,
};

fn score(c: &Counts) -> f64 {
    c.ef - c.ep
}

#[cfg(test)]
mod tests {
    #[test]
    fn the_values_are_the_published_definition_s() {
        super::super::check(&super::FORMULA, [4.0, 3.0, 2.0, 6.0], 1.0);
        super::super::check(&super::FORMULA, [5.0, 12.0, 1.0, 9.0], -7.0);
    }
}
