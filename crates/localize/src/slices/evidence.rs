//! Dynamic and relevant slices in the place of execution slices: some of the groups are run again on the interpreter.

use std::sync::Arc;

use twinrun_base::{Limits, Verdict};
use twinrun_interp::group::{GroupError, Prepared};
use twinrun_interp::{Concrete, LoadOptions, Module};
use twinrun_testing::engine::Modules;
use twinrun_testing::replay::Replay;
use twinrun_testing::shrink::measure;

use super::{Criterion, SliceKind, blocks, slice_group};
use crate::evidence::Evidence;
use crate::gather::Gathered;

/// How many groups of each relation are sliced: violated ones and holding ones.
#[derive(Clone, Copy, Debug)]
pub struct Share {
    /// Violated groups.
    pub violated: usize,
    /// Holding groups.
    pub holding: usize,
}

/// The evidence with slices of another kind, over the smallest groups of each relation. The second part says how many
/// groups ended differently on the interpreter; they are left out.
///
/// # Errors
/// When the interpreter cannot run the module.
pub fn evidence(
    modules: &Modules,
    limits: Limits,
    gathered: &Gathered,
    kind: SliceKind,
    criterion: &Criterion,
    share: Share,
) -> Result<(Evidence, usize), GroupError> {
    let load = |bytes: &[u8]| Ok::<_, GroupError>(Arc::new(Module::new(bytes, LoadOptions::default())?));
    let mut prepared = Prepared::new(&load(&modules.relations.bytes)?, limits, &mut Concrete)?;
    for (name, program) in &modules.programs {
        prepared = prepared.with_program(name, load(&program.bytes)?);
    }
    let old = &gathered.evidence;
    let mut evidence = Evidence::new(old.lines.clone(), old.relations.clone());
    let mut different = 0;
    let mut replay = Replay::default();
    for (number, name) in old.relations.iter().enumerate() {
        let Some(relation) = prepared.relations.get(name).copied() else { continue };
        for (violated, most) in [(true, share.violated), (false, share.holding)] {
            let wanted = |index: &usize| {
                let group = &old.groups[*index];
                group.relation as usize == number && group.violated == violated
            };
            let mut groups: Vec<usize> = (0..old.groups.len()).filter(wanted).collect();
            groups.sort_by_cached_key(|group| measure(&gathered.cases[*group]));
            for group in groups.into_iter().take(most) {
                replay.begin(&gathered.cases[group]);
                let sliced = slice_group(&prepared, relation, &mut replay, kind, criterion)?;
                let failed = matches!(sliced.observation.verdict, Verdict::Violated | Verdict::Crashed);
                if failed != violated {
                    different += 1;
                    continue;
                }
                let runs = sliced.observation.runs.iter().zip(&sliced.runs);
                let slices = runs.map(|(record, slice)| words(modules, record.program, slice)).collect();
                evidence.add(number, violated, old.groups[group].near, slices);
            }
        }
    }
    Ok((evidence, different))
}

/// A slice of one run in the numbering over all modules.
fn words(modules: &Modules, program: Option<usize>, slice: &std::collections::BTreeSet<u32>) -> Vec<u64> {
    let programs = modules.programs.iter().map(|(_, module)| module);
    let mut words = Vec::new();
    for (index, module) in std::iter::once(&modules.relations).chain(programs).enumerate() {
        let begin = words.len();
        words.resize(begin + module.sites.blocks.len().div_ceil(64), 0u64);
        if index == program.map_or(0, |program| program + 1) {
            let touched = blocks(&module.sites, slice);
            let touched = touched.iter().enumerate().filter(|(_, touched)| **touched);
            touched.for_each(|(block, _)| words[begin + block / 64] |= 1 << (block % 64));
        }
    }
    words
}
