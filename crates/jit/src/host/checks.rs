//! Checks: the property between the runs.

use twinrun_base::abi::MODULE;
use twinrun_base::{FailedCheck, Operator, Value};
use wasmtime::{Caller, Linker, Result};

use super::inputs::text_of;
use crate::state::{End, State, slice, split};

pub(super) fn add(linker: &mut Linker<State>) -> Result<()> {
    linker.func_wrap(MODULE, "check", check)?;
    linker.func_wrap(MODULE, "check_int", check_int)?;
    linker.func_wrap(MODULE, "check_float", check_float)?;
    linker.func_wrap(MODULE, "check_bytes", check_bytes)?;
    Ok(())
}

fn check(mut caller: Caller<'_, State>, condition: i32, text: i32, length: i32, line: i32) -> Result<()> {
    caller.data_mut().observation.checks += 1;
    if condition != 0 {
        return Ok(());
    }
    fail(&mut caller, Operator::True, None, Value::Int(0), Value::Int(1), (text, length, line))
}

#[expect(clippy::too_many_arguments, reason = "the ABI")]
fn check_int(
    mut caller: Caller<'_, State>,
    operator: i32,
    unsigned: i32,
    left: i64,
    right: i64,
    text: i32,
    length: i32,
    line: i32,
) -> Result<()> {
    caller.data_mut().observation.checks += 1;
    compared(&mut caller, [left as u64, right as u64]);
    let operator = operator_of(&mut caller, operator)?;
    let order = if unsigned != 0 { (left as u64).cmp(&(right as u64)) } else { left.cmp(&right) };
    let holds = match operator {
        Operator::True => left != 0,
        Operator::Eq | Operator::Near => order.is_eq(),
        Operator::Ne => order.is_ne(),
        Operator::Le => order.is_le(),
        Operator::Lt => order.is_lt(),
        Operator::Ge => order.is_ge(),
        Operator::Gt => order.is_gt(),
    };
    if holds {
        return Ok(());
    }
    fail(&mut caller, operator, None, Value::Int(left), Value::Int(right), (text, length, line))
}

/// Comparisons are those of IEEE 754: nothing is near, equal or ordered to NaN. Equal infinities are near.
#[expect(clippy::too_many_arguments, reason = "the ABI")]
fn check_float(
    mut caller: Caller<'_, State>,
    operator: i32,
    left: f64,
    right: f64,
    tolerance: f64,
    text: i32,
    length: i32,
    line: i32,
) -> Result<()> {
    caller.data_mut().observation.checks += 1;
    compared(&mut caller, [left.to_bits(), right.to_bits()]);
    let operator = operator_of(&mut caller, operator)?;
    let holds = match operator {
        Operator::True => left != 0.0,
        Operator::Eq => left == right,
        Operator::Near => left == right || (left - right).abs() <= tolerance,
        Operator::Ne => left != right,
        Operator::Le => left <= right,
        Operator::Lt => left < right,
        Operator::Ge => left >= right,
        Operator::Gt => left > right,
    };
    if holds {
        return Ok(());
    }
    let tolerance = (operator == Operator::Near).then_some(tolerance);
    fail(&mut caller, operator, tolerance, Value::Float(left), Value::Float(right), (text, length, line))
}

#[expect(clippy::too_many_arguments, reason = "the ABI")]
fn check_bytes(
    mut caller: Caller<'_, State>,
    left: i32,
    left_length: i32,
    right: i32,
    right_length: i32,
    text: i32,
    length: i32,
    line: i32,
) -> Result<()> {
    caller.data_mut().observation.checks += 1;
    let (memory, _) = split(&mut caller);
    let (left, right) = (slice(memory, left, left_length)?, slice(memory, right, right_length)?);
    let (left, right) = (left.to_vec(), right.to_vec());
    compared(&mut caller, [number_of(&left), number_of(&right)]);
    if left == right {
        return Ok(());
    }
    let (left, right) = (Value::Bytes(left), Value::Bytes(right));
    fail(&mut caller, Operator::Eq, None, left, right, (text, length, line))
}

/// Notes what a check compares, where that is wanted.
fn compared(caller: &mut Caller<'_, State>, operands: [u64; 2]) {
    let state = caller.data_mut();
    if state.compiled.config().operands {
        state.observation.operands.extend(operands);
    }
}

/// A text as a number; the same in every process.
fn number_of(bytes: &[u8]) -> u64 {
    let mut hasher = std::hash::DefaultHasher::new();
    std::hash::Hasher::write(&mut hasher, bytes);
    std::hash::Hasher::finish(&hasher)
}

fn operator_of(caller: &mut Caller<'_, State>, code: i32) -> Result<Operator> {
    Operator::from_code(code as u32).ok_or_else(|| {
        caller.data_mut().stop(End::Failure(format!("the operator {code} of a check is unknown")))
    })
}

fn fail(
    caller: &mut Caller<'_, State>,
    operator: Operator,
    tolerance: Option<f64>,
    left: Value,
    right: Value,
    (text, length, line): (i32, i32, i32),
) -> Result<()> {
    let (memory, state) = split(caller);
    let text = text_of(slice(memory, text, length)?).to_owned();
    state.observation.check = Some(FailedCheck { operator, text, left, right, tolerance, location: None });
    Err(state.stop(End::Check(line as u32)))
}
