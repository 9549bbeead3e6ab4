//! Jaccard: violated groups that touch it among all that touch it or are violated (Chen et al., Pinpoint, 2002).

use super::{Counts, Formula, ratio};

pub(super) const FORMULA: Formula = Formula {
    name: "jaccard",
    title: "Jaccard",
    about: "violated groups that touch it among all that touch it or are violated",
    cite: "Chen et al., Pinpoint, 2002",
    score,
};

fn score(c: &Counts) -> f64 {
    ratio(c.ef, c.ef + c.nf + c.ep)
}

#[cfg(test)]
mod tests {
    #[test]
    fn the_values_are_the_published_definition_s() {
        super::super::check(&super::FORMULA, [4.0, 3.0, 2.0, 6.0], 0.4444444444444444);
        super::super::check(&super::FORMULA, [5.0, 12.0, 1.0, 9.0], 0.2777777777777778);
    }
}
