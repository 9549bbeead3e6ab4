//! Mutants of a compiled module: Rust and ready `.wasm`.

use std::sync::Arc;

use serde::Serialize;
use twinrun_base::{Hash, Location};
use twinrun_subject::Module;
use twinrun_testing::engine::Modules;
use twinrun_whatif::{ModuleMutant, module_mutants};

use super::court::{BATCH, Candidate, Court};
use super::judge::touched;
use super::{Score, Scored, Which};
use crate::error::Error;
use crate::targets::{Opened, Ready};

/// A mutant of a module with the place that it belongs to.
#[derive(Serialize)]
pub(super) struct Placed {
    #[serde(flatten)]
    pub(super) mutant: ModuleMutant,
    pub(super) location: Option<Location>,
    pub(super) function: Option<String>,
}

/// Makes and judges the mutants of the module that the runs execute, where runs of the first cases come by: elsewhere nothing could
/// be noticed, and code of the relation itself is no part of the subject.
pub(super) fn score(
    original: &Ready,
    options: &Score,
    court: &Court<'_>,
) -> Result<(Vec<Scored>, usize), Error> {
    let Opened::Wasm(subject) = &original.opened else {
        return Err(Error::Usage(format!(
            "`{}` is a command: mutants are made of C and C++ sources and of WebAssembly modules",
            original.name
        )));
    };
    let modules = subject.modules();
    let module: &Module = modules.programs.first().map_or(&modules.relations, |(_, program)| program);
    let blocks = touched(original, options.seed, options.cases)?;
    // Blocks of a program are numbered after those of the relations, from a multiple of 64 on.
    let first = match modules.programs.is_empty() {
        true => 0,
        false => modules.relations.sites.blocks.len().div_ceil(64) * 64,
    };
    let ranges: Vec<(u32, u32)> = blocks
        .iter()
        .filter_map(|block| module.sites.blocks.get((*block as usize).checked_sub(first)?))
        .map(|block| (block.offset, block.end))
        .collect();
    let wanted = |offset: u32| {
        let after = ranges.partition_point(|(from, _)| *from <= offset);
        after > 0 && offset < ranges[after - 1].1
    };
    let all = module_mutants(&module.bytes, &wanted).map_err(|error| Error::Usage(error.to_string()))?;
    let all: Vec<ModuleMutant> = all.into_iter().step_by(options.every.max(1)).collect();
    let total = all.len();
    let mut scored: Vec<Scored> = Vec::new();
    for batch in all.chunks(BATCH) {
        if !court.goes_on(scored.len(), total) {
            break;
        }
        let candidate = |mutant: &ModuleMutant| {
            let bytes: Arc<[u8]> = mutant.apply(&module.bytes).into();
            // Everything stays where it was: the tables of the original hold.
            let mutated = Arc::new(Module { hash: Hash::of([&bytes]), bytes, ..module.clone() });
            let mut twin = modules.clone();
            match twin.programs.first_mut() {
                Some((_, program)) => *program = mutated,
                None => twin = Modules { relations: mutated, programs: Vec::new() },
            }
            Candidate::Modules { modules: twin, in_place: true }
        };
        let candidates = batch.iter().map(candidate).collect();
        for (mutant, judged) in batch.iter().zip(court.judge(candidates)?) {
            let Some(judged) = judged else { continue };
            let location = module.location_at(mutant.offset);
            let function = module.sites.function_at(mutant.offset).map(|function| function.name.clone());
            let change = mutant.describe();
            let mutant = Which::Module(Placed { mutant: mutant.clone(), location, function });
            scored.push(Scored::new(mutant, change, judged));
        }
    }
    Ok((scored, total))
}
