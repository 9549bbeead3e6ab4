//! The branches that the runs of a group decide, side by side.

use std::collections::BTreeMap;

use twinrun_base::{Case, Sites};
use twinrun_interp::Concrete;
use twinrun_interp::group::{Prepared, run_group};
use twinrun_interp::observers::branches::{Branches, Event};
use twinrun_testing::replay::Replay;

use crate::align::align;
use crate::error::Error;
use crate::outcome::{Aligned, Site};

/// Rows of two traces that are kept; what lies beyond is counted.
const MOST: usize = 100_000;

/// A branch of the site table with its outcome.
type Step = (u32, u32);

/// A subject that can be traced.
pub(crate) struct Tracer<'a> {
    prepared: Prepared<Concrete>,
    sites: &'a Sites,
}

impl<'a> Tracer<'a> {
    pub(crate) fn new(subject: &'a twinrun_debug::Subject) -> Result<Tracer<'a>, Error> {
        let failed = |error: twinrun_interp::group::GroupError| Error::Failed(error.to_string());
        let mut prepared = Prepared::new(&subject.module, subject.limits, &mut Concrete).map_err(failed)?;
        for (name, program) in &subject.programs {
            prepared = prepared.with_program(name, program.clone());
        }
        // Where relations run a whole program, only that one runs inside runs.
        let sites = subject.sites.get(1).or(subject.sites.first());
        let sites = sites.ok_or_else(|| Error::Failed("the subject has no site table".to_owned()))?;
        Ok(Tracer { prepared, sites })
    }

    /// The branches of each run.
    pub(crate) fn runs(&self, relation: &str, case: &Case) -> Result<Vec<Vec<Step>>, Error> {
        let failed = |error: twinrun_interp::group::GroupError| Error::Failed(error.to_string());
        let function = self.prepared.relation(relation).map_err(failed)?;
        let mut replay = Replay::default();
        replay.begin(case);
        let mut branches = Branches::of_user_code();
        run_group(&self.prepared, function, &mut replay, &mut branches).map_err(failed)?;
        let step = |event: &Event| match *event {
            Event::User { branch, outcome } => Some((branch, outcome)),
            Event::Other { .. } => None,
        };
        Ok(branches
            .runs
            .iter()
            .map(|run| branches.trace[run.clone()].iter().filter_map(step).collect())
            .collect())
    }

    /// Two traces side by side.
    pub(crate) fn aligned(&self, left: (&str, &[Step]), right: (&str, &[Step])) -> Aligned {
        let cut = |steps: &[Step]| steps.len().min(MOST);
        let (one, two) = (&left.1[..cut(left.1)], &right.1[..cut(right.1)]);
        let left_out = (left.1.len() - one.len()).max(right.1.len() - two.len()) as u64;
        let mut numbers: BTreeMap<Step, i32> = BTreeMap::new();
        let mut sites = Vec::new();
        let mut number = |step: Option<Step>| {
            let Some(step) = step else { return -1 };
            *numbers.entry(step).or_insert_with(|| {
                sites.push(self.site(step));
                sites.len() as i32 - 1
            })
        };
        let mut rows = Vec::new();
        for (a, b) in align(one, two) {
            rows.push((number(a), number(b)));
        }
        Aligned { left: left.0.to_owned(), right: right.0.to_owned(), sites, rows, left_out }
    }

    fn site(&self, (branch, outcome): Step) -> Site {
        let branch = self.sites.branches.get(branch as usize);
        let place = branch.and_then(|branch| branch.place).map(|place| self.sites.location(place));
        let function = branch.and_then(|branch| self.sites.functions.get(branch.function as usize));
        let (file, line, column) = place.map_or((String::new(), 0, 0), |at| (at.file, at.line, at.column));
        let function = function.map(|function| function.name.clone()).unwrap_or_default();
        Site { file, line, column, function, outcome }
    }
}
