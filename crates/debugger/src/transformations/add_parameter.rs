//! Add a parameter: a function with one more parameter, which nobody uses, only shows one more variable.

use crate::edit::Edit;
use crate::follow::Plan;
use crate::program::Language;
use crate::random::Random;

use super::{Scene, Transformation, fresh_name};

/// See the module.
pub(crate) struct AddParameter;

impl Transformation for AddParameter {
    fn name(&self) -> &'static str {
        "add-parameter"
    }

    fn claim(&self) -> &'static str {
        "one more parameter shows as one more variable and changes nothing else"
    }

    fn rewrites(&self) -> bool {
        true
    }

    fn plan(&self, scene: &Scene<'_>, random: &mut Random) -> Option<Plan> {
        if scene.outline.reads_arity || scene.outline.reads_source {
            return None;
        }
        let site = random.pick(&scene.outline.parameters)?;
        let name = fresh_name(&scene.test.program.source);
        let text = match scene.test.program.language {
            Language::Python => format!("{name}=None"),
            _ => name.clone(),
        };
        let text = if site.after_another { format!(", {text}") } else { text };
        Some(Plan {
            transformation: self.name().to_owned(),
            edits: vec![Edit::go_on(site.offset, text)],
            fresh: vec![name],
            ..Plan::default()
        })
    }
}
