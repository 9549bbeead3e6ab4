//! Rogot 1: the mean of Sørensen–Dice for touching and for not touching (Naish, Lee and Ramamohanarao, A model for spectra-based software diagnosis, 2011).

use super::{Counts, Formula, ratio};

pub(super) const FORMULA: Formula = Formula {
    name: "rogot1",
    title: "Rogot 1",
    about: "the mean of Sørensen–Dice for touching and for not touching",
    cite: "Naish, Lee and Ramamohanarao, A model for spectra-based software diagnosis, 2011",
    score,
};

fn score(c: &Counts) -> f64 {
    0.5 * (ratio(c.ef, 2.0 * c.ef + c.nf + c.ep) + ratio(c.np, 2.0 * c.np + c.nf + c.ep))
}

#[cfg(test)]
mod tests {
    #[test]
    fn the_values_are_the_published_definition_s() {
        super::super::check(&super::FORMULA, [4.0, 3.0, 2.0, 6.0], 0.330316742081448);
        super::super::check(&super::FORMULA, [5.0, 12.0, 1.0, 9.0], 0.2538569424964937);
    }
}
