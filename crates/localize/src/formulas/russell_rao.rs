//! Russell and Rao: the share of all groups that are violated and touch it (Naish, Lee and Ramamohanarao, A model for spectra-based software diagnosis, 2011).

use super::{Counts, Formula, ratio};

pub(super) const FORMULA: Formula = Formula {
    name: "russell-rao",
    title: "Russell and Rao",
    about: "the share of all groups that are violated and touch it",
    cite: "Naish, Lee and Ramamohanarao, A model for spectra-based software diagnosis, 2011",
    score,
};

fn score(c: &Counts) -> f64 {
    ratio(c.ef, c.all())
}

#[cfg(test)]
mod tests {
    #[test]
    fn the_values_are_the_published_definition_s() {
        super::super::check(&super::FORMULA, [4.0, 3.0, 2.0, 6.0], 0.26666666666666666);
        super::super::check(&super::FORMULA, [5.0, 12.0, 1.0, 9.0], 0.18518518518518517);
    }
}
