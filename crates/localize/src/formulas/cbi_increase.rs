//! CBI increase: how much touching it raises the share of violated groups (Liblit et al., Scalable statistical bug isolation, 2005).

use super::{Counts, Formula, ratio};

pub(super) const FORMULA: Formula = Formula {
    name: "cbi-increase",
    title: "CBI increase",
    about: "how much touching it raises the share of violated groups",
    cite: "Liblit et al., Scalable statistical bug isolation, 2005",
    score,
};

fn score(c: &Counts) -> f64 {
    if c.ef + c.ep == 0.0 { -ratio(c.f(), c.all()) } else { ratio(c.ef, c.ef + c.ep) - ratio(c.f(), c.all()) }
}

#[cfg(test)]
mod tests {
    #[test]
    fn the_values_are_the_published_definition_s() {
        super::super::check(&super::FORMULA, [4.0, 3.0, 2.0, 6.0], 0.17142857142857137);
        super::super::check(&super::FORMULA, [5.0, 12.0, 1.0, 9.0], 0.07189542483660133);
    }
}
