//! Random places for breakpoints, biased to where statements begin and to the joints inside them.

use std::collections::BTreeSet;

use crate::backend::Capabilities;
use crate::outline::{Joint, Outline};
use crate::position::{LineIndex, Position};
use crate::program::Program;
use crate::random::Random;

/// A place to ask for a breakpoint at: mostly a statement's start, its line or a joint, sometimes any line or column.
pub(crate) fn random_place(
    program: &Program,
    outline: &Outline,
    capabilities: Capabilities,
    random: &mut Random,
) -> Option<Position> {
    let index = LineIndex::new(&program.source);
    let any_line = |random: &mut Random| Position::new(1 + random.below(index.lines() as usize) as u32, 0);
    let place = match random.below(100) {
        0..25 if !outline.joints.is_empty() => index.position(random_joint(outline, random)?),
        0..50 => index.position(*random.pick(&outline.starts)?),
        50..75 => Position::new(index.position(*random.pick(&outline.starts)?).line, 0),
        75..90 => any_line(random),
        _ => {
            let line = any_line(random).line;
            let width = index.line(line).encode_utf16().count();
            Position::new(line, random.below(width + 1) as u32)
        }
    };
    Some(if capabilities.columns { place } else { Position::new(place.line, 0) })
}

/// A joint, each kind as likely as the others: most programs have more ends of functions than classes.
fn random_joint(outline: &Outline, random: &mut Random) -> Option<usize> {
    let kinds: BTreeSet<Joint> = outline.joints.iter().map(|(_, kind)| *kind).collect();
    let kinds: Vec<Joint> = kinds.into_iter().collect();
    let kind = *random.pick(&kinds)?;
    let places: Vec<usize> =
        outline.joints.iter().filter(|(_, known)| *known == kind).map(|(offset, _)| *offset).collect();
    random.pick(&places).copied()
}
