//! Kulczynski 1: violated touches against misses and holding touches (Naish, Lee and Ramamohanarao, A model for spectra-based software diagnosis, 2011).

use super::{Counts, Formula, unbounded};

pub(super) const FORMULA: Formula = Formula {
    name: "kulczynski1",
    title: "Kulczynski 1",
    about: "violated touches against misses and holding touches",
    cite: "Naish, Lee and Ramamohanarao, A model for spectra-based software diagnosis, 2011",
    score,
};

fn score(c: &Counts) -> f64 {
    unbounded(c.ef, c.nf + c.ep)
}

#[cfg(test)]
mod tests {
    #[test]
    fn the_values_are_the_published_definition_s() {
        super::super::check(&super::FORMULA, [4.0, 3.0, 2.0, 6.0], 0.8);
        super::super::check(&super::FORMULA, [5.0, 12.0, 1.0, 9.0], 0.38461538461538464);
    }
}
