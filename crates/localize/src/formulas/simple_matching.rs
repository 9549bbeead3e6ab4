//! Simple matching: the share of groups in which touching and being violated agree (Naish, Lee and Ramamohanarao, A model for spectra-based software diagnosis, 2011).

use super::{Counts, Formula, ratio};

pub(super) const FORMULA: Formula = Formula {
    name: "simple-matching",
    title: "Simple matching",
    about: "the share of groups in which touching and being violated agree",
    cite: "Naish, Lee and Ramamohanarao, A model for spectra-based software diagnosis, 2011",
    score,
};

fn score(c: &Counts) -> f64 {
    ratio(c.ef + c.np, c.all())
}

#[cfg(test)]
mod tests {
    #[test]
    fn the_values_are_the_published_definition_s() {
        super::super::check(&super::FORMULA, [4.0, 3.0, 2.0, 6.0], 0.6666666666666666);
        super::super::check(&super::FORMULA, [5.0, 12.0, 1.0, 9.0], 0.5185185185185185);
    }
}
