//! Integer literal to expression: `n` as `(n-1+1)`, `(n+1-1)`, `(n/1)` or `(n*1)` has no influence.

use crate::edit::Edit;
use crate::follow::Plan;
use crate::program::Language;
use crate::random::Random;

use super::{Scene, Transformation};

/// See the module.
pub(crate) struct IntegerExpression;

impl Transformation for IntegerExpression {
    fn name(&self) -> &'static str {
        "integer-to-expression"
    }

    fn claim(&self) -> &'static str {
        "an integer literal and an expression of the same value behave the same"
    }

    fn rewrites(&self) -> bool {
        true
    }

    fn plan(&self, scene: &Scene<'_>, random: &mut Random) -> Option<Plan> {
        if scene.outline.reads_source {
            return None;
        }
        let literal = random.pick(&scene.outline.integers)?;
        let number = literal.value as i64;
        let text = match random.below(4) {
            0 => format!("({}+1)", number - 1),
            1 => format!("({}-1)", number + 1),
            // Division makes a float of it in Python.
            2 if scene.test.program.language != Language::Python => format!("({number}/1)"),
            _ => format!("({number}*1)"),
        };
        let edit = Edit::replace(literal.range.start, literal.range.end, text);
        Some(Plan { transformation: self.name().to_owned(), edits: vec![edit], ..Plan::default() })
    }
}
