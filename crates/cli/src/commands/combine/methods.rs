//! Ways to an array that can be chosen, and repetitions of one of them with the means of what it gave.

use std::collections::BTreeSet;
use std::fmt::Write as _;

use clap::ValueEnum;
use serde_json::{Value as Json, json};
use twinrun_combine::groups::{Method, Richness, concretise, distinct, make, matches};
use twinrun_combine::{Config, Error, Model, Random};

/// How rows are made.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum Way {
    /// A covering array made rich in groups
    Enriched,
    /// Our covering array without regard to relations
    Plain,
    /// The sampling of the COMER study
    Published,
    /// Our covering array and one follow-up for each row
    FollowUps,
    /// As many random rows as our covering array has
    Random,
}

impl Way {
    pub(crate) fn method(self) -> Method {
        match self {
            Way::Enriched => Method::Enriched,
            Way::Plain => Method::Plain,
            Way::Published => Method::Published,
            Way::FollowUps => Method::FollowUps,
            Way::Random => Method::Random,
        }
    }
}

/// Means over repetitions.
#[derive(Debug, Default)]
pub(crate) struct Means {
    repetitions: u64,
    tests: f64,
    groups: f64,
    ordered: f64,
    sources: f64,
    relations: f64,
}

/// Makes concrete tests several times, with one seed after the other.
pub(crate) fn repeat(
    model: &Model,
    way: Way,
    config: &Config,
    richness: Richness,
    repetitions: u64,
) -> Result<Means, Error> {
    let mut means = Means { repetitions, ..Means::default() };
    for turn in 0..repetitions {
        let config = Config { seed: config.seed.wrapping_add(turn), ..*config };
        let (rows, planned) = make(model, way.method(), &config, richness)?;
        let stage = concretise(model, &rows, &planned, &mut Random::new(config.seed));
        let found = matches(model, &stage.tests);
        let share = |count: usize| count as f64 / repetitions as f64;
        means.tests += share(stage.tests.len());
        means.groups += share(distinct(&found).len());
        means.ordered += share(found.len());
        means.sources += share(found.iter().map(|group| group.tests[0]).collect::<BTreeSet<_>>().len());
        means.relations += share(found.iter().map(|group| group.relation).collect::<BTreeSet<_>>().len());
    }
    Ok(means)
}

impl Means {
    pub(crate) fn json(&self) -> Json {
        json!({ "repetitions": self.repetitions, "tests": self.tests, "groups": self.groups,
            "ordered_groups": self.ordered, "source_rows": self.sources, "relations": self.relations })
    }

    pub(crate) fn human(&self) -> String {
        let mut text = format!("means of {} repetitions\n", self.repetitions);
        let lines = [
            ("tests", self.tests),
            ("groups", self.groups),
            ("groups, both ways counted", self.ordered),
            ("tests that are a source", self.sources),
            ("relations with a group", self.relations),
        ];
        for (name, mean) in lines {
            let _ = writeln!(text, "  {name}: {mean:.2}");
        }
        text
    }
}
