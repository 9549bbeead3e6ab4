//! D* with * = 2: violated touches squared against holding touches and misses (Wong et al., The DStar method, 2014).

use super::{Counts, Formula, unbounded};

pub(super) const FORMULA: Formula = Formula {
    name: "dstar",
    title: "D* with * = 2",
    about: "violated touches squared against holding touches and misses",
    cite: "Wong et al., The DStar method, 2014",
    score,
};

fn score(c: &Counts) -> f64 {
    unbounded(c.ef * c.ef, c.ep + c.nf)
}

#[cfg(test)]
mod tests {
    #[test]
    fn the_values_are_the_published_definition_s() {
        super::super::check(&super::FORMULA, [4.0, 3.0, 2.0, 6.0], 3.2);
        super::super::check(&super::FORMULA, [5.0, 12.0, 1.0, 9.0], 1.9230769230769231);
    }
}
