//! Op1 (Naish 1): optimal for one fault: missed by a violated group means innocent, else fewer holding touches are worse (Naish, Lee and Ramamohanarao, A model for spectra-based software diagnosis, 2011).

use super::{Counts, Formula};

pub(super) const FORMULA: Formula = Formula {
    name: "op1",
    title: "Op1 (Naish 1)",
    about: "optimal for one fault: missed by a violated group means innocent, else fewer holding touches are worse",
    cite: "Naish, Lee and Ramamohanarao, A model for spectra-based software diagnosis, 2011",
    score,
};

fn score(c: &Counts) -> f64 {
    if c.nf > 0.0 { -1.0 } else { c.np }
}

#[cfg(test)]
mod tests {
    #[test]
    fn the_values_are_the_published_definition_s() {
        super::super::check(&super::FORMULA, [4.0, 3.0, 2.0, 6.0], -1.0);
        super::super::check(&super::FORMULA, [5.0, 12.0, 1.0, 9.0], -1.0);
    }
}
