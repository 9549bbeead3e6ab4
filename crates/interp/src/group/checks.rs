//! Checks: the property between the runs.

use twinrun_base::{FailedCheck, Operator, Value};

use crate::domain::Domain;
use crate::group::host::{Arguments, End, Records};
use crate::imports::Host;
use crate::trap::Trap;

pub(super) fn call<D: Domain>(
    records: &mut Records,
    import: &str,
    host: &mut Host<'_, D>,
) -> Result<(), Trap> {
    let (holds, operator, tolerance, left, right, text) = match import {
        "check" => (host.word(0) != 0, Operator::True, None, Value::Int(0), Value::Int(1), 1),
        "check_int" => {
            let operator = operator(records, host.word(0))?;
            let (left, right) = (host.long(2), host.long(3));
            (
                integers_hold(operator, host.word(1) != 0, left, right),
                operator,
                None,
                Value::Int(left),
                Value::Int(right),
                4,
            )
        }
        "check_float" => {
            let operator = operator(records, host.word(0))?;
            let (left, right, tolerance) = (host.double(1), host.double(2), host.double(3));
            let holds = floats_hold(operator, left, right, tolerance);
            let tolerance = (operator == Operator::Near).then_some(tolerance);
            (holds, operator, tolerance, Value::Float(left), Value::Float(right), 4)
        }
        _ => {
            let (left, right) = (host.bytes(0)?, host.bytes(2)?);
            (left == right, Operator::Eq, None, Value::Bytes(left), Value::Bytes(right), 4)
        }
    };
    if holds {
        return Ok(());
    }
    let line = host.word(text + 2);
    let text = host.text(text)?;
    let check = FailedCheck { operator, text, left, right, tolerance, location: None };
    Err(records.stop(End::Check(Box::new(check), line)))
}

fn operator(records: &mut Records, code: u32) -> Result<Operator, Trap> {
    Operator::from_code(code).ok_or_else(|| {
        records.stop(End::Failure(format!("the operator {} of a check is unknown", code as i32)))
    })
}

/// Whether a check of integers is satisfied.
pub fn integers_hold(operator: Operator, unsigned: bool, left: i64, right: i64) -> bool {
    let order = if unsigned { (left as u64).cmp(&(right as u64)) } else { left.cmp(&right) };
    match operator {
        Operator::True => left != 0,
        Operator::Eq | Operator::Near => order.is_eq(),
        Operator::Ne => order.is_ne(),
        Operator::Le => order.is_le(),
        Operator::Lt => order.is_lt(),
        Operator::Ge => order.is_ge(),
        Operator::Gt => order.is_gt(),
    }
}

/// Whether a check of doubles is satisfied. Comparisons are those of IEEE 754: nothing is near, equal or ordered to NaN. Equal infinities are near.
pub fn floats_hold(operator: Operator, left: f64, right: f64, tolerance: f64) -> bool {
    match operator {
        Operator::True => left != 0.0,
        Operator::Eq => left == right,
        Operator::Near => left == right || (left - right).abs() <= tolerance,
        Operator::Ne => left != right,
        Operator::Le => left <= right,
        Operator::Lt => left < right,
        Operator::Ge => left >= right,
        Operator::Gt => left > right,
    }
}
