//! Where variables of the source live in memory, from DWARF: at a fixed address, or at an offset from an address that a local of the function holds.

use gimli::{AttributeValue, EndianSlice, LittleEndian, Operation, Unit};

use super::decode::{Decoded, decode};

/// A variable or parameter.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Variable {
    /// Its name.
    pub name: String,
    /// Where it lives.
    pub storage: Storage,
    /// How many bytes it has, if its type tells.
    pub size: Option<u64>,
    /// The line of its declaration.
    pub line: Option<u32>,
}

/// Where a variable lives.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Storage {
    /// In the frame of a function.
    Frame {
        /// The function's index.
        function: u32,
        /// The local that holds the address of the frame.
        local: u32,
        /// The offset from there.
        offset: i64,
    },
    /// At a fixed address.
    Static(u32),
}

type Slice<'a> = EndianSlice<'a, LittleEndian>;

/// All variables of a module whose place is told; what is damaged is left out.
pub(super) fn read(bytes: &[u8]) -> Vec<Variable> {
    let Ok(decoded) = decode(bytes) else { return Vec::new() };
    let section = |id: gimli::SectionId| -> Result<Slice<'_>, gimli::Error> {
        Ok(EndianSlice::new(decoded.custom.get(id.name()).copied().unwrap_or_default(), LittleEndian))
    };
    let Ok(dwarf) = gimli::Dwarf::load(section) else { return Vec::new() };
    let mut found = Vec::new();
    let mut units = dwarf.units();
    while let Ok(Some(header)) = units.next() {
        let Ok(unit) = dwarf.unit(header) else { continue };
        let _ = read_unit(&dwarf, &unit, &decoded, &mut found);
    }
    found
}

fn read_unit<'a>(
    dwarf: &gimli::Dwarf<Slice<'a>>,
    unit: &Unit<Slice<'a>>,
    decoded: &Decoded<'_>,
    found: &mut Vec<Variable>,
) -> gimli::Result<()> {
    let mut entries = unit.entries();
    // The function around the current entry: its depth, its index, the local with its frame.
    let mut around: Option<(isize, u32, u32)> = None;
    while let Some(entry) = entries.next_dfs()? {
        if around.is_some_and(|(depth, _, _)| entry.depth() <= depth) {
            around = None;
        }
        match entry.tag() {
            gimli::DW_TAG_subprogram => {
                let mut ranges = dwarf.die_ranges(unit, entry)?;
                let Ok(Some(range)) = ranges.next() else { continue };
                let begin = u32::try_from(range.begin).ok();
                let Some(body) = begin.and_then(|begin| decoded.body_at(begin)) else { continue };
                let base = first(unit, entry.attr_value(gimli::DW_AT_frame_base));
                if let Some(Operation::WasmLocal { index }) = base {
                    around = Some((entry.depth(), body.index, index));
                }
            }
            gimli::DW_TAG_variable | gimli::DW_TAG_formal_parameter => {
                let name = entry.attr_value(gimli::DW_AT_name);
                let name = name.and_then(|name| dwarf.attr_string(unit, name).ok());
                let Some(name) = name else { continue };
                let storage = match (first(unit, entry.attr_value(gimli::DW_AT_location)), around) {
                    (Some(Operation::FrameOffset { offset }), Some((_, function, local))) => {
                        Storage::Frame { function, local, offset }
                    }
                    (Some(Operation::Address { address }), _) => match u32::try_from(address) {
                        Ok(address) if address > 0 => Storage::Static(address),
                        _ => continue,
                    },
                    _ => continue,
                };
                let line = entry.attr_value(gimli::DW_AT_decl_line).and_then(|line| line.udata_value());
                found.push(Variable {
                    name: name.to_string_lossy().into_owned(),
                    storage,
                    size: size(unit, entry, 0),
                    line: line.and_then(|line| u32::try_from(line).ok()),
                });
            }
            _ => {}
        }
    }
    Ok(())
}

/// The bytes that the type of an entry has, through qualifiers, typedefs and arrays.
fn size<'a>(
    unit: &Unit<Slice<'a>>,
    entry: &gimli::DebuggingInformationEntry<Slice<'a>>,
    hops: u32,
) -> Option<u64> {
    let Some(AttributeValue::UnitRef(offset)) = entry.attr_value(gimli::DW_AT_type) else { return None };
    let ty = unit.entry(offset).ok()?;
    if let Some(bytes) = ty.attr_value(gimli::DW_AT_byte_size).and_then(|bytes| bytes.udata_value()) {
        return Some(bytes);
    }
    let inner = if hops < 16 { size(unit, &ty, hops + 1)? } else { return None };
    if ty.tag() != gimli::DW_TAG_array_type {
        return Some(inner);
    }
    let mut tree = unit.entries_tree(Some(offset)).ok()?;
    let mut bounds = tree.root().ok()?.children();
    let mut bytes = inner;
    while let Some(bound) = bounds.next().ok()? {
        let count = bound.entry().attr_value(gimli::DW_AT_count).and_then(|count| count.udata_value())?;
        bytes = bytes.checked_mul(count)?;
    }
    Some(bytes)
}

/// The first operation of an expression.
fn first<'a>(
    unit: &Unit<Slice<'a>>,
    value: Option<AttributeValue<Slice<'a>>>,
) -> Option<Operation<Slice<'a>>> {
    let Some(AttributeValue::Exprloc(expression)) = value else { return None };
    expression.operations(unit.encoding()).next().ok().flatten()
}
