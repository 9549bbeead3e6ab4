//! Conditions as they are printed, beside what is true.

use twinrun_base::Case;

use crate::printed::{Named, Said};
use crate::truth::show;

/// Where what a printed condition says and what is true do not agree: it may only hold where it should, and `both_ways` wherever it should.
///
/// # Errors
/// When the condition cannot be read.
pub fn disagreement(
    alternatives: &[String],
    cases: &[(Case, Named, bool)],
    should: bool,
    both_ways: bool,
) -> Result<Option<String>, String> {
    let said = Said::read(alternatives)?;
    for (case, named, fails) in cases {
        let holds = said.holds(named);
        if holds && *fails != should {
            return Ok(Some(format!("says more than is true: {}", show(case))));
        }
        if both_ways && !holds && *fails == should {
            return Ok(Some(format!("leaves out: {}", show(case))));
        }
    }
    Ok(None)
}
