//! Boolean literal to expression: `true` as `v === v || v !== v`, `false` as `v === v && v !== v`. Strict equality calls
//! no conversion, and both forms hold for NaN.

use crate::edit::Edit;
use crate::follow::Plan;
use crate::program::Language;
use crate::random::Random;

use super::{Scene, Transformation};

/// See the module.
pub(crate) struct BooleanExpression;

impl Transformation for BooleanExpression {
    fn name(&self) -> &'static str {
        "boolean-to-expression"
    }

    fn claim(&self) -> &'static str {
        "a boolean literal and an expression of the same value behave the same"
    }

    fn rewrites(&self) -> bool {
        true
    }

    fn plan(&self, scene: &Scene<'_>, random: &mut Random) -> Option<Plan> {
        if scene.outline.dynamic_scope || scene.outline.reads_source {
            return None;
        }
        let literals: Vec<_> =
            scene.outline.booleans.iter().filter(|literal| !literal.readable.is_empty()).collect();
        let literal = *random.pick(&literals)?;
        let name = random.pick(&literal.readable)?.clone();
        let text = match (scene.test.program.language, literal.value) {
            (Language::JavaScript, true) => format!("({name} === {name} || {name} !== {name})"),
            (Language::JavaScript, false) => format!("({name} === {name} && {name} !== {name})"),
            (Language::Python, true) => format!("({name} is {name})"),
            (Language::Python, false) => format!("({name} is not {name})"),
            _ => return None,
        };
        let captured = if literal.enclosing.contains(&name) { vec![name.clone()] } else { Vec::new() };
        let edit = Edit::replace(literal.range.start, literal.range.end, text);
        Some(Plan {
            transformation: self.name().to_owned(),
            edits: vec![edit],
            mentioned: vec![name],
            captured,
            ..Plan::default()
        })
    }
}
