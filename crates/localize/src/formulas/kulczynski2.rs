//! Kulczynski 2: the mean of recall and precision (Naish, Lee and Ramamohanarao, A model for spectra-based software diagnosis, 2011).

use super::{Counts, Formula, ratio};

pub(super) const FORMULA: Formula = Formula {
    name: "kulczynski2",
    title: "Kulczynski 2",
    about: "the mean of recall and precision",
    cite: "Naish, Lee and Ramamohanarao, A model for spectra-based software diagnosis, 2011",
    score,
};

fn score(c: &Counts) -> f64 {
    0.5 * (ratio(c.ef, c.f()) + ratio(c.ef, c.ef + c.ep))
}

#[cfg(test)]
mod tests {
    #[test]
    fn the_values_are_the_published_definition_s() {
        super::super::check(&super::FORMULA, [4.0, 3.0, 2.0, 6.0], 0.6190476190476191);
        super::super::check(&super::FORMULA, [5.0, 12.0, 1.0, 9.0], 0.5637254901960784);
    }
}
