//! Op2 (Naish 2): optimal for one fault: violated touches first, holding touches only break ties (Naish, Lee and Ramamohanarao, A model for spectra-based software diagnosis, 2011).

use super::{Counts, Formula};

pub(super) const FORMULA: Formula = Formula {
    name: "op2",
    title: "Op2 (Naish 2)",
    about: "optimal for one fault: violated touches first, holding touches only break ties",
    cite: "Naish, Lee and Ramamohanarao, A model for spectra-based software diagnosis, 2011",
    score,
};

fn score(c: &Counts) -> f64 {
    c.ef - c.ep / (c.ep + c.np + 1.0)
}

#[cfg(test)]
mod tests {
    #[test]
    fn the_values_are_the_published_definition_s() {
        super::super::check(&super::FORMULA, [4.0, 3.0, 2.0, 6.0], 3.7);
        super::super::check(&super::FORMULA, [5.0, 12.0, 1.0, 9.0], 4.454545454545455);
    }
}
