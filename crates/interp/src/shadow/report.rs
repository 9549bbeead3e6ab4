//! Groups in the shadow domain, and what a use of uninitialised bytes is called.

use std::sync::Arc;

use twinrun_base::{CrashKind, Inputs, Location};

use super::{Shadowed, Source};
use crate::domain::{Origin, Position};
use crate::group::{GroupError, Locator, Observation, Prepared};
use crate::run::{Outcome, call};
use crate::state::{Body, State};
use crate::trap::Trap;

/// Names the variable that lives at an offset in the frame of a function, by the function's index in its module: in words, with the place of its declaration.
pub type Namer = Arc<dyn Fn(u32, i64) -> Option<(String, Option<Location>)> + Send + Sync>;

/// Runs a relation once; a use of bytes that nobody has written is a crash that names them.
///
/// # Errors
/// When the relation asks for something that does not exist.
pub fn run_shadowed(
    prepared: &Prepared<Shadowed>,
    domain: &Shadowed,
    relation: u32,
    inputs: &mut dyn Inputs,
    namer: Option<&Namer>,
) -> Result<Observation, GroupError> {
    let mut domain = domain.clone();
    let mut state = prepared.state.clone();
    let mut host = prepared.host(inputs);
    let outcome = call(&mut state, &mut domain, &mut host, &mut (), relation, &[]);
    let records = host.records;
    let mut observation = prepared.conclude(&state, records, outcome)?;
    if matches!(outcome, Outcome::Trapped(Trap::Uninitialised))
        && let (Some(source), Some(crash)) = (domain.fault, &mut observation.crash)
    {
        crash.kind = CrashKind::Uninitialised;
        crash.message = message(&state, source, namer, prepared.locator.as_ref());
    }
    Ok(observation)
}

/// What was not written, in words.
fn message(
    state: &State<Shadowed>,
    source: Source,
    namer: Option<&Namer>,
    locator: Option<&Locator>,
) -> String {
    let what = match source.origin {
        Origin::Frame { ended, function, low } => {
            let what = frame(state, function, low, source.address, namer);
            if ended { format!("{what}, which has returned") } else { what }
        }
        Origin::Heap { block, size, at } => {
            let place = at.and_then(|at| offset(state, at)).and_then(|offset| locator?(offset));
            let place = place.map(|place| format!(", allocated at {place}")).unwrap_or_default();
            let bytes = source.address.zip(source.last).map(|(first, last)| {
                match (first.wrapping_sub(block), last.wrapping_sub(block)) {
                    (first, last) if first == last => format!("byte {first} of "),
                    (first, last) => format!("bytes {first} to {last} of "),
                }
            });
            format!("{}a heap block of {size} bytes{place}", bytes.unwrap_or_default())
        }
    };
    format!("an uninitialised value was used: {what}")
}

fn frame(
    state: &State<Shadowed>,
    function: u32,
    low: u32,
    address: Option<u32>,
    namer: Option<&Namer>,
) -> String {
    let Body::Code(instance, index) = state.linked.functions[function as usize].body else {
        return "the stack".to_owned();
    };
    let module = &state.linked.instances[instance as usize].module;
    let name = module.options.sites.as_deref().and_then(|sites| {
        sites.functions.iter().find(|function| function.index == index).map(|function| function.name.clone())
    });
    let name = name.or_else(|| module.function_name(index).map(str::to_owned));
    let name = name.unwrap_or_else(|| format!("function {index}"));
    let variable = address
        .and_then(|address| namer?(index, i64::from(address.wrapping_sub(low))))
        // A whole program has variables of its own; the names at hand are those of the relation's module.
        .filter(|_| instance == 0);
    match variable {
        Some((variable, Some(place))) => format!("`{variable}` of `{name}`, declared at {place}"),
        Some((variable, None)) => format!("`{variable}` of `{name}`"),
        None => format!("the stack frame of `{name}`"),
    }
}

fn offset(state: &State<Shadowed>, at: Position) -> Option<u32> {
    state.linked.code(at.function)?.offsets.get(at.pc as usize).copied()
}

#[cfg(test)]
mod tests {
    use twinrun_base::{Limits, abi};

    use super::*;
    use crate::module::{LoadOptions, Module};
    use crate::shadow::Value;
    use crate::{NoImports, instantiate};

    /// How the function `f` of a module ends whose stack pointer is global 0, with one page of memory.
    fn check(functions: &str, expect: Result<u64, Trap>) {
        let text = format!(
            r#"(module (memory 1) (global $sp (export "__stack_pointer") (mut i32) (i32.const 4096))
                (func (export "{}")) {functions})"#,
            abi::HEAP_CHECK
        );
        let options = LoadOptions { unwritten: true, ..LoadOptions::default() };
        let module = Arc::new(Module::new(&wat::parse_str(text).unwrap(), options).unwrap());
        let (mut state, mut domain) = (State::<Shadowed>::new(Limits::default()), Shadowed::default());
        let instance = instantiate(&mut state, &mut domain, &mut NoImports, &module).unwrap();
        let Some(crate::module::Item::Function(function)) = state.export(instance, "f") else {
            panic!("no f")
        };
        let outcome = call(&mut state, &mut domain, &mut NoImports, &mut (), function, &[]);
        let found = match outcome {
            Outcome::Trapped(trap) => Err(trap),
            _ => Ok(state.results.first().map_or(0, |Value { word, .. }| word.bits)),
        };
        assert_eq!(found, expect, "{functions}");
    }

    const FRAME: &str = "(local i32 i32 i32) (local.set 0 (global.get $sp)) (local.set 1 (i32.const 16))
        (local.set 2 (i32.sub (local.get 0) (local.get 1)))";

    #[test]
    fn a_frame_holds_nothing_until_it_is_written() {
        let uses =
            "(if (result i32) (i32.load offset=8 (local.get 2)) (then (i32.const 1)) (else (i32.const 2)))";
        check(&format!("(func (export \"f\") (result i32) {FRAME} {uses})"), Err(Trap::Uninitialised));
        let writes = "(i32.store offset=8 (local.get 2) (i32.const 7))";
        check(&format!("(func (export \"f\") (result i32) {FRAME} {writes} {uses})"), Ok(1));
        // Three bytes of four.
        let writes = "(i32.store8 offset=8 (local.get 2) (i32.const 0)) (i32.store16 offset=9 (local.get 2) (i32.const 0))";
        check(
            &format!("(func (export \"f\") (result i32) {FRAME} {writes} {uses})"),
            Err(Trap::Uninitialised),
        );
        // A bit that is set decides, whatever the others are.
        let writes = "(i32.store8 offset=8 (local.get 2) (i32.const 4))";
        check(&format!("(func (export \"f\") (result i32) {FRAME} {writes} {uses})"), Ok(1));
    }

    #[test]
    fn what_a_function_wrote_is_gone_when_it_has_returned() {
        let inner = format!(
            "(func $g (result i32) {FRAME} (i32.store offset=8 (local.get 2) (i32.const 7)) (i32.add (local.get 2) (i32.const 8)))"
        );
        let uses = "(if (result i32) (i32.load (call $g)) (then (i32.const 1)) (else (i32.const 2)))";
        check(&format!("{inner} (func (export \"f\") (result i32) {uses})"), Err(Trap::Uninitialised));
    }

    #[test]
    fn memory_outside_of_frames_is_defined() {
        let uses = "(if (result i32) (i32.load (i32.const 8000)) (then (i32.const 1)) (else (i32.const 2)))";
        check(&format!("(func (export \"f\") (result i32) {uses})"), Ok(2));
    }
}
