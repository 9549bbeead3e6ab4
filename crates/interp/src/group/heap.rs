//! Notices of our allocator, and heap errors.

use twinrun_base::CrashKind;
use twinrun_base::abi::HEAP_ERRORS;

use crate::domain::Domain;
use crate::group::host::{Arguments, End, Records};
use crate::heap::Notice;
use crate::imports::Host;
use crate::trap::Trap;

pub(super) fn call<D: Domain>(
    records: &mut Records,
    import: &str,
    host: &mut Host<'_, D>,
) -> Result<(), Trap> {
    let notice = match import {
        "heap_alloc" => Notice::Alloc,
        "heap_free" => Notice::Free,
        _ => {
            let (code, block, size) = (host.word(0), host.word(1), host.word(2));
            let words = HEAP_ERRORS.get(code as usize).copied().unwrap_or("heap error");
            let kind = match code {
                0 => CrashKind::HeapOverrun,
                1 => CrashKind::UseAfterFree,
                _ => CrashKind::BadFree,
            };
            let message = format!("{words}: block at {block:#x} of {size} bytes");
            return Err(records.stop(End::Crash(kind, message, None)));
        }
    };
    let (block, size) = (host.word(0), host.word(1));
    host.notice(notice, block, size);
    Ok(())
}
