//! What breakpoints have in common that must never pause: added to a session, they change nothing.

use crate::error::Result;
use crate::follow::{Follow, Plan};
use crate::places::random_place;
use crate::random::Random;
use crate::trace::{Action, Passive, Special};

use super::{Scene, steps_where};

/// A place where no breakpoint is asked for, and a step before which one is added.
pub(super) fn plan(name: &str, scene: &Scene<'_>, random: &mut Random) -> Option<Plan> {
    // Only adapters have them; V8's are conditions that its own front end writes.
    if !scene.capabilities.specials || scene.capabilities.columns {
        return None;
    }
    let steps = steps_where(scene, |_, action, _| matches!(action, Action::Control(_)));
    let step = *random.pick(&steps)?;
    let at = random_place(&scene.test.program, scene.outline, scene.capabilities, random)?;
    let asked = |action: &Action| matches!(action, Action::Set { at: other, .. } if other.line == at.line);
    let taken = scene.test.trace.steps.iter().any(|step| asked(&step.action));
    (!taken).then(|| Plan { transformation: name.to_owned(), step, at: Some(at), ..Plan::default() })
}

/// Adds the breakpoint before its step.
pub(super) fn perform(follow: &mut Follow<'_, '_>, index: usize, how: Passive) -> Result<Option<usize>> {
    if index == follow.plan.step
        && let Some(at) = follow.plan.at
    {
        follow.perform(Action::Special(Special::Passive { at, how }))?;
    }
    follow.mirror(index)
}
