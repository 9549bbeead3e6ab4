//! Where runs begin and end, and assumptions.

use crate::domain::Domain;
use crate::group::host::{Arguments, End, Records, RunRecord};
use crate::imports::{Host, Segment};
use crate::trap::Trap;

pub(super) fn call<D: Domain>(
    records: &mut Records,
    import: &str,
    host: &mut Host<'_, D>,
) -> Result<(), Trap> {
    match import {
        // A run inside a run belongs to the outer one.
        "run_begin" => {
            records.open += 1;
            if records.open == 1 {
                start(records);
                host.segment = Some(Segment::Begin);
            }
        }
        "run_end" => {
            if records.open == 1 {
                host.segment = Some(Segment::End);
            }
            records.open = records.open.saturating_sub(1);
        }
        _ => {
            if host.word(0) == 0 {
                return Err(records.stop(End::Discard));
            }
        }
    }
    Ok(())
}

/// Starts the record of the next run.
pub(super) fn start(records: &mut Records) {
    let mut record = RunRecord::default();
    record.run.given = std::mem::take(&mut records.given);
    records.runs.push(record);
}
