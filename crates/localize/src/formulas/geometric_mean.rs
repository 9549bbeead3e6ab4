//! Geometric mean: the correlation of touching it with being violated (Naish, Lee and Ramamohanarao, A model for spectra-based software diagnosis, 2011).

use super::{Counts, Formula, ratio};

pub(super) const FORMULA: Formula = Formula {
    name: "geometric-mean",
    title: "Geometric mean",
    about: "the correlation of touching it with being violated",
    cite: "Naish, Lee and Ramamohanarao, A model for spectra-based software diagnosis, 2011",
    score,
};

fn score(c: &Counts) -> f64 {
    ratio(c.ef * c.np - c.nf * c.ep, ((c.ef + c.ep) * (c.np + c.nf) * c.f() * c.p()).sqrt())
}

#[cfg(test)]
mod tests {
    #[test]
    fn the_values_are_the_published_definition_s() {
        super::super::check(&super::FORMULA, [4.0, 3.0, 2.0, 6.0], 0.32732683535398854);
        super::super::check(&super::FORMULA, [5.0, 12.0, 1.0, 9.0], 0.22547801696496667);
    }
}
