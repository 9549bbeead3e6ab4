//! Ample: how far the shares of violated and holding groups that touch it differ (Dallmeier, Lindig and Zeller, 2005).

use super::{Counts, Formula, ratio};

pub(super) const FORMULA: Formula = Formula {
    name: "ample",
    title: "Ample",
    about: "how far the shares of violated and holding groups that touch it differ",
    cite: "Dallmeier, Lindig and Zeller, 2005",
    score,
};

fn score(c: &Counts) -> f64 {
    (ratio(c.ef, c.f()) - ratio(c.ep, c.p())).abs()
}

#[cfg(test)]
mod tests {
    #[test]
    fn the_values_are_the_published_definition_s() {
        super::super::check(&super::FORMULA, [4.0, 3.0, 2.0, 6.0], 0.3333333333333333);
        super::super::check(&super::FORMULA, [5.0, 12.0, 1.0, 9.0], 0.261904761904762);
    }
}
