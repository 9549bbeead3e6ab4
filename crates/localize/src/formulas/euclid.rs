//! Euclid: the root of the number of agreements (Naish, Lee and Ramamohanarao, A model for spectra-based software diagnosis, 2011).

use super::{Counts, Formula};

pub(super) const FORMULA: Formula = Formula {
    name: "euclid",
    title: "Euclid",
    about: "the root of the number of agreements",
    cite: "Naish, Lee and Ramamohanarao, A model for spectra-based software diagnosis, 2011",
    score,
};

fn score(c: &Counts) -> f64 {
    (c.ef + c.np).sqrt()
}

#[cfg(test)]
mod tests {
    #[test]
    fn the_values_are_the_published_definition_s() {
        super::super::check(&super::FORMULA, [4.0, 3.0, 2.0, 6.0], 3.1622776601683795);
        super::super::check(&super::FORMULA, [5.0, 12.0, 1.0, 9.0], 3.7416573867739413);
    }
}
