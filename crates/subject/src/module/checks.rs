//! Which instructions of a checked build belong to clang's checks: branches around a handler call, and the calls.

use std::collections::BTreeSet;

use wasmparser::{FunctionBody, Operator};

use super::decode::Decoded;
use super::unsupported;
use crate::error::Error;

/// Offsets of the instructions of checks in one body.
#[derive(Default)]
pub(super) struct Checks {
    /// Branches one of whose ways leads straight to a handler.
    pub(super) branches: BTreeSet<u32>,
    /// Calls of a handler.
    pub(super) calls: BTreeSet<u32>,
}

/// Functions that checks call, by their indices.
pub(super) struct Handlers {
    /// Those that end a run: imports.
    ends: BTreeSet<u32>,
    /// What clang calls before anything that does not come back: part of `bounds.c`, and nobody's call.
    before: Option<u32>,
}

/// The handlers of a checked build; none in other modules.
pub(super) fn handlers(decoded: &Decoded<'_>) -> Option<Handlers> {
    let functions = decoded.imports.iter().filter(|import| import.function).zip(0u32..);
    let is_handler = |module: &str, name: &str| {
        module == unsupported::MODULE && unsupported::sanitizer_check(name).is_some()
    };
    let ends: BTreeSet<u32> = functions
        .filter(|(import, _)| is_handler(&import.module, &import.name))
        .map(|(_, index)| index)
        .collect();
    let before = decoded.names.iter().find(|(_, name)| **name == "__asan_handle_no_return");
    (!ends.is_empty()).then_some(Handlers { ends, before: before.map(|(index, _)| *index) })
}

/// Finds the checks of one body.
pub(super) fn find(body: &FunctionBody<'_>, code: usize, handlers: &Handlers) -> Result<Checks, Error> {
    let operators: Vec<(Operator<'_>, usize)> =
        body.get_operators_reader()?.into_iter_with_offsets().collect::<Result<_, _>>()?;
    let operators = Operators { ends: ends(&operators), operators, handlers };
    let mut checks = Checks::default();
    let mut open: Vec<usize> = Vec::new();
    for (index, (operator, position)) in operators.operators.iter().enumerate() {
        let offset = (position - code) as u32;
        let other = match operator {
            Operator::Call { function_index } if handlers.ends.contains(function_index) => {
                checks.calls.insert(offset);
                None
            }
            Operator::Block { .. } | Operator::Loop { .. } => {
                open.push(index);
                None
            }
            Operator::If { .. } => {
                open.push(index);
                Some(operators.ends[index].0)
            }
            Operator::End => {
                open.pop();
                None
            }
            Operator::BrIf { relative_depth } => {
                let label = open.len().checked_sub(1 + *relative_depth as usize).map(|label| open[label]);
                label.map(|label| match operators.operators[label].0 {
                    Operator::Loop { .. } => label + 1,
                    _ => operators.ends[label].1 + 1,
                })
            }
            _ => None,
        };
        if let Some(other) = other
            && (operators.reach_handler(index + 1) || operators.reach_handler(other))
        {
            checks.branches.insert(offset);
        }
    }
    Ok(checks)
}

struct Operators<'o> {
    operators: Vec<(Operator<'o>, usize)>,
    /// For each opening instruction: where its other way goes on (behind `else`, or behind `end`), and its `end`.
    ends: Vec<(usize, usize)>,
    handlers: &'o Handlers,
}

impl Operators<'_> {
    /// Whether straight code from `index` on calls a handler, or traps at once, as the check of local bounds does.
    fn reach_handler(&self, index: usize) -> bool {
        let mut calls = false;
        for (operator, _) in self.operators.iter().skip(index) {
            match operator {
                Operator::Call { function_index } if self.handlers.ends.contains(function_index) => {
                    return true;
                }
                Operator::Call { function_index } if self.handlers.before == Some(*function_index) => {}
                Operator::Unreachable => return !calls,
                Operator::Call { .. } | Operator::CallIndirect { .. } => calls = true,
                Operator::If { .. } | Operator::Else | Operator::Loop { .. } | Operator::Return => {
                    return false;
                }
                Operator::Br { .. } | Operator::BrIf { .. } | Operator::BrTable { .. } => return false,
                _ => {}
            }
        }
        false
    }
}

fn ends(operators: &[(Operator<'_>, usize)]) -> Vec<(usize, usize)> {
    let mut ends = vec![(0, 0); operators.len()];
    let mut open = Vec::new();
    for (index, (operator, _)) in operators.iter().enumerate() {
        match operator {
            Operator::Block { .. } | Operator::Loop { .. } | Operator::If { .. } => open.push(index),
            Operator::Else => {
                if let Some(opener) = open.last() {
                    ends[*opener].0 = index + 1;
                }
            }
            Operator::End => {
                if let Some(opener) = open.pop() {
                    ends[opener].1 = index;
                    if ends[opener].0 == 0 {
                        ends[opener].0 = index + 1;
                    }
                }
            }
            _ => {}
        }
    }
    ends
}
