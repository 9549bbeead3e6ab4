//! Barinel: one less the share of holding groups among those that touch it (Abreu, Zoeteweij and van Gemund, 2009).

use super::{Counts, Formula};

pub(super) const FORMULA: Formula = Formula {
    name: "barinel",
    title: "Barinel",
    about: "one less the share of holding groups among those that touch it",
    cite: "Abreu, Zoeteweij and van Gemund, 2009",
    score,
};

fn score(c: &Counts) -> f64 {
    if c.ef + c.ep == 0.0 { 0.0 } else { 1.0 - c.ep / (c.ep + c.ef) }
}

#[cfg(test)]
mod tests {
    #[test]
    fn the_values_are_the_published_definition_s() {
        super::super::check(&super::FORMULA, [4.0, 3.0, 2.0, 6.0], 0.5714285714285714);
        super::super::check(&super::FORMULA, [5.0, 12.0, 1.0, 9.0], 0.2941176470588235);
    }
}
