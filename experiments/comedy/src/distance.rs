//! Branch distance: how many different branch statements lie between the named branch and the fault, on the failing trace.

use std::collections::{BTreeMap, BTreeSet};

use twinrun_base::{Case, Limits};
use twinrun_interp::code::Code;
use twinrun_interp::group::{Prepared, run_group};
use twinrun_interp::instr::Instr;
use twinrun_interp::module::LoadOptions;
use twinrun_interp::{Concrete, Observer, Position, Segment};
use twinrun_subject::Module;
use twinrun_testing::replay::Replay;
use twinrun_whatif::{Fault, FaultKind};

/// A failing trace: the statements of its branches, and where the fault occurs.
#[derive(Debug, Default)]
pub(crate) struct Trace {
    pub(crate) statements: Vec<u32>,
    /// Positions of faulty branches (c_j), from 0.
    branches: Vec<usize>,
    /// Faulty assignments: how many branches come before them (α_j follows c_{j-1}).
    assignments: Vec<usize>,
}

impl Trace {
    /// The least distance of the branch at `index` to an occurrence of the fault.
    ///
    /// With c_i named and the fault in c_j: the number of different statements c_k with i < k ≤ j or j ≤ k < i. For a fault in the
    /// assignments α_j, which stand before c_j: that number plus 1 if j ≤ i, minus 1 if j > i.
    pub(crate) fn distance(&self, index: usize) -> Option<u32> {
        let between = |from: usize, to: usize| {
            let range = &self.statements[from.min(self.statements.len())..to.min(self.statements.len())];
            range.iter().collect::<BTreeSet<_>>().len() as u32
        };
        let to_branch = |j: usize| if j > index { between(index + 1, j + 1) } else { between(j, index) };
        let branches = self.branches.iter().map(|&j| to_branch(j));
        let assignments = self.assignments.iter().map(|&j| {
            if j <= index {
                to_branch(j) + 1
            } else if j < self.statements.len() {
                to_branch(j) - 1
            } else {
                // After the last branch there is no c_j to leave out.
                between(index + 1, j)
            }
        });
        branches.chain(assignments).min()
    }
}

/// Runs the failing case on a module and finds the fault on its trace.
pub(crate) fn trace(
    module: &Module,
    file: &str,
    fault: &Fault,
    relation: &str,
    case: &Case,
    limits: Limits,
) -> Option<Trace> {
    let sites = std::sync::Arc::new(module.sites.clone());
    let options = LoadOptions { sites: Some(sites), ..LoadOptions::default() };
    let loaded = std::sync::Arc::new(twinrun_interp::Module::new(&module.bytes, options).ok()?);
    let prepared = Prepared::new(&loaded, limits, &mut Concrete).ok()?;
    let relation = prepared.relation(relation).ok()?;
    let mut replay = Replay::default();
    replay.begin(case);
    let mut watch =
        Watch { module, file, fault, open: false, known: BTreeMap::new(), trace: Trace::default() };
    run_group(&prepared, relation, &mut replay, &mut watch).ok()?;
    Some(watch.trace)
}

struct Watch<'a> {
    module: &'a Module,
    file: &'a str,
    fault: &'a Fault,
    open: bool,
    /// Whether an instruction belongs to the fault.
    known: BTreeMap<Position, bool>,
    trace: Trace,
}

impl Watch<'_> {
    fn is_fault(&self, offset: u32) -> bool {
        self.module.place_at(offset).is_some_and(|place| {
            let place = (self.module.sites.location(place), (place.line, place.column));
            place.0.file == self.file && place.1 >= self.fault.from && place.1 < self.fault.to
        })
    }

    fn is_fault_statement(&self, statement: u32) -> bool {
        let place = self.module.sites.statements[statement as usize].place;
        self.module.sites.location(place).file == self.file && (place.line, place.column) == self.fault.from
    }
}

impl Observer for Watch<'_> {
    const INSTRUCTIONS: bool = true;

    fn instruction(&mut self, at: Position, _frame: usize, code: &Code, instr: Instr) {
        if !self.open
            || self.fault.kind == FaultKind::Branch
            || matches!(instr, Instr::Block { .. } | Instr::Loop)
        {
            return;
        }
        let hit = match self.known.get(&at) {
            Some(hit) => *hit,
            None => {
                let hit = self.is_fault(code.offsets[at.pc as usize]);
                self.known.insert(at, hit);
                hit
            }
        };
        let here = self.trace.statements.len();
        if hit && self.trace.assignments.last() != Some(&here) {
            self.trace.assignments.push(here);
        }
    }

    fn branch(&mut self, at: Position, code: &Code, _outcome: u32) {
        let Some(site) = code.site(at.pc).filter(|_| self.open) else { return };
        let statement = self.module.sites.branches[site as usize].statement;
        if self.fault.kind == FaultKind::Branch && statement.is_some_and(|it| self.is_fault_statement(it)) {
            self.trace.branches.push(self.trace.statements.len());
        }
        // A branch of no known statement is one by itself.
        self.trace.statements.push(statement.unwrap_or(0x8000_0000 + site));
    }

    fn segment(&mut self, segment: Segment) {
        self.open = segment != Segment::End;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(branches: &[usize], assignments: &[usize], named: usize, expected: u32) {
        // α0 c0=A α1 c1=B α2 c2=A α3 c3=C α4
        let statements = vec![1, 2, 1, 3];
        let trace = Trace { statements, branches: branches.to_vec(), assignments: assignments.to_vec() };
        assert_eq!(trace.distance(named), Some(expected), "{branches:?} {assignments:?} from {named}");
    }

    #[test]
    fn the_distance_counts_different_statements() {
        check(&[1], &[], 1, 0);
        check(&[3], &[], 0, 3);
        check(&[0], &[], 3, 2);
        check(&[0, 3], &[], 2, 1);
    }

    #[test]
    fn assignments_right_after_the_branch_have_distance_0() {
        check(&[], &[2], 1, 0);
        check(&[], &[1], 1, 1);
        check(&[], &[3], 1, 1);
        check(&[], &[4], 3, 0);
        check(&[], &[4], 1, 2);
    }
}
