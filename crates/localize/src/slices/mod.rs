//! Dynamic and relevant slices of a group's runs: which instructions truly affected what the relation checked.
//!
//! The group is run once more on the interpreter, which records for every executed instruction what made the values that it read, and which branch decided
//! that it is executed. The slice of the checked values is the closure backwards (Agrawal and Horgan, 1990); a *relevant* slice also follows branches that
//! left a value as it was and would have changed it on another way (Gyimóthy, Beszédes and Forgács, 1999), so that an omitted assignment is not lost.
//! A metamorphic slice is the union over the runs.

mod closure;
mod evidence;

use std::collections::BTreeSet;

use twinrun_base::{Inputs, Sites};
use twinrun_interp::Concrete;
use twinrun_interp::group::{GroupError, Observation, Prepared, run_group};
use twinrun_interp::module::Item;
use twinrun_interp::observers::dependence::{Dependence, Event};

pub use closure::backwards;
pub use evidence::{Share, evidence};

/// What a slice follows.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum SliceKind {
    /// Data and control dependence.
    Dynamic,
    /// Also potential dependence.
    Relevant,
}

/// What a slice starts from.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum Criterion {
    /// The values that the relation checks.
    Checks,
    /// The values that it labels as outputs.
    Outputs,
    /// Only those with this label.
    Output(String),
}

/// The slices of one group.
#[derive(Clone, Debug)]
pub struct GroupSlices {
    /// How the group ended.
    pub observation: Observation,
    /// For each run the instructions of its slice, by offset from the code section's payload of its module.
    pub runs: Vec<BTreeSet<u32>>,
    /// How many instructions were executed, in runs or outside.
    pub executed: usize,
}

impl GroupSlices {
    /// The metamorphic slice: the union over the runs of the relation's own module.
    pub fn union(&self) -> BTreeSet<u32> {
        let own = self.observation.runs.iter().zip(&self.runs).filter(|(record, _)| record.program.is_none());
        own.flat_map(|(_, slice)| slice).copied().collect()
    }
}

/// Runs a group on the interpreter and slices its runs.
pub fn slice_group(
    prepared: &Prepared<Concrete>,
    relation: u32,
    inputs: &mut dyn Inputs,
    kind: SliceKind,
    criterion: &Criterion,
) -> Result<GroupSlices, GroupError> {
    let mut dependence = match kind {
        SliceKind::Dynamic => Dependence::new(),
        SliceKind::Relevant => Dependence::with_potential(),
    };
    let observation = run_group(prepared, relation, inputs, &mut dependence)?;
    let starts = criteria(prepared, &dependence, &observation, criterion);
    let in_slice = backwards(&dependence, &starts, |event| is_stack_pointer(prepared, &dependence, event));
    let mut runs = Vec::new();
    for (index, record) in observation.runs.iter().enumerate() {
        let mut slice = BTreeSet::new();
        for event in dependence.runs.get(index).cloned().unwrap_or_default() {
            if in_slice[event as usize]
                && let Some(offset) = offset(prepared, record.program, &dependence, event)
            {
                slice.insert(offset);
            }
        }
        runs.push(slice);
    }
    Ok(GroupSlices { observation, runs, executed: dependence.len() - 1 })
}

/// The blocks of the site table that a slice touches.
pub fn blocks(sites: &Sites, slice: &BTreeSet<u32>) -> Vec<bool> {
    sites.blocks.iter().map(|block| slice.range(block.offset..block.end).next().is_some()).collect()
}

/// The events at which a slice starts: the calls of the relation that check or label values.
fn criteria(
    prepared: &Prepared<Concrete>,
    dependence: &Dependence,
    observation: &Observation,
    criterion: &Criterion,
) -> Vec<Event> {
    let prefix = match criterion {
        Criterion::Checks => "check",
        Criterion::Outputs | Criterion::Output(_) => "output",
    };
    // The relation's module is the first instance: its imports have the first addresses, in order.
    let functions = prepared.module.imports.iter().filter(|import| matches!(import.item, Item::Function(_)));
    let wanted: Vec<bool> = functions
        .map(|import| import.module == twinrun_base::abi::MODULE && import.name.starts_with(prefix))
        .collect();
    let calls = dependence.host_calls.iter();
    let events = calls
        .filter(|(_, function)| wanted.get(*function as usize).is_some_and(|wanted| *wanted))
        .map(|(event, _)| *event);
    match criterion {
        // Labels come in the order of the calls.
        Criterion::Output(label) => {
            let labels = observation.runs.iter().flat_map(|run| &run.run.outputs);
            events.zip(labels).filter(|(_, (name, _))| name == label).map(|(event, _)| event).collect()
        }
        Criterion::Checks | Criterion::Outputs => events.collect(),
    }
}

/// Where an event stands: its function's index in the module, relative to where the module's functions start in the state.
fn offset(
    prepared: &Prepared<Concrete>,
    program: Option<usize>,
    dependence: &Dependence,
    event: Event,
) -> Option<u32> {
    let at = dependence.event(event).at;
    let own = prepared.state.linked.functions.len() as u32;
    let (module, index) = match program {
        None if at.function < own => (&prepared.module, at.function),
        Some(program) if at.function >= own && at.function != u32::MAX => {
            (&prepared.programs[program].1, at.function - own)
        }
        _ => return None,
    };
    if index < module.imported_functions || index as usize >= module.functions.len() {
        return None;
    }
    module.code(index).offsets.get(at.pc as usize).copied()
}

/// Whether an event only moves the pointer of the stack in linear memory, on which every address of a local depends: following it would put the entry of
/// every open function into every slice.
fn is_stack_pointer(prepared: &Prepared<Concrete>, dependence: &Dependence, event: Event) -> bool {
    let at = dependence.event(event).at;
    let own = prepared.state.linked.functions.len() as u32;
    let modules = [&prepared.module].into_iter().chain(prepared.programs.iter().map(|(_, module)| module));
    let (first, candidates) = if at.function < own {
        (0, modules.take(1).collect::<Vec<_>>())
    } else {
        (own, modules.skip(1).collect())
    };
    candidates.iter().any(|module| module.moves_stack_pointer(at.function.wrapping_sub(first), at.pc))
}

#[cfg(test)]
mod tests;
