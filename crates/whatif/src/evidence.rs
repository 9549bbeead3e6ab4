//! What the matrix says of each line.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use crate::build::Edited;
use crate::cases::Executed;
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
    /// The shares of failing and of passing cases that run it.
    pub run: (f64, f64),
    /// Edits that were tried here, and of these those that fix every failing case that they met.
    pub tried: (u32, u32),
    /// The edit that repairs best; none where nothing is fixed.
    pub best: Option<BestEdit>,
}

/// What the best edit of a line does.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct BestEdit {
    /// Its worth: [`crate::matrix::Effect::worth`].
    pub worth: f64,
    /// What it is.
    pub change: String,
    /// Failing cases that it met, and how many it fixes.
    pub failing: u32,
    /// See there.
    pub fixed: u32,
    /// Of the fixed ones, cases of which some compared value stays.
    pub partly: u32,
    /// Passing cases that it met, and how many of these still pass.
    pub passing: u32,
    /// See there.
    pub held: u32,
    /// Of these, cases whose answers stay.
    pub kept: u32,
    /// How many different answers it leaves, as a share of those before.
    pub variety: f64,
}

/// Of an insertion, the line before it counts so much, the one behind it the rest.
const BEFORE: f64 = 0.65;

/// How good the best edit of a line is, and what it does.
type Best<'m> = (f64, &'m Effect);

/// What is known of a line on the way.
#[derive(Default)]
struct Known<'m> {
    share: f64,
    tried: (u32, u32),
    best: Option<Best<'m>>,
}

/// The lines that failing cases run or at which an edit fixes something, the likeliest first.
pub(crate) fn lines(
    matrix: &Matrix,
    edited: &Edited,
    classes: &[Class],
    executed: &Executed,
) -> Vec<LineEffect> {
    let mut shares: BTreeMap<usize, f64> = BTreeMap::new();
    for class in classes {
        for member in &class.members {
            shares.insert(member.effect.edit, class.share * member.share);
        }
    }
    let mut known: BTreeMap<(&str, u32), Known<'_>> = BTreeMap::new();
    for line in executed.failing_lines() {
        known.entry(line).or_default();
    }
    for &edit in &matrix.tried {
        let (place, edit) = &edited.edits[edit];
        known.entry((&edited.files[*place].shown, edit.line)).or_default().tried.0 += 1;
    }
    for effect in &matrix.effects {
        let (place, edit) = &edited.edits[effect.edit];
        let share = shares.get(&effect.edit).copied().unwrap_or(0.0);
        let places = match edit.behind {
            Some(behind) if behind != edit.line => vec![(edit.line, BEFORE), (behind, 1.0 - BEFORE)],
            _ => vec![(edit.line, 1.0)],
        };
        for (number, (line, part)) in places.into_iter().enumerate() {
            let known = known.entry((&edited.files[*place].shown, line)).or_default();
            known.share += share * part;
            known.tried.1 += u32::from(number == 0 && effect.fixed == effect.failing);
            // The best of equals is the likelier one, then the first.
            let worth = effect.worth() * part.max(BEFORE) + share;
            if known.best.is_none_or(|(best, _)| worth > best) {
                known.best = Some((worth, effect));
            }
        }
    }
    let told = |effect: &Effect| {
        let (place, edit) = &edited.edits[effect.edit];
        BestEdit {
            worth: effect.worth(),
            change: edit.describe(&edited.files[*place].text),
            failing: effect.failing,
            fixed: effect.fixed,
            partly: effect.partly,
            passing: effect.passing,
            held: effect.held,
            kept: effect.kept,
            variety: effect.variety,
        }
    };
    let mut all: Vec<LineEffect> = known
        .into_iter()
        .map(|((file, line), known)| LineEffect {
            file: file.to_owned(),
            line,
            share: known.share,
            run: executed.shares(file, line),
            tried: known.tried,
            best: known.best.map(|(_, effect)| told(effect)),
        })
        .collect();
    all.sort_by(|a, b| b.share.total_cmp(&a.share).then(b.worth().total_cmp(&a.worth())));
    all
}

impl LineEffect {
    /// The worth of the best edit.
    pub fn worth(&self) -> f64 {
        self.best.as_ref().map_or(0.0, |best| best.worth)
    }
}
