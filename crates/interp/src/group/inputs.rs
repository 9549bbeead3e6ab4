//! Drawing inputs.

use twinrun_base::{IntKind, OpSpec, Shape};

use crate::domain::Domain;
use crate::group::host::{Arguments, End, GroupHost};
use crate::imports::Host;
use crate::ops::Type;
use crate::trap::Trap;

pub(super) fn call<D: Domain>(
    this: &mut GroupHost<'_>,
    import: &str,
    host: &mut Host<'_, D>,
) -> Result<(), Trap> {
    let Some(inputs) = this.inputs.as_deref_mut() else {
        let message = "inputs can only be drawn by a relation, not by a whole program or while a subject is initialised";
        return Err(this.records.stop(End::Failure(message.to_owned())));
    };
    let size = host.memory().map_or(0, crate::memory::Memory::len);
    let room = |bytes: u64| if bytes <= size { Ok(()) } else { Err(Trap::MemoryOutOfBounds) };
    macro_rules! kind {
        () => {{
            let code = host.word(2);
            match IntKind::from_code(code) {
                Some(kind) => kind,
                None => {
                    let message = format!("the kind {} of an integer input is unknown", code as i32);
                    return Err(this.records.stop(End::Failure(message)));
                }
            }
        }};
    }
    match import {
        "int" => {
            let (name, kind) = (host.text(0)?, kind!());
            let number = inputs.int(&name, kind, host.long(3), host.long(4));
            host.answer(Type::I64, number as u64);
        }
        "float" => {
            let name = host.text(0)?;
            let number = inputs.float(&name, host.double(2), host.double(3));
            host.answer(Type::F64, number.to_bits());
        }
        "ints" => {
            let kind = kind!();
            let shape = shape(host.word(4) as i32, host.word(5));
            room(shape.count() as u64 * kind.bytes() as u64)?;
            let name = host.text(0)?;
            let mut numbers = Vec::new();
            inputs.ints(&name, kind, shape, host.long(6), host.long(7), &mut numbers);
            host.write(host.word(3), &bytes(kind, &numbers))?;
        }
        "floats" => {
            let shape = shape(host.word(3) as i32, host.word(4));
            room(shape.count() as u64 * 8)?;
            let name = host.text(0)?;
            let mut numbers = Vec::new();
            inputs.floats(&name, shape, host.double(5), host.double(6), &mut numbers);
            let bytes: Vec<u8> = numbers.iter().flat_map(|number| number.to_le_bytes()).collect();
            host.write(host.word(2), &bytes)?;
        }
        "text" => {
            room(u64::from(host.word(4)))?;
            let (name, alphabet) = (host.text(0)?, host.bytes(5)?);
            let mut text = Vec::new();
            inputs.text(&name, host.word(3), host.word(4), &alphabet, &mut text);
            host.write(host.word(2), &text)?;
            host.answer(Type::I32, text.len() as u64);
        }
        "permutation" => {
            let n = host.word(3);
            room(u64::from(n) * 4)?;
            let name = host.text(0)?;
            let mut numbers = Vec::new();
            inputs.permutation(&name, n, &mut numbers);
            host.write(host.word(2), &bytes(IntKind::I32, &numbers))?;
        }
        _ => {
            let max = host.word(3);
            room(u64::from(max) * 16)?;
            let specs = match OpSpec::parse(&host.text(4)?) {
                Ok(specs) => specs,
                Err(message) => return Err(this.records.stop(End::Failure(message))),
            };
            let name = host.text(0)?;
            let mut ops = Vec::new();
            inputs.ops(&name, max, &specs, &mut ops);
            let words = ops.iter().flat_map(|op| [op.op, op.arguments[0], op.arguments[1], op.arguments[2]]);
            let bytes: Vec<u8> = words.flat_map(i32::to_le_bytes).collect();
            host.write(host.word(2), &bytes)?;
            host.answer(Type::I32, ops.len() as u64);
        }
    }
    Ok(())
}

fn shape(rows: i32, columns: u32) -> Shape {
    if rows < 0 { Shape::Array(columns) } else { Shape::Matrix(rows as u32, columns) }
}

fn bytes(kind: IntKind, numbers: &[i64]) -> Vec<u8> {
    let width = kind.bytes();
    numbers.iter().flat_map(|number| number.to_le_bytes().into_iter().take(width)).collect()
}
