//! The lines of a subject and the blocks that stand on them. Blocks are what engines observe; lines are what people read, and
//! what the published measures count.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};
use twinrun_base::Location;
use twinrun_subject::Module;
use twinrun_testing::engine::Modules;

use crate::evidence::bits;

/// A line with code.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Line {
    /// Where; the column is that of the first statement on it.
    pub location: Location,
    /// The function that it stands in.
    pub function: String,
}

/// Lines with code, in source order, and for each block the lines that it has instructions of.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Lines {
    /// The lines.
    pub lines: Vec<Line>,
    /// For each block the indices of its lines; empty for numbers that no block has.
    pub blocks: Vec<Vec<u32>>,
}

impl Lines {
    /// The lines of a WebAssembly subject. Where relations run whole programs, these are the subject; otherwise all user code
    /// of the module but the relations themselves. Blocks are numbered as by `twinrun_testing`: each module begins at a
    /// multiple of 64.
    pub fn of(modules: &Modules) -> Lines {
        let mut places: BTreeMap<(String, u32), (u32, String)> = BTreeMap::new();
        let mut blocks: Vec<Vec<(String, u32)>> = Vec::new();
        let programs = modules.programs.iter().map(|(_, module)| (module, true));
        let whole_programs = !modules.programs.is_empty();
        for (module, program) in std::iter::once((&modules.relations, false)).chain(programs) {
            let counts = program || !whole_programs;
            add(module, counts, &mut places, &mut blocks);
            blocks.resize(blocks.len().next_multiple_of(64), Vec::new());
        }
        let numbers: BTreeMap<&(String, u32), u32> = places.keys().zip(0..).collect();
        let blocks = blocks
            .iter()
            .map(|block| block.iter().filter_map(|key| numbers.get(key).copied()).collect())
            .collect();
        let lines = places.into_iter().map(|((file, line), (column, function))| Line {
            location: Location { file, line, column },
            function,
        });
        Lines { lines: lines.collect(), blocks }
    }

    /// The blocks with lines that some of these slices touch, ascending.
    pub fn touched<'a>(&self, slices: impl IntoIterator<Item = &'a [u64]>) -> Vec<usize> {
        let mut union: Vec<u64> = Vec::new();
        for slice in slices {
            union.resize(union.len().max(slice.len()), 0);
            union.iter_mut().zip(slice).for_each(|(mine, theirs)| *mine |= theirs);
        }
        bits(&union).filter(|block| self.blocks.get(*block).is_some_and(|lines| !lines.is_empty())).collect()
    }

    /// The line at a place of the source.
    pub fn find(&self, file: &str, line: u32) -> Option<usize> {
        self.lines
            .binary_search_by(|it| (it.location.file.as_str(), it.location.line).cmp(&(file, line)))
            .ok()
    }

    /// For each line its greatest score among its blocks; blocks without a score count nothing.
    pub fn fold(&self, scores: &[f64]) -> Vec<f64> {
        let mut folded = vec![f64::NEG_INFINITY; self.lines.len()];
        for (lines, score) in self.blocks.iter().zip(scores) {
            for line in lines {
                let best = &mut folded[*line as usize];
                *best = best.max(*score);
            }
        }
        folded
    }
}

fn add(
    module: &Module,
    counts: bool,
    places: &mut BTreeMap<(String, u32), (u32, String)>,
    blocks: &mut Vec<Vec<(String, u32)>>,
) {
    let relations: Vec<u32> = module.relations.iter().map(|relation| relation.function).collect();
    for block in &module.sites.blocks {
        let function = &module.sites.functions[block.function as usize];
        let mut keys = Vec::new();
        if counts && !relations.contains(&function.index) {
            for place in block.places.iter().filter(|place| module.user_file(place.file)) {
                let location = module.sites.location(*place);
                let key = (location.file, location.line);
                let known = places.entry(key.clone()).or_insert((location.column, function.name.clone()));
                known.0 = known.0.min(location.column);
                if !keys.contains(&key) {
                    keys.push(key);
                }
            }
        }
        blocks.push(keys);
    }
}
