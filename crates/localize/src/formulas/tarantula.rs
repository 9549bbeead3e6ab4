//! Tarantula: the share of violated groups that touch it against the share of holding ones (Jones and Harrold, 2005).

use super::{Counts, Formula, ratio};

pub(super) const FORMULA: Formula = Formula {
    name: "tarantula",
    title: "Tarantula",
    about: "the share of violated groups that touch it against the share of holding ones",
    cite: "Jones and Harrold, 2005",
    score,
};

fn score(c: &Counts) -> f64 {
    ratio(ratio(c.ef, c.f()), ratio(c.ef, c.f()) + ratio(c.ep, c.p()))
}

#[cfg(test)]
mod tests {
    #[test]
    fn the_values_are_the_published_definition_s() {
        super::super::check(&super::FORMULA, [4.0, 3.0, 2.0, 6.0], 0.6666666666666666);
        super::super::check(&super::FORMULA, [5.0, 12.0, 1.0, 9.0], 0.5932203389830509);
    }
}
