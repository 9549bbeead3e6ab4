//! Fitting the model: the weights under which the faulty lines are likeliest, held small (a conditional logit with an L2 penalty, by gradient ascent).

use twinrun_hunt::model::{COUNT, Weights};

use crate::study::Studied;

/// Steps, and how far each goes.
const STEPS: usize = 2_000;
const RATE: f64 = 0.5;
/// How much large weights cost.
const PENALTY: f64 = 0.002;

/// The probability of each line of a fault under the weights; features that are left out count nothing.
pub(crate) fn probabilities(studied: &Studied, weights: &Weights) -> Vec<f64> {
    let scores: Vec<f64> = studied
        .lines
        .iter()
        .map(|(_, _, features)| features.iter().zip(weights).map(|(x, w)| x * w).sum())
        .collect();
    let best = scores.iter().copied().fold(f64::MIN, f64::max);
    let shares: Vec<f64> = scores.iter().map(|score: &f64| (score - best).exp()).collect();
    let sum: f64 = shares.iter().sum();
    shares.into_iter().map(|share| share / sum).collect()
}

/// Whether a line is one of the faulty ones.
pub(crate) fn is_wanted(studied: &Studied, line: usize) -> bool {
    let (file, number, _) = &studied.lines[line];
    studied.wanted.iter().any(|(wanted, at)| wanted == file && at == number)
}

/// The weights of these features (others are 0) for these faults.
pub(crate) fn fit(faults: &[&Studied], features: &[usize]) -> Weights {
    let mut weights = [0.0; COUNT];
    for _ in 0..STEPS {
        let mut gradient = [0.0; COUNT];
        for studied in faults {
            let shares = probabilities(studied, &weights);
            let right: f64 =
                (0..shares.len()).filter(|it| is_wanted(studied, *it)).map(|it| shares[it]).sum();
            if right == 0.0 {
                continue;
            }
            for (line, share) in shares.iter().enumerate() {
                let pull = if is_wanted(studied, line) { share / right - share } else { -share };
                for &feature in features {
                    gradient[feature] += pull * studied.lines[line].2[feature];
                }
            }
        }
        for &feature in features {
            weights[feature] +=
                RATE * (gradient[feature] / faults.len().max(1) as f64 - PENALTY * weights[feature]);
        }
    }
    weights
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::study::Fate;

    #[test]
    fn what_tells_the_faulty_line_gets_the_weight() {
        let line = |number: u32, telling: f64, noise: f64| {
            let mut features = [0.0; COUNT];
            (features[3], features[0]) = (telling, noise);
            ("a.c".to_owned(), number, features)
        };
        let studied = |telling: f64| Studied {
            wanted: vec![("a.c".into(), 2)],
            lines: vec![line(1, 0.0, 1.0), line(2, telling, 0.0), line(3, 0.0, 0.0)],
            ..Studied::without(Fate::Detected)
        };
        let faults = [studied(1.0), studied(0.9)];
        let weights = fit(&faults.iter().collect::<Vec<_>>(), &[0, 3]);
        assert!(weights[3] > 1.0 && weights[0] < 0.0, "{weights:?}");
        assert!(probabilities(&faults[0], &weights)[1] > 0.8);
    }
}
