//! Insert dead code: code that never runs, also code that captures a variable in a closure, has no influence.

use crate::edit::Edit;
use crate::follow::{Plan, Test};
use crate::outline::Gap;
use crate::position::LineIndex;
use crate::program::{Language, Program};
use crate::random::Random;
use crate::trace::{Answer, ScopeKind};

use super::{Scene, Transformation, gap_near_pauses};

/// See the module.
pub(crate) struct InsertDeadCode;

impl Transformation for InsertDeadCode {
    fn name(&self) -> &'static str {
        "insert-dead-code"
    }

    fn claim(&self) -> &'static str {
        "code that never runs has no influence on pauses or variables"
    }

    fn rewrites(&self) -> bool {
        true
    }

    /// A closure over what a pause shows, in the innermost bodies around the pause or in a function inside of them.
    fn aim(&self, scene: &Scene<'_>, random: &mut Random) -> Option<Plan> {
        let outline = scene.outline;
        let index = LineIndex::new(&scene.test.program.source);
        let pauses: Vec<usize> = scene
            .test
            .trace
            .steps
            .iter()
            .filter_map(|step| match &step.answer {
                Answer::Paused(pause) => Some(index.offset(pause.location)),
                _ => None,
            })
            .collect();
        let pause = *random.pick(&pauses)?;
        let around = outline.blocks.iter().filter(|block| block.start <= pause && pause <= block.end + 1);
        let mut around: Vec<_> = around.collect();
        around.sort_by_key(|block| block.len());
        let block = around.get(usize::from(random.chance(30))).or(around.first()).copied();
        let inside =
            |gap: &&Gap| block.is_none_or(|block| block.start <= gap.offset && gap.offset <= block.end);
        let gaps: Vec<&Gap> =
            outline.gaps.iter().filter(|gap| !gap.mentionable.is_empty()).filter(inside).collect();
        let gap = random.pick(&gaps).copied()?;
        self.at_gap(scene, gap, 85, random)
    }

    fn plan(&self, scene: &Scene<'_>, random: &mut Random) -> Option<Plan> {
        let gaps: Vec<&Gap> = scene.outline.gaps.iter().filter(|gap| !gap.mentionable.is_empty()).collect();
        let gap = gap_near_pauses(&gaps, scene.test, random)?;
        self.at_gap(scene, gap, 45, random)
    }
}

impl InsertDeadCode {
    /// Dead code in a gap; with this likelihood it mentions a variable that a pause shows.
    fn at_gap(&self, scene: &Scene<'_>, gap: &Gap, likely: u32, random: &mut Random) -> Option<Plan> {
        if scene.outline.dynamic_scope || scene.outline.reads_source {
            return None;
        }
        // What the nearest pause shows is what may be seen to change; variables of functions further out change their place
        // when they are captured.
        let shown = shown_near(scene.test, gap);
        let names = match random.below(100) {
            drawn if drawn < likely as usize && !shown.is_empty() => &shown,
            0..60 if !gap.local.is_empty() => &gap.local,
            60..80 if !gap.enclosing.is_empty() => &gap.enclosing,
            _ => &gap.mentionable,
        };
        let name = random.pick(names)?.clone();
        let number = random.below(10);
        let code = match scene.test.program.language {
            Language::JavaScript => match random.below(8) {
                0 | 1 => format!("if (false) {{ {name} = {number}; }}"),
                2 | 3 => format!("if (false) {{ (function () {{ {name}; }}); }}"),
                4 | 5 => format!("if (false) {{ (() => {name}); }}"),
                6 => format!("while (false) {{ {name}; }}"),
                _ => format!("if (false) {{ (function () {{ {name} = {number}; }}); }}"),
            },
            Language::Rust => format!("if false {{ let _ = {name}; }}"),
            Language::Go => format!("if false {{ _ = {name} }}"),
            Language::C | Language::Cpp => match random.below(2) {
                0 => format!("if (0) {{ (void){name}; }}"),
                _ => format!("while (0) {{ (void){name}; }}"),
            },
            // An assignment would make the name a local one of its function.
            Language::Python => format!("if False: (lambda: {name})"),
        };
        let captured = gap.captures(&name, code.contains("=>") || code.contains("function"));
        let captured = if captured { vec![name.clone()] } else { Vec::new() };
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

/// The variables of its own that the pause nearest to a gap shows and that code in the gap can name.
fn shown_near(test: &Test, gap: &Gap) -> Vec<String> {
    let index = LineIndex::new(&test.program.source);
    let pauses = test.trace.steps.iter().filter_map(|step| match &step.answer {
        Answer::Paused(pause) => Some(pause),
        _ => None,
    });
    let nearest = pauses.min_by_key(|pause| index.offset(pause.location).abs_diff(gap.offset));
    let scopes = nearest.and_then(|pause| pause.frames.first()).map_or(&[][..], |frame| &frame.scopes);
    let own = scopes.iter().filter(|scope| scope.kind == ScopeKind::Own);
    let names = own.flat_map(|scope| &scope.variables).map(|variable| variable.name.clone());
    names.filter(|name| gap.mentionable.contains(name)).collect()
}

/// A statement in a gap, on a line of its own or on the line of the next statement.
pub(super) fn place(gap: &Gap, code: &str, program: &Program, own_line: bool) -> Edit {
    let source = &program.source;
    if program.language != Language::JavaScript {
        // Gaps of these languages stand at the start of a line.
        let indent: String = source[gap.offset..].chars().take_while(|c| *c == ' ' || *c == '\t').collect();
        return Edit::insert(gap.offset, format!("{indent}{code}\n"));
    }
    let line_start = source[..gap.offset].rfind('\n').map_or(0, |at| at + 1);
    let indent: String = source[line_start..gap.offset].chars().take_while(|c| c.is_whitespace()).collect();
    let text = if gap.new_line_first {
        format!("\n{indent}{code}\n{indent}")
    } else if own_line {
        format!("{code}\n{indent}")
    } else {
        format!("{code} ")
    };
    Edit::insert(gap.offset, text)
}
