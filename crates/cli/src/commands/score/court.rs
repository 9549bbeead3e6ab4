//! Where mutants are judged: on all cores, or elsewhere.

use std::collections::BTreeMap;

use twinrun_base::{Hash, cut};
use twinrun_campaign::remote::Blob;
use twinrun_campaign::{Campaign, Config, Entry};
use twinrun_subject::Project;
use twinrun_testing::engine::Modules;

use super::judge::{Judged, Outputs};
use super::{Fate, Score};
use crate::apart::Away;
use crate::apart::score::{Mutated, Trial, attend, remote};
use crate::error::Error;
use crate::targets::Ready;

/// Mutants that are made before they are judged together: their modules are in memory at once.
pub(super) const BATCH: usize = 64;

/// What can be said of a mutant before it is judged.
pub(super) enum Candidate {
    /// Nothing has to be run.
    Settled(Fate),
    /// Its modules.
    Modules { modules: Modules, in_place: bool },
}

/// Judges mutants of one subject.
pub(super) struct Court<'a> {
    pub(super) project: &'a Project,
    pub(super) original: &'a Ready,
    pub(super) expected: &'a Outputs,
    pub(super) options: &'a Score,
    pub(super) away: Option<&'a Away>,
    pub(super) quiet: bool,
}

impl Court<'_> {
    /// Progress, and whether to go on.
    pub(super) fn goes_on(&self, done: usize, total: usize) -> bool {
        let stopped = cut::is_requested();
        if !stopped && !self.quiet {
            eprintln!("{}: {done} of {total} mutants", self.original.name);
        }
        !stopped
    }

    /// Judges mutants; nothing is said of those for which no time was left.
    pub(super) fn judge(&self, candidates: Vec<Candidate>) -> Result<Vec<Option<Judged>>, Error> {
        let Score { seed, cases, .. } = *self.options;
        let identity = match self.original.relations.first() {
            Some(relation) => self.original.target(relation)?.identity(),
            None => Hash::of([&self.original.name]),
        };
        let mut blobs: Vec<Blob> = Vec::new();
        let mut judged: Vec<Option<Judged>> = Vec::new();
        let (mut trials, mut places) = (Vec::new(), Vec::new());
        for candidate in candidates {
            match candidate {
                Candidate::Settled(fate) => judged.push(Some(Judged::unrun(fate))),
                Candidate::Modules { modules, in_place } => {
                    let mutant = Mutated::of(&modules, in_place, &mut blobs);
                    trials.push(Trial::new(identity, self.original.name.clone(), mutant, seed, cases));
                    places.push(judged.len());
                    judged.push(None);
                }
            }
        }
        let failed = |error: twinrun_campaign::Error| Error::Infrastructure(error.to_string());
        let remote = self.away.map(|away| remote(away, self.project, self.original, self.expected, &blobs));
        let config = Config { remote, ..Config::default() };
        let contents: BTreeMap<&str, &Blob> = blobs.iter().map(|blob| (blob.hash.as_str(), blob)).collect();
        let fetch = |hash: &str| {
            contents.get(hash).map(|blob| blob.bytes.to_vec()).ok_or_else(|| "the mutant is gone".to_owned())
        };
        let work = |trial: &Trial, context: &twinrun_campaign::Context<'_>| {
            attend(self.original, self.expected, trial, &fetch, context)
        };
        let mut campaign = Campaign::in_memory("score").map_err(failed)?;
        let outcome = campaign.run(&trials, &config, work, |_| ()).map_err(failed)?;
        for (place, entry) in places.into_iter().zip(outcome.entries) {
            match entry {
                Entry::Finished(answer) => judged[place] = Some(answer),
                Entry::Failed(message) => return Err(Error::Infrastructure(message)),
                Entry::Open => {}
            }
        }
        Ok(judged)
    }
}
