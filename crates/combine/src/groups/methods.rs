//! The ways to an array with groups, ours and those it is compared with.

use super::enrich::{Richness, enrich};
use super::matcher::Group;
use super::sampling::{Sampling, follow_ups, sample};
use crate::error::Error;
use crate::generate::{Config, generate, random_rows};
use crate::model::Model;

/// How an array is made.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Method {
    /// Ours: a covering array made rich in groups.
    #[default]
    Enriched,
    /// Our covering array without regard to relations; values of classes are drawn at random.
    Plain,
    /// The published sampling (COMER): rows and follow-ups of earlier rows, the best of 50 candidates each.
    Published,
    /// Our covering array, and one follow-up for each of its rows.
    FollowUps,
    /// As many random rows as our covering array has.
    Random,
}

/// Rows and the groups that were planned for them.
pub type Made = (Vec<Vec<usize>>, Vec<Group>);

/// The published method's parameters, as the study has them.
const PROBABILITY: f64 = 0.5;
const CANDIDATES: usize = 50;

/// Rows by a method, and the groups that they are to form.
///
/// # Errors
/// As generation.
pub fn make(model: &Model, method: Method, config: &Config, richness: Richness) -> Result<Made, Error> {
    let plain = || generate(model, config).map(|array| array.rows);
    match method {
        Method::Enriched => enrich(model, config, richness).map(|(array, planned)| (array.rows, planned)),
        Method::Plain => Ok((plain()?, Vec::new())),
        Method::Published => {
            let strength = config.strength.or(model.strength).unwrap_or(2);
            let (probability, candidates, seed) = (PROBABILITY, CANDIDATES, config.seed);
            sample(model, Sampling { strength, probability, candidates, seed })
        }
        Method::FollowUps => follow_ups(model, &plain()?, config.seed),
        Method::Random => Ok((random_rows(model, plain()?.len(), config.seed)?, Vec::new())),
    }
}
