//! Ochiai 2: Ochiai that also rewards holding groups that do not touch it (Naish, Lee and Ramamohanarao, A model for spectra-based software diagnosis, 2011).

use super::{Counts, Formula, ratio};

pub(super) const FORMULA: Formula = Formula {
    name: "ochiai2",
    title: "Ochiai 2",
    about: "Ochiai that also rewards holding groups that do not touch it",
    cite: "Naish, Lee and Ramamohanarao, A model for spectra-based software diagnosis, 2011",
    score,
};

fn score(c: &Counts) -> f64 {
    ratio(c.ef * c.np, ((c.ef + c.ep) * (c.np + c.nf) * c.f() * c.p()).sqrt())
}

#[cfg(test)]
mod tests {
    #[test]
    fn the_values_are_the_published_definition_s() {
        super::super::check(&super::FORMULA, [4.0, 3.0, 2.0, 6.0], 0.4364357804719847);
        super::super::check(&super::FORMULA, [5.0, 12.0, 1.0, 9.0], 0.3074700231340454);
    }
}
