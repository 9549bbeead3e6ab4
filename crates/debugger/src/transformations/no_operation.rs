//! Insert a no-op: assigning a variable to itself has no influence; steps may stop there.

use crate::follow::Plan;
use crate::outline::Gap;
use crate::program::Language;
use crate::random::Random;

use super::insert_dead_code::place;
use super::{Scene, Transformation, gap_near_pauses};

/// See the module.
pub(crate) struct NoOperation;

impl Transformation for NoOperation {
    fn name(&self) -> &'static str {
        "insert-no-op"
    }

    fn claim(&self) -> &'static str {
        "a variable assigned to itself has no influence but a place where steps may stop"
    }

    fn rewrites(&self) -> bool {
        true
    }

    fn plan(&self, scene: &Scene<'_>, random: &mut Random) -> Option<Plan> {
        let outline = scene.outline;
        if outline.dynamic_scope || outline.reads_source {
            return None;
        }
        let gaps: Vec<&Gap> = outline.gaps.iter().filter(|gap| !gap.assignable.is_empty()).collect();
        let gap = gap_near_pauses(&gaps, scene.test, random)?;
        let name = random.pick(&gap.assignable)?.clone();
        let code = match scene.test.program.language {
            Language::Python | Language::Go => format!("{name} = {name}"),
            _ => format!("{name} = {name};"),
        };
        let captured = if gap.captures(&name, false) { vec![name.clone()] } else { Vec::new() };
        let edit = place(gap, &code, &scene.test.program, random.chance(50));
        Some(Plan {
            transformation: self.name().to_owned(),
            edits: vec![edit],
            mentioned: vec![name],
            captured,
            ..Plan::default()
        })
    }
}
