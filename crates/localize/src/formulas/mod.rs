//! The formulas that turn counts into suspicion, one file each.

mod ample;
mod anderberg;
mod barinel;
mod binary;
mod cbi_increase;
mod dstar;
mod euclid;
mod geometric_mean;
mod goodman;
mod gp02;
mod gp03;
mod gp13;
mod gp19;
mod hamann;
mod jaccard;
mod kulczynski1;
mod kulczynski2;
mod m1;
mod m2;
mod ochiai;
mod ochiai2;
mod op1;
mod op2;
mod rogers_tanimoto;
mod rogot1;
mod russell_rao;
mod simple_matching;
mod sokal;
mod sorensen_dice;
mod tarantula;
mod wong1;
mod wong2;
mod wong3;
mod zoltar;

use serde::{Deserialize, Serialize};

/// How many groups touch a site and how they ended.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Counts {
    /// Violated groups that touch it.
    pub ef: f64,
    /// Holding groups that touch it.
    pub ep: f64,
    /// Violated groups that do not.
    pub nf: f64,
    /// Holding groups that do not.
    pub np: f64,
}

impl Counts {
    /// All violated groups.
    pub fn f(&self) -> f64 {
        self.ef + self.nf
    }

    /// All holding groups.
    pub fn p(&self) -> f64 {
        self.ep + self.np
    }

    /// All groups.
    pub fn all(&self) -> f64 {
        self.f() + self.p()
    }
}

/// A formula.
pub struct Formula {
    /// What `--formula` takes.
    pub name: &'static str,
    /// Its usual name.
    pub title: &'static str,
    /// What it looks at, in words.
    pub about: &'static str,
    /// Where it was published.
    pub cite: &'static str,
    /// The suspicion of a site: greater is more suspicious; comparable within one ranking only.
    pub score: fn(&Counts) -> f64,
}

/// Every formula.
pub const FORMULAS: &[Formula] = &[
    tarantula::FORMULA,
    ochiai::FORMULA,
    ochiai2::FORMULA,
    jaccard::FORMULA,
    op1::FORMULA,
    op2::FORMULA,
    dstar::FORMULA,
    barinel::FORMULA,
    kulczynski1::FORMULA,
    kulczynski2::FORMULA,
    ample::FORMULA,
    wong1::FORMULA,
    wong2::FORMULA,
    wong3::FORMULA,
    zoltar::FORMULA,
    m1::FORMULA,
    m2::FORMULA,
    gp02::FORMULA,
    gp03::FORMULA,
    gp13::FORMULA,
    gp19::FORMULA,
    sorensen_dice::FORMULA,
    anderberg::FORMULA,
    simple_matching::FORMULA,
    sokal::FORMULA,
    rogers_tanimoto::FORMULA,
    hamann::FORMULA,
    russell_rao::FORMULA,
    goodman::FORMULA,
    binary::FORMULA,
    euclid::FORMULA,
    rogot1::FORMULA,
    cbi_increase::FORMULA,
    geometric_mean::FORMULA,
];

/// The formula with this name.
pub fn formula(name: &str) -> Option<&'static Formula> {
    FORMULAS.iter().find(|formula| formula.name == name)
}

/// A quotient that is 0 where nothing was counted.
fn ratio(above: f64, below: f64) -> f64 {
    if below == 0.0 { 0.0 } else { above / below }
}

/// A quotient that grows without bound: 0 below means as suspicious as can be, unless there is nothing above either.
fn unbounded(above: f64, below: f64) -> f64 {
    match (above == 0.0, below == 0.0) {
        (true, _) => 0.0,
        (false, true) => f64::MAX,
        (false, false) => above / below,
    }
}

#[cfg(test)]
fn check(formula: &Formula, [ef, ep, nf, np]: [f64; 4], expected: f64) {
    let score = (formula.score)(&Counts { ef, ep, nf, np });
    assert!((score - expected).abs() < 1e-12, "{}: {score} instead of {expected}", formula.name);
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The example of the paper on metamorphic slices (Fig. 2): six groups, of which two are violated.
    #[test]
    fn tarantula_ranks_the_four_statements_of_the_paper() {
        let counts = [(2.0, 4.0), (0.0, 2.0), (1.0, 3.0), (2.0, 3.0)];
        let scores: Vec<f64> = counts
            .iter()
            .map(|(ef, ep)| {
                (formula("tarantula").unwrap().score)(&Counts {
                    ef: *ef,
                    ep: *ep,
                    nf: 2.0 - ef,
                    np: 4.0 - ep,
                })
            })
            .collect();
        for (score, expected) in scores.iter().zip([1.0 / 2.0, 0.0, 2.0 / 5.0, 4.0 / 7.0]) {
            assert!((score - expected).abs() < 1e-12, "{scores:?}");
        }
    }

    #[test]
    fn no_formula_fails_on_empty_counts_or_gives_nan() {
        for formula in FORMULAS {
            for bits in 0..16u32 {
                let count = |bit: u32| if bits >> bit & 1 == 1 { 3.0 } else { 0.0 };
                let counts = Counts { ef: count(0), ep: count(1), nf: count(2), np: count(3) };
                assert!(!(formula.score)(&counts).is_nan(), "{} on {counts:?}", formula.name);
            }
        }
    }

    #[test]
    fn names_are_distinct_and_there_are_at_least_twenty_five() {
        let names: std::collections::BTreeSet<&str> = FORMULAS.iter().map(|formula| formula.name).collect();
        assert_eq!(names.len(), FORMULAS.len());
        assert!(names.len() >= 25);
    }
}
