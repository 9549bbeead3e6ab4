//! Execution.

mod bulk;
mod code;
mod host;

use twinrun_base::work::{self, price};

use crate::domain::{Domain, Position};
use crate::imports::Imports;
use crate::observers::Observer;
use crate::state::{Body, State};
use crate::trap::Trap;

/// How a run came to rest.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Outcome<V> {
    /// The outermost call returned: see [`State::results`].
    Finished,
    /// It trapped; the frames stand as they were, each at the instruction that it was executing or that follows its call.
    Trapped(Trap),
    /// The domain suspended a branch; go on with [`State::force`].
    Suspended {
        /// Where.
        at: Position,
        /// What is tested: an i32.
        condition: V,
        /// How many outcomes there are.
        outcomes: u32,
    },
    /// A mark was reached.
    Paused,
}

/// Runs the open calls of a state to their end, or until something stops them.
pub fn run<D: Domain, I: Imports<D>, O: Observer>(
    state: &mut State<D>,
    domain: &mut D,
    imports: &mut I,
    observer: &mut O,
) -> Outcome<D::Value> {
    let before = state.work;
    let outcome = run_open(state, domain, imports, observer);
    work::charge(price::RUN + state.work.saturating_sub(before) * D::PRICE);
    outcome
}

fn run_open<D: Domain, I: Imports<D>, O: Observer>(
    state: &mut State<D>,
    domain: &mut D,
    imports: &mut I,
    observer: &mut O,
) -> Outcome<D::Value> {
    loop {
        let Some(frame) = state.frames.last() else { return Outcome::Finished };
        let linked = state.linked.clone();
        let stop = match linked.functions[frame.function as usize].body {
            Body::Host(function) => host::resume(state, domain, imports, observer, function),
            Body::Code(..) => code::run(&linked, state, domain, imports, observer),
        };
        drop(linked);
        match stop {
            Stop::Switch => {}
            Stop::Suspended(at, condition, outcomes) => {
                return Outcome::Suspended { at, condition, outcomes };
            }
            Stop::Paused => return Outcome::Paused,
            Stop::Trap(Trap::Exit(code)) => {
                // A program ends where the host entered it.
                let host = |frame: &crate::state::Frame| {
                    matches!(state.linked.functions[frame.function as usize].body, Body::Host(_))
                };
                let Some(entered) = state.frames.iter().rposition(host) else {
                    return Outcome::Trapped(Trap::Exit(code));
                };
                for open in (entered + 2..=state.frames.len()).rev() {
                    observer.leave(open, 0);
                }
                state.frames.truncate(entered + 1);
                state.results.clear();
                state.exit = Some(code);
            }
            Stop::Trap(trap) => return Outcome::Trapped(trap),
        }
    }
}

/// Calls a function and runs it to its end.
pub fn call<D: Domain, I: Imports<D>, O: Observer>(
    state: &mut State<D>,
    domain: &mut D,
    imports: &mut I,
    observer: &mut O,
    function: u32,
    arguments: &[D::Value],
) -> Outcome<D::Value> {
    state.enter(domain, function, arguments);
    entered(state, observer);
    run(state, domain, imports, observer)
}

/// Tells the observer of a call that was just opened from outside code.
fn entered<D: Domain, O: Observer>(state: &State<D>, observer: &mut O) {
    if let Some(frame) = state.frames.last()
        && let Body::Code(instance, index) = state.linked.functions[frame.function as usize].body
    {
        let code = state.linked.instances[instance as usize].module.code(index);
        observer.enter(frame.function, state.frames.len(), code, frame.base, instance);
    }
}

/// Why the execution of code or of a host function stops for the moment.
enum Stop<V> {
    /// The innermost frame is another one, or nothing.
    Switch,
    Trap(Trap),
    Suspended(Position, V, u32),
    Paused,
}
