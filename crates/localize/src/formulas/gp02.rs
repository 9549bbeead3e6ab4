//! GP02: found by genetic programming (Yoo, Evolving human competitive spectra-based fault localisation techniques, 2012).

use super::{Counts, Formula};

pub(super) const FORMULA: Formula = Formula {
    name: "gp02",
    title: "GP02",
    about: "found by genetic programming",
    cite: "Yoo, Evolving human competitive spectra-based fault localisation techniques, 2012",
    score,
};

fn score(c: &Counts) -> f64 {
    2.0 * (c.ef + c.np.sqrt()) + c.ep.sqrt()
}

#[cfg(test)]
mod tests {
    #[test]
    fn the_values_are_the_published_definition_s() {
        super::super::check(&super::FORMULA, [4.0, 3.0, 2.0, 6.0], 14.631030293135233);
        super::super::check(&super::FORMULA, [5.0, 12.0, 1.0, 9.0], 19.464101615137753);
    }
}
