//! A logpoint pauses nowhere.

use crate::error::Result;
use crate::follow::{Follow, Plan};
use crate::random::Random;
use crate::trace::Passive;

use super::{Scene, Transformation, passive};

/// See the module.
pub(crate) struct Logpoint;

impl Transformation for Logpoint {
    fn name(&self) -> &'static str {
        "logpoint"
    }

    fn claim(&self) -> &'static str {
        "a logpoint writes its message and changes nothing else"
    }

    fn plan(&self, scene: &Scene<'_>, random: &mut Random) -> Option<Plan> {
        passive::plan(self.name(), scene, random)
    }

    fn perform(&self, follow: &mut Follow<'_, '_>, index: usize) -> Result<Option<usize>> {
        passive::perform(follow, index, Passive::Log)
    }
}
