//! Groups on the interpreter, unchanged or with a change somewhere.

use std::hash::{BuildHasher, BuildHasherDefault};

use rustc_hash::FxHasher;
use twinrun_base::{Case, Group, Inputs, Verdict};
use twinrun_interp::group::{End, GroupHost, Prepared, import_name};
use twinrun_interp::module::FunctionType;
use twinrun_interp::{Answer, Host, Imports, Observer, Outcome, Trap, call};
use twinrun_testing::replay::Replay;

use crate::error::Error;
use crate::perturbed::Perturbed;
use crate::subject::Subject;

/// A subject that is ready to run groups.
pub(crate) struct Groups {
    prepared: Prepared<Perturbed>,
}

/// What a group gave.
#[derive(Clone, Debug)]
pub(crate) struct Ran {
    pub(crate) verdict: Verdict,
    /// What the relation's checks compared, in order: both sides.
    pub(crate) compared: Vec<(u64, u64)>,
    pub(crate) work: u64,
}

impl Groups {
    pub(crate) fn new(subject: &Subject) -> Result<Groups, Error> {
        let mut prepared = Prepared::new(&subject.module, subject.limits, &mut Perturbed::nothing())?;
        for (name, program) in &subject.programs {
            prepared = prepared.with_program(name, program.clone());
        }
        Ok(Groups { prepared })
    }

    pub(crate) fn relation(&self, name: &str) -> Result<u32, Error> {
        Ok(self.prepared.relation(name)?)
    }

    /// All relations of the subject.
    pub(crate) fn relations(&self) -> impl Iterator<Item = (&str, u32)> {
        self.prepared.relations.iter().map(|(name, function)| (name.as_str(), *function))
    }

    /// Runs a group with a change, doing at most so much work.
    pub(crate) fn run<O: Observer>(
        &self,
        relation: u32,
        inputs: &mut dyn Inputs,
        mut domain: Perturbed,
        work: u64,
        observer: &mut O,
    ) -> Ran {
        let mut state = self.prepared.state.clone();
        state.limits.work = work.min(state.limits.work);
        let mut host = Recording { host: self.prepared.host(inputs), compared: Vec::new() };
        let outcome = call(&mut state, &mut domain, &mut host, observer, relation, &[]);
        let verdict = match (outcome, &host.host.records.end) {
            (Outcome::Finished, _) => Verdict::Holds,
            (Outcome::Trapped(Trap::Work | Trap::Cut), _) => Verdict::Timeout,
            (_, Some(End::Discard)) => Verdict::Discarded,
            (_, Some(End::Check(..))) => Verdict::Violated,
            _ => Verdict::Crashed,
        };
        Ran { verdict, compared: host.compared, work: state.work }
    }

    /// Runs a case with a change.
    pub(crate) fn replay(&self, relation: u32, case: &Case, domain: Perturbed, work: u64) -> Ran {
        let mut replay = Replay::default();
        replay.begin(case);
        self.run(relation, &mut replay, domain, work, &mut ())
    }

    /// Runs a case as it is and tells all about it.
    pub(crate) fn explain(&self, relation: u32, case: &Case) -> Result<Group, Error> {
        let mut replay = Replay::default();
        replay.begin(case);
        let mut state = self.prepared.state.clone();
        let mut host = Recording { host: self.prepared.host(&mut replay), compared: Vec::new() };
        let outcome = call(&mut state, &mut Perturbed::nothing(), &mut host, &mut (), relation, &[]);
        let observation = self.prepared.conclude(&state, host.host.records, outcome)?;
        Ok(Group {
            case: replay.drawn(),
            verdict: observation.verdict,
            runs: observation.runs.into_iter().map(|record| record.run).collect(),
            check: observation.check,
            crash: observation.crash,
            work: observation.work,
        })
    }
}

/// A host that notes what checks compare.
struct Recording<'a> {
    host: GroupHost<'a>,
    compared: Vec<(u64, u64)>,
}

impl Imports<Perturbed> for Recording<'_> {
    fn resolve(&mut self, module: &str, name: &str, ty: &FunctionType) -> Option<u32> {
        Imports::<Perturbed>::resolve(&mut self.host, module, name, ty)
    }

    fn call(
        &mut self,
        function: u32,
        step: u32,
        host: &mut Host<'_, Perturbed>,
    ) -> Result<Answer<u64>, Trap> {
        match import_name(function) {
            Some("check") => self.compared.push((host.peek(0), 1)),
            Some("check_int") => self.compared.push((host.peek(2), host.peek(3))),
            Some("check_float") => self.compared.push((host.peek(1), host.peek(2))),
            Some("check_bytes") => {
                let mut side = |at: usize| {
                    let bytes = host.read(host.peek(at) as u32, host.peek(at + 1) as u32)?;
                    Ok(BuildHasherDefault::<FxHasher>::default().hash_one(&bytes))
                };
                self.compared.push((side(0)?, side(2)?));
            }
            _ => {}
        }
        self.host.call(function, step, host)
    }
}
