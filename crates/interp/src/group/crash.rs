//! From a trap to a crash that people understand: kind, sentence, stack. Kinds and words are the other engine's.

use twinrun_base::{CrashKind, Frame, Location};

use crate::domain::Domain;
use crate::group::Locator;
use crate::state::{Body, State};
use crate::trap::Trap;

/// The kind and the sentence for a trap.
pub(super) fn trapped<D: Domain>(state: &State<D>, trap: Trap) -> (CrashKind, String) {
    let (kind, words) = match trap {
        Trap::Unreachable => {
            (CrashKind::Unreachable, "the subject aborted (abort, a failed assertion or a panic)")
        }
        Trap::MemoryOutOfBounds => (CrashKind::OutOfBounds, "an access outside memory"),
        Trap::TableOutOfBounds | Trap::NullCall | Trap::UndefinedElement | Trap::SignatureMismatch => {
            (CrashKind::IndirectCall, "a call through a wrong function pointer")
        }
        Trap::DivisionByZero => (CrashKind::Division, "a division by zero"),
        Trap::IntegerOverflow => (CrashKind::Division, "a division that overflows"),
        Trap::BadConversion => (CrashKind::Conversion, "a conversion of a float that has no integer"),
        Trap::StackExhausted => (CrashKind::StackOverflow, "the stack is exhausted"),
        Trap::StackOverflow => {
            return (
                CrashKind::StackOverflow,
                format!("more than {} calls are open at once", state.limits.depth),
            );
        }
        Trap::MemoryLimit => {
            let (desired, limit) = (state.fault.0, state.limits.memory);
            return (
                CrashKind::MemoryLimit,
                format!("{desired} bytes of memory were asked for; the limit is {limit}"),
            );
        }
        Trap::Uninitialised => (CrashKind::Uninitialised, "an uninitialised value was used"),
        Trap::HeapOverrun | Trap::UseAfterFree => {
            let (kind, words) = match trap {
                Trap::HeapOverrun => (CrashKind::HeapOverrun, "heap overrun"),
                _ => (CrashKind::UseAfterFree, "use after free"),
            };
            let (address, width) = state.fault;
            return (kind, format!("{words}: access of {width} bytes at {address:#x}"));
        }
        Trap::Exit(code) => {
            return (
                CrashKind::Other("exit".to_owned()),
                format!("the subject ended the process with exit code {code}"),
            );
        }
        Trap::Work | Trap::Cut | Trap::Host | Trap::Domain => {
            return (CrashKind::Other(trap.to_string()), trap.to_string());
        }
    };
    (kind, words.to_owned())
}

/// The open calls, innermost first, of the program that runs or else of the relation.
pub(super) fn stack<D: Domain>(state: &State<D>, locator: Option<&Locator>) -> Vec<Frame> {
    frames(state, &state.frames, locator)
}

/// The same of calls that were open earlier.
pub(super) fn frames<D: Domain>(
    state: &State<D>,
    open: &[crate::state::Frame],
    locator: Option<&Locator>,
) -> Vec<Frame> {
    let linked = &state.linked;
    let mut stack = Vec::new();
    for (depth, frame) in open.iter().rev().enumerate() {
        let Body::Code(instance, index) = linked.functions[frame.function as usize].body else { break };
        let module = &linked.instances[instance as usize].module;
        let code = module.code(index);
        // A calling frame stands behind its call.
        let pc = if depth > 0 { frame.pc.saturating_sub(1) } else { frame.pc };
        let offset = code.offsets.get(pc as usize).copied();
        let sites = module.options.sites.as_deref();
        let site = sites.and_then(|sites| sites.functions.iter().find(|function| function.index == index));
        let function = match site {
            Some(function) => function.name.clone(),
            None => module.function_name(index).map_or_else(|| format!("function {index}"), str::to_owned),
        };
        let location = offset.and_then(|offset| match (locator, sites) {
            (Some(locator), _) => locator(offset),
            (None, Some(sites)) => place(sites, offset),
            _ => None,
        });
        stack.push(Frame { function, location });
    }
    stack
}

/// The source location of an instruction from the site table: that of its branch or block.
fn place(sites: &twinrun_base::Sites, offset: u32) -> Option<Location> {
    if let Some(place) = sites.branch_at(offset).and_then(|branch| sites.branches[branch].place) {
        return Some(sites.location(place));
    }
    let after = sites.blocks.partition_point(|block| block.offset <= offset);
    let block = sites.blocks[..after].last().filter(|block| offset < block.end)?;
    block.places.first().map(|place| sites.location(*place))
}

/// The place of a check: its line, in the file of the innermost user function.
pub(super) fn check_location<D: Domain>(
    state: &State<D>,
    locator: Option<&Locator>,
    line: u32,
) -> Option<Location> {
    let frames = stack(state, locator);
    let instance = state.instance()?;
    let sites = state.linked.instances[instance as usize].module.options.sites.as_ref()?;
    let user =
        |name: &str| sites.functions.iter().find(|function| function.user && function.name == name)?.place;
    let place = frames.iter().find_map(|frame| user(&frame.function))?;
    Some(Location { file: sites.location(place).file, line, column: 0 })
}
