//! M1: agreements against disagreements (Naish, Lee and Ramamohanarao, A model for spectra-based software diagnosis, 2011).

use super::{Counts, Formula, unbounded};

pub(super) const FORMULA: Formula = Formula {
    name: "m1",
    title: "M1",
    about: "agreements against disagreements",
    cite: "Naish, Lee and Ramamohanarao, A model for spectra-based software diagnosis, 2011",
    score,
};

fn score(c: &Counts) -> f64 {
    unbounded(c.ef + c.np, c.nf + c.ep)
}

#[cfg(test)]
mod tests {
    #[test]
    fn the_values_are_the_published_definition_s() {
        super::super::check(&super::FORMULA, [4.0, 3.0, 2.0, 6.0], 2.0);
        super::super::check(&super::FORMULA, [5.0, 12.0, 1.0, 9.0], 1.0769230769230769);
    }
}
