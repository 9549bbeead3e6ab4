//! What the matrix says of each line.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use crate::build::Edited;
use crate::matrix::{Effect, Matrix};
use crate::repair::Class;

/// What edits at a line do.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct LineEffect {
    /// The file, relative to the project.
    pub file: String,
    /// The line.
    pub line: u32,
    /// How likely the repair stands here, if it is one of the perfect edits.
    pub share: f64,
    /// The worth of the best edit here: [`crate::matrix::Effect::worth`].
    pub worth: f64,
    /// What the best edit is.
    pub change: String,
    /// Failing cases that the best edit met, and how many it fixes.
    pub failing: u32,
    /// See there.
    pub fixed: u32,
    /// Passing cases that the best edit met, and how many of these still pass.
    pub passing: u32,
    /// See there.
    pub held: u32,
}

/// Of an insertion, the line before it counts so much, the one behind it the rest.
const BEFORE: f64 = 0.65;

/// How good the best edit of a line is, and what it does.
type Best<'m> = (f64, &'m Effect);

/// The lines at which an edit fixes something, the likeliest first.
pub(crate) fn lines(matrix: &Matrix, edited: &Edited, classes: &[Class]) -> Vec<LineEffect> {
    let mut shares: BTreeMap<usize, f64> = BTreeMap::new();
    for class in classes {
        for member in &class.members {
            shares.insert(member.effect.edit, class.share * member.share);
        }
    }
    // The share of each line of a file, and its best edit.
    let mut lines: BTreeMap<(usize, u32), (f64, Option<Best<'_>>)> = BTreeMap::new();
    for effect in &matrix.effects {
        let (place, edit) = &edited.edits[effect.edit];
        let share = shares.get(&effect.edit).copied().unwrap_or(0.0);
        let places = match edit.behind {
            Some(behind) if behind != edit.line => vec![(edit.line, BEFORE), (behind, 1.0 - BEFORE)],
            _ => vec![(edit.line, 1.0)],
        };
        for (line, part) in places {
            let entry = lines.entry((*place, line)).or_insert((0.0, None));
            entry.0 += share * part;
            // The best of equals is the likelier one, then the first.
            let worth = effect.worth() * part.max(BEFORE) + share;
            if entry.1.is_none_or(|(best, _)| worth > best) {
                entry.1 = Some((worth, effect));
            }
        }
    }
    let mut all: Vec<LineEffect> = lines
        .into_iter()
        .filter_map(|((place, line), (share, best))| {
            let (_, best) = best?;
            let file = &edited.files[place];
            Some(LineEffect {
                file: file.shown.clone(),
                line,
                share,
                worth: best.worth(),
                change: edited.edits[best.edit].1.describe(&file.text),
                failing: best.failing,
                fixed: best.fixed,
                passing: best.passing,
                held: best.held,
            })
        })
        .collect();
    all.sort_by(|a, b| b.share.total_cmp(&a.share).then(b.worth.total_cmp(&a.worth)));
    all
}
