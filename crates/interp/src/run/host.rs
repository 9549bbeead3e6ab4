//! Calls of host functions.

use crate::domain::{Domain, Position};
use crate::imports::{Answer, Host, Imports};
use crate::natives::NATIVE;
use crate::observers::{HostCall, Observer};
use crate::run::Stop;
use crate::state::{Frame, State};
use crate::trap::Trap;

/// Calls the host function whose arguments stand at `base`. When it enters a function, frames for both are opened and true is returned;
/// otherwise its results stand at `base`.
#[expect(clippy::too_many_arguments, reason = "the four parts of a machine, and the call itself")]
pub(super) fn call<D: Domain, I: Imports<D>, O: Observer>(
    state: &mut State<D>,
    domain: &mut D,
    imports: &mut I,
    observer: &mut O,
    at: Position,
    address: u32,
    function: u32,
    step: u32,
    base: usize,
) -> Result<bool, Trap> {
    if function == NATIVE {
        // Called through a table, which the compiler never does.
        return Err(Trap::Unreachable);
    }
    let mut results = Vec::new();
    let mut touched = Vec::new();
    let instance = state.instance().unwrap_or(0);
    let params = state.function_type(address).params.len();
    let mut host = Host {
        domain,
        state,
        instance,
        base,
        params,
        results: &mut results,
        segment: None,
        touched: &mut touched,
    };
    let answer = imports.call(function, step, &mut host);
    let segment = host.segment;
    if O::MEMORY {
        observer.host(&HostCall {
            at,
            function: address,
            base,
            params,
            results: results.len(),
            touched: &touched,
        });
    }
    if let Some(segment) = segment {
        observer.segment(segment);
    }
    match answer? {
        Answer::Return => {
            let end = base + results.len();
            if state.stack.len() < end {
                let zero = domain.constant(crate::ops::Type::I32, 0);
                state.stack.resize(end, zero);
            }
            state.stack[base..end].copy_from_slice(&results);
            Ok(false)
        }
        Answer::Enter { function, arguments, step } => {
            if step_is_first(state, address, base) {
                state.frames.push(Frame { function: address, pc: step, base: base as u32 });
            } else if let Some(frame) = state.frames.last_mut() {
                frame.pc = step;
            }
            state.results.clear();
            state.exit = None;
            state.enter(domain, function, &arguments);
            super::entered(state, observer);
            Ok(true)
        }
    }
}

/// Whether the host function has no frame yet.
fn step_is_first<D: Domain>(state: &State<D>, address: u32, base: usize) -> bool {
    state.frames.last().is_none_or(|frame| frame.function != address || frame.base as usize != base)
}

/// Goes on in the innermost frame, which is the host's: at first, or after the function that it entered has returned.
pub(super) fn resume<D: Domain, I: Imports<D>, O: Observer>(
    state: &mut State<D>,
    domain: &mut D,
    imports: &mut I,
    observer: &mut O,
    function: u32,
) -> Stop<D::Value> {
    let Some(&frame) = state.frames.last() else { return Stop::Switch };
    let at = Position { function: frame.function, pc: frame.pc };
    match call(state, domain, imports, observer, at, frame.function, function, frame.pc, frame.base as usize)
    {
        Err(trap) => Stop::Trap(trap),
        Ok(true) => Stop::Switch,
        Ok(false) => {
            state.frames.pop();
            if state.frames.is_empty() {
                let results = state.function_type(frame.function).results.len();
                let base = frame.base as usize;
                state.results = state.stack[base..base + results].to_vec();
            }
            Stop::Switch
        }
    }
}
