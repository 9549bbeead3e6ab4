//! Anderberg: Jaccard with disagreements counted twice (Naish, Lee and Ramamohanarao, A model for spectra-based software diagnosis, 2011).

use super::{Counts, Formula, ratio};

pub(super) const FORMULA: Formula = Formula {
    name: "anderberg",
    title: "Anderberg",
    about: "Jaccard with disagreements counted twice",
    cite: "Naish, Lee and Ramamohanarao, A model for spectra-based software diagnosis, 2011",
    score,
};

fn score(c: &Counts) -> f64 {
    ratio(c.ef, c.ef + 2.0 * (c.nf + c.ep))
}

#[cfg(test)]
mod tests {
    #[test]
    fn the_values_are_the_published_definition_s() {
        super::super::check(&super::FORMULA, [4.0, 3.0, 2.0, 6.0], 0.2857142857142857);
        super::super::check(&super::FORMULA, [5.0, 12.0, 1.0, 9.0], 0.16129032258064516);
    }
}
