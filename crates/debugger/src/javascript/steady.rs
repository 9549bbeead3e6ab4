//! Programs made fit for testing: calls of clocks are replaced by fixed values; variants of a program.

use oxc_allocator::Allocator;
use oxc_ast::ast::{CallExpression, Expression, NewExpression};
use oxc_ast_visit::{Visit, walk};
use oxc_parser::Parser;
use oxc_span::SourceType;

use crate::edit::{Edit, apply};
use crate::program::Program;

/// The moment that every clock shows, in milliseconds since 1970.
const NOW: &str = "1500000000000";

/// Replaces `Date.now()`, `performance.now()`, `new Date()` and `Date()` by fixed values; what does not parse stays as it
/// is. `Math.random` needs no care: the backends start V8 with a fixed seed.
pub fn steady(source: &str) -> String {
    let allocator = Allocator::default();
    let parsed = Parser::new(&allocator, source, SourceType::script()).parse();
    if parsed.panicked || !parsed.diagnostics.is_empty() {
        return source.to_owned();
    }
    let mut clocks = Clocks(Vec::new());
    clocks.visit_program(&parsed.program);
    clocks.0.sort_by_key(|edit| edit.start);
    apply(source, &clocks.0)
}

/// The strict variant of a program: the same text after a directive on the same line.
pub fn strict(program: &Program) -> Program {
    let mut variant = program.with_source(format!("'use strict'; {}", program.source));
    variant.name.push_str("+strict");
    variant
}

/// Several programs as one, each in a function of its own so that their names do not meet.
pub fn concatenate(programs: &[&Program]) -> Option<Program> {
    let first = programs.first()?;
    let mut source = String::new();
    for program in programs {
        source.push_str("(function () {\n");
        source.push_str(&program.source);
        source.push_str("\n})();\n");
    }
    let mut joined = first.with_source(source);
    joined.name = programs.iter().map(|program| program.name.as_str()).collect::<Vec<_>>().join("+");
    Some(joined)
}

struct Clocks(Vec<Edit>);

impl<'a> Visit<'a> for Clocks {
    fn visit_call_expression(&mut self, call: &CallExpression<'a>) {
        let clock = match &call.callee {
            Expression::StaticMemberExpression(member) => {
                matches!(&member.object, Expression::Identifier(object)
                    if (object.name == "Date" || object.name == "performance") && member.property.name == "now")
            }
            Expression::Identifier(callee) => callee.name == "Date" && call.arguments.is_empty(),
            _ => false,
        };
        if clock {
            self.0.push(Edit::replace(call.span.start as usize, call.span.end as usize, NOW));
        } else {
            walk::walk_call_expression(self, call);
        }
    }

    fn visit_new_expression(&mut self, new: &NewExpression<'a>) {
        let date = matches!(&new.callee, Expression::Identifier(callee) if callee.name == "Date");
        if date && new.arguments.is_empty() {
            let text = format!("new Date({NOW})");
            self.0.push(Edit::replace(new.span.start as usize, new.span.end as usize, text));
        } else {
            walk::walk_new_expression(self, new);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::program::Language;

    #[test]
    fn clocks_stand_still() {
        let source =
            "let a = Date.now() - performance.now(), b = new Date, c = new Date(2020, 1, 1), d = Date();";
        let expected = "let a = 1500000000000 - 1500000000000, b = new Date(1500000000000), c = new Date(2020, 1, 1), d = 1500000000000;";
        assert_eq!(steady(source), expected);
        assert_eq!(steady("let = = 3"), "let = = 3");
    }

    #[test]
    fn joined_programs_keep_their_names_apart() {
        let one = Program::new("a", Language::JavaScript, "let x = 1;");
        let joined = concatenate(&[&one, &one]).unwrap();
        assert!(crate::javascript::outline(&joined.source).is_ok());
        assert_eq!(joined.name, "a+a");
    }
}
