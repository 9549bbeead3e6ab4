//! Rankings: sites by descending suspicion, with a rule for ties.

use serde::{Deserialize, Serialize};

use crate::formulas::{Counts, Formula};

/// How equal scores are ranked.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Ties {
    /// In the order of the sites (source order), as in the published study.
    #[default]
    Source,
    /// The wanted site comes first among its equals.
    Best,
    /// The middle of its equals.
    Average,
    /// The wanted site comes last.
    Worst,
}

/// Sites by descending suspicion.
#[derive(Clone, Debug)]
pub struct Ranking {
    /// The sites, most suspicious first, equals in site order.
    pub order: Vec<usize>,
    /// The score of each site, by site.
    pub scores: Vec<f64>,
}

impl Ranking {
    /// Ranks sites by a formula.
    pub fn new(counts: &[Counts], formula: &Formula) -> Ranking {
        Ranking::of(counts.iter().map(|counts| (formula.score)(counts)).collect())
    }

    /// Ranks sites by given scores.
    pub fn of(scores: Vec<f64>) -> Ranking {
        let mut order: Vec<usize> = (0..scores.len()).collect();
        order.sort_by(|a, b| scores[*b].total_cmp(&scores[*a]).then(a.cmp(b)));
        Ranking { order, scores }
    }

    /// How many sites must be looked at to reach the first of the wanted ones, itself included; `None` where none is ranked.
    pub fn rank(&self, wanted: &[usize], ties: Ties) -> Option<f64> {
        let wanted: Vec<usize> = wanted.iter().copied().filter(|site| *site < self.scores.len()).collect();
        let top = wanted.iter().map(|site| self.scores[*site]).max_by(f64::total_cmp)?;
        let above = self.scores.iter().filter(|score| score.total_cmp(&top).is_gt()).count() as f64;
        let equal: Vec<usize> =
            (0..self.scores.len()).filter(|site| self.scores[*site].total_cmp(&top).is_eq()).collect();
        let among = equal.iter().filter(|site| wanted.contains(site)).count() as f64;
        let others = equal.len() as f64 - among;
        Some(
            above
                + match ties {
                    Ties::Source => {
                        equal.iter().position(|site| wanted.contains(site)).map_or(1.0, |at| at as f64 + 1.0)
                    }
                    Ties::Best => 1.0,
                    Ties::Average => 1.0 + others / (among + 1.0),
                    Ties::Worst => others + 1.0,
                },
        )
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ties_are_ranked_by_rule() {
        let ranking = Ranking::of(vec![0.5, 0.9, 0.5, 0.5, 0.1]);
        assert_eq!(ranking.order, [1, 0, 2, 3, 4]);
        let rank = |ties| ranking.rank(&[2], ties).unwrap();
        assert_eq!(
            (rank(Ties::Source), rank(Ties::Best), rank(Ties::Average), rank(Ties::Worst)),
            (3.0, 2.0, 3.0, 4.0)
        );
        assert_eq!(ranking.rank(&[9], Ties::Source), None);
    }
}
