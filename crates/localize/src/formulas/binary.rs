//! Binary: whether all violated groups touch it (Naish, Lee and Ramamohanarao, A model for spectra-based software diagnosis, 2011).

use super::{Counts, Formula};

pub(super) const FORMULA: Formula = Formula {
    name: "binary",
    title: "Binary",
    about: "whether all violated groups touch it",
    cite: "Naish, Lee and Ramamohanarao, A model for spectra-based software diagnosis, 2011",
    score,
};

fn score(c: &Counts) -> f64 {
    if c.nf > 0.0 { 0.0 } else { 1.0 }
}

#[cfg(test)]
mod tests {
    #[test]
    fn the_values_are_the_published_definition_s() {
        super::super::check(&super::FORMULA, [4.0, 3.0, 2.0, 6.0], 0.0);
        super::super::check(&super::FORMULA, [5.0, 12.0, 1.0, 9.0], 0.0);
    }
}
