//! Processes that a dialogue has ended with: the next one of the same kind on this thread begins with `(reset)` instead of a start, which costs ten times as much.
//!
//! After a reset a process answers as a fresh one does and counts its work alike (a test compares both), so that an answer still depends on its job alone. Only Z3 is kept: of
//! the others this was not looked at.

use std::cell::RefCell;
use std::path::PathBuf;

use crate::process::Process;
use crate::program::{Kind, Program};
use crate::session::Logic;

/// So many of one kind are kept, and so many in all: each holds some memory.
const MOST_ALIKE: usize = 2;
const MOST: usize = 6;

/// What must be the same. Options such as the choice of an arithmetic outlive a reset, and follow from the logic.
#[derive(Clone, PartialEq, Eq, Debug)]
struct Kept {
    path: PathBuf,
    memory_megabytes: u64,
    logic: Logic,
}

thread_local! {
    static SPARE: RefCell<Vec<(Kept, Process)>> = const { RefCell::new(Vec::new()) };
}

fn kept(program: &Program, memory_megabytes: u64, logic: Logic) -> Kept {
    Kept { path: program.path.clone(), memory_megabytes, logic }
}

/// A process that was used before and knows nothing any more.
pub(crate) fn take(program: &Program, memory_megabytes: u64, logic: Logic) -> Option<Process> {
    let wanted = kept(program, memory_megabytes, logic);
    SPARE.with_borrow_mut(|spare| {
        // One that has ended since (a signal reaches all processes of a terminal) is none.
        spare.retain_mut(|(_, process)| process.is_alive());
        let place = spare.iter().rposition(|(kept, _)| *kept == wanted)?;
        Some(spare.remove(place).1)
    })
}

/// Keeps a process that has answered everything it was asked.
pub(crate) fn give(program: &Program, memory_megabytes: u64, logic: Logic, mut process: Process) {
    if program.kind != Kind::Z3 || !process.is_silent() || process.say("(reset)\n").is_err() {
        return;
    }
    let own = kept(program, memory_megabytes, logic);
    // While a thread ends there is no place any more: the process ends with it.
    let _ = SPARE.try_with(|spare| {
        let Ok(mut spare) = spare.try_borrow_mut() else { return };
        if spare.iter().filter(|(kept, _)| *kept == own).count() >= MOST_ALIKE {
            return;
        }
        if spare.len() >= MOST {
            spare.remove(0);
        }
        spare.push((own, process));
    });
}

/// Ends them all.
#[cfg(test)]
pub(crate) fn clear() {
    SPARE.with_borrow_mut(Vec::clear);
}
