//! Remove dead code: a statement that coverage shows never runs can go, with the breakpoints in it.

use crate::edit::Edit;
use crate::follow::Plan;
use crate::random::Random;

use super::{NOTHING, Scene, Transformation, words};

/// See the module.
pub(crate) struct RemoveDeadCode;

impl Transformation for RemoveDeadCode {
    fn name(&self) -> &'static str {
        "remove-dead-code"
    }

    fn claim(&self) -> &'static str {
        "a statement that never runs can be removed"
    }

    fn rewrites(&self) -> bool {
        true
    }

    fn needs_coverage(&self) -> bool {
        true
    }

    fn plan(&self, scene: &Scene<'_>, random: &mut Random) -> Option<Plan> {
        let outline = scene.outline;
        if outline.dynamic_scope || outline.reads_source {
            return None;
        }
        let unreached = |start: usize, end: usize| {
            scene.unreached.iter().any(|range| range.start <= start && end <= range.end)
        };
        let dead: Vec<_> = outline
            .statements
            .iter()
            .filter(|statement| {
                // In a function that never ran, not even its declarations can be seen.
                let function = statement
                    .function
                    .as_ref()
                    .is_some_and(|function| unreached(function.start, function.end));
                function || (!statement.declares && unreached(statement.range.start, statement.range.end))
            })
            .collect();
        // The body of a function that never ran can be emptied as a whole.
        let bodies = outline.blocks.iter().filter(|block| {
            let around =
                |function: &&std::ops::Range<usize>| function.start < block.start && block.end < function.end;
            let functions = scene.unreached.iter().find(around);
            !block.is_empty() && functions.is_some() && unreached(block.start, block.end)
        });
        let mut ranges: Vec<std::ops::Range<usize>> =
            dead.iter().map(|statement| statement.range.clone()).collect();
        ranges.extend(bodies.cloned());
        let range = random.pick(&ranges)?.clone();
        let mentioned = words(&scene.test.program.source[range.clone()]);
        Some(Plan {
            transformation: self.name().to_owned(),
            edits: vec![Edit::replace(range.start, range.end, NOTHING)],
            captured: mentioned.clone(),
            mentioned,
            ..Plan::default()
        })
    }
}
