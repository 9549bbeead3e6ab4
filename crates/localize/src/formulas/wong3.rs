//! Wong 3: violated touches less holding ones, of which later ones weigh less (Wong et al., 2007).

use super::{Counts, Formula};

pub(super) const FORMULA: Formula = Formula {
    name: "wong3",
    title: "Wong 3",
    about: "violated touches less holding ones, of which later ones weigh less",
    cite: "Wong et al., 2007",
    score,
};

fn score(c: &Counts) -> f64 {
    {
        let h = if c.ep <= 2.0 {
            c.ep
        } else if c.ep <= 10.0 {
            2.0 + 0.1 * (c.ep - 2.0)
        } else {
            2.8 + 0.001 * (c.ep - 10.0)
        };
        c.ef - h
    }
}

#[cfg(test)]
mod tests {
    #[test]
    fn the_values_are_the_published_definition_s() {
        super::super::check(&super::FORMULA, [4.0, 3.0, 2.0, 6.0], 1.9);
        super::super::check(&super::FORMULA, [5.0, 12.0, 1.0, 9.0], 2.1980000000000004);
    }
}
