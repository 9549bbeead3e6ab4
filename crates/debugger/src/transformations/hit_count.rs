//! A breakpoint whose hit count is beyond reach is like none.

use crate::error::Result;
use crate::follow::{Follow, Plan};
use crate::random::Random;
use crate::trace::Passive;

use super::{Scene, Transformation, passive};

/// See the module.
pub(crate) struct HitCount;

impl Transformation for HitCount {
    fn name(&self) -> &'static str {
        "hit-count"
    }

    fn claim(&self) -> &'static str {
        "a breakpoint that waits for more hits than there are changes nothing"
    }

    fn plan(&self, scene: &Scene<'_>, random: &mut Random) -> Option<Plan> {
        passive::plan(self.name(), scene, random)
    }

    fn perform(&self, follow: &mut Follow<'_, '_>, index: usize) -> Result<Option<usize>> {
        passive::perform(follow, index, Passive::Hits)
    }
}
