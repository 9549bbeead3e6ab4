//! Hamann: agreements less disagreements (Naish, Lee and Ramamohanarao, A model for spectra-based software diagnosis, 2011).

use super::{Counts, Formula, ratio};

pub(super) const FORMULA: Formula = Formula {
    name: "hamann",
    title: "Hamann",
    about: "agreements less disagreements",
    cite: "Naish, Lee and Ramamohanarao, A model for spectra-based software diagnosis, 2011",
    score,
};

fn score(c: &Counts) -> f64 {
    ratio(c.ef + c.np - c.nf - c.ep, c.all())
}

#[cfg(test)]
mod tests {
    #[test]
    fn the_values_are_the_published_definition_s() {
        super::super::check(&super::FORMULA, [4.0, 3.0, 2.0, 6.0], 0.3333333333333333);
        super::super::check(&super::FORMULA, [5.0, 12.0, 1.0, 9.0], 0.037037037037037035);
    }
}
