//! Ochiai: the cosine between touching it and being violated (Abreu, Zoeteweij and van Gemund, 2006).

use super::{Counts, Formula, ratio};

pub(super) const FORMULA: Formula = Formula {
    name: "ochiai",
    title: "Ochiai",
    about: "the cosine between touching it and being violated",
    cite: "Abreu, Zoeteweij and van Gemund, 2006",
    score,
};

fn score(c: &Counts) -> f64 {
    ratio(c.ef, (c.f() * (c.ef + c.ep)).sqrt())
}

#[cfg(test)]
mod tests {
    #[test]
    fn the_values_are_the_published_definition_s() {
        super::super::check(&super::FORMULA, [4.0, 3.0, 2.0, 6.0], 0.6172133998483676);
        super::super::check(&super::FORMULA, [5.0, 12.0, 1.0, 9.0], 0.4950737714883372);
    }
}
