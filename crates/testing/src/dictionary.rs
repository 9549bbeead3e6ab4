//! Numbers that occur in the subject's code: drawing them (and their neighbours) reaches comparisons with constants.

use twinrun_subject::Module;
use wasmparser::{Operator, Parser, Payload};

/// More would dilute the drawing.
const MOST: usize = 256;

/// The distinct constants of user code, ascending; 0, 1 and -1 are drawn often anyway.
pub(crate) fn dictionary(module: &Module) -> Vec<i64> {
    let mut numbers = Vec::new();
    let mut payload_start = 0;
    for payload in Parser::new(0).parse_all(&module.bytes).map_while(Result::ok) {
        match payload {
            Payload::CodeSectionStart { range, .. } => payload_start = range.start,
            Payload::CodeSectionEntry(body) => {
                let offset = (body.range().start - payload_start) as u32;
                if !module.sites.function_at(offset).is_some_and(|function| function.user) {
                    continue;
                }
                let Ok(operators) = body.get_operators_reader() else { continue };
                for operator in operators.into_iter().map_while(Result::ok) {
                    match operator {
                        Operator::I32Const { value } => numbers.push(i64::from(value)),
                        Operator::I64Const { value } => numbers.push(value),
                        _ => {}
                    }
                }
            }
            _ => {}
        }
    }
    numbers.retain(|number| !(-1..=1).contains(number));
    numbers.sort_unstable();
    numbers.dedup();
    numbers.truncate(MOST);
    numbers
}
