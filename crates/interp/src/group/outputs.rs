//! What a run is given and what it gives.

use twinrun_base::{IntKind, Value};

use crate::domain::Domain;
use crate::group::host::{Arguments, Records};
use crate::imports::Host;
use crate::trap::Trap;

pub(super) fn call<D: Domain>(
    records: &mut Records,
    import: &str,
    host: &mut Host<'_, D>,
) -> Result<(), Trap> {
    let name = host.text(0)?;
    let value = match import.rsplit('_').next() {
        Some("int") => Value::Int(host.long(2)),
        Some("float") => Value::Float(host.double(2)),
        Some("ints") => {
            let kind = IntKind::from_code(host.word(2)).unwrap_or(IntKind::I32);
            let len = length(host.word(4), kind.bytes())?;
            let bytes = host.read(host.word(3), len)?;
            Value::Ints(bytes.chunks_exact(kind.bytes()).map(|bytes| number(kind, bytes)).collect())
        }
        Some("floats") => {
            let len = length(host.word(3), 8)?;
            let bytes = host.read(host.word(2), len)?;
            let number = |bytes: &[u8]| f64::from_le_bytes(bytes.try_into().unwrap_or_default());
            Value::Floats(bytes.chunks_exact(8).map(number).collect())
        }
        _ => Value::Bytes(host.bytes(2)?),
    };
    if import.starts_with("given") {
        records.given.push((name, value));
    } else if let Some(record) = records.runs.last_mut() {
        record.run.outputs.push((name, value));
    }
    Ok(())
}

fn length(count: u32, width: usize) -> Result<u32, Trap> {
    let bytes = u64::from(count) * width as u64;
    i32::try_from(bytes).map(|bytes| bytes as u32).map_err(|_| Trap::MemoryOutOfBounds)
}

fn number(kind: IntKind, bytes: &[u8]) -> i64 {
    match kind {
        IntKind::U8 => i64::from(bytes[0]),
        IntKind::I16 => i64::from(i16::from_le_bytes([bytes[0], bytes[1]])),
        IntKind::I64 => i64::from_le_bytes(bytes.try_into().unwrap_or_default()),
        IntKind::U32 | IntKind::Length => i64::from(u32::from_le_bytes(bytes.try_into().unwrap_or_default())),
        _ => i64::from(i32::from_le_bytes(bytes.try_into().unwrap_or_default())),
    }
}
