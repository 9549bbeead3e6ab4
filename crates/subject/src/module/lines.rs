//! The source map: line table, functions and inlined calls from DWARF.
//!
//! An address is an offset from the code section's payload. Debug information of functions that the linker removed keeps
//! addresses that point nowhere (0, or beyond the code); they are left out.

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

use gimli::{AttributeValue, DebuggingInformationEntry, EndianSlice, LittleEndian, Unit};
use serde::{Deserialize, Serialize};
use twinrun_base::sites::{Function, Place};

use super::decode::Decoded;
use super::demangle::demangle;
use crate::roots::Roots;

/// A row of the line table; it reaches to the next row.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct LineRow {
    /// The first instruction that it describes.
    pub offset: u32,
    /// The place; none for line 0 and between functions.
    pub place: Option<Place>,
}

/// A call that the compiler inlined.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Inline {
    /// The instructions of the inlined body.
    pub range: (u32, u32),
    /// The function that was inlined.
    pub function: String,
    /// Where the call stands.
    pub call: Option<Place>,
    /// How many inlined calls enclose it.
    pub depth: u32,
}

/// The place of the instruction at this offset.
pub(super) fn place_at(lines: &[LineRow], offset: u32) -> Option<Place> {
    let after = lines.partition_point(|row| row.offset <= offset);
    lines[..after].last().and_then(|row| row.place)
}

/// What [`read`] found.
#[derive(Default)]
pub(super) struct Debug {
    pub(super) lines: Vec<LineRow>,
    pub(super) inlines: Vec<Inline>,
    pub(super) files: Vec<String>,
    pub(super) user_files: Vec<bool>,
    /// Files that a unit of the language C contains; a header of both C and C++ is read as C++.
    pub(super) c_files: BTreeSet<u32>,
    /// By the offset of the body: name and declaration.
    subprograms: BTreeMap<u32, (Option<String>, Option<Place>)>,
}

impl Debug {
    pub(super) fn is_user(&self, place: Place) -> bool {
        self.user_files.get(place.file as usize).copied().unwrap_or(false)
    }

    /// The functions with their names and places; user code is a function with a row in a file of the project.
    pub(super) fn functions(&self, decoded: &Decoded<'_>) -> Vec<Function> {
        let exported = |index| {
            decoded
                .exports
                .iter()
                .find(|export| export.function == Some(index))
                .map(|export| export.name.clone())
        };
        let function = |body: &super::decode::Body<'_>| {
            let known = self.subprograms.get(&body.range.0);
            // Linkers demangle the name section, each in its own way; the debug information has the true name.
            let name = known.and_then(|it| it.0.clone());
            let name = name.or_else(|| decoded.names.get(&body.index).map(|name| demangle(name)));
            let name = name.or_else(|| exported(body.index));
            let from = self.lines.partition_point(|row| row.offset < body.range.0);
            let rows = self.lines[from..].iter().take_while(|row| row.offset < body.range.1);
            let first = rows.filter_map(|row| row.place).find(|place| self.is_user(*place));
            // A function that a macro defines is declared where the macro is; its body lies with the user.
            let declared = known.and_then(|it| it.1).filter(|place| first.is_none() || self.is_user(*place));
            Function {
                index: body.index,
                name: name.unwrap_or_else(|| format!("function {}", body.index)),
                user: first.is_some(),
                range: body.range,
                place: declared.or(first.map(|place| Place { column: 0, ..place })),
            }
        };
        decoded.bodies.iter().map(function).collect()
    }
}

type Slice<'a> = EndianSlice<'a, LittleEndian>;
type Dwarf<'a> = gimli::Dwarf<Slice<'a>>;

/// Reads the debug information; what is damaged is left out.
pub(super) fn read(decoded: &Decoded<'_>, roots: &Roots) -> Debug {
    let section = |id: gimli::SectionId| -> Result<Slice<'_>, gimli::Error> {
        Ok(EndianSlice::new(decoded.custom.get(id.name()).copied().unwrap_or_default(), LittleEndian))
    };
    let mut debug = Debug::default();
    let Ok(dwarf) = Dwarf::load(section) else { return debug };
    let mut reader = Reader { dwarf: &dwarf, decoded, roots, ids: BTreeMap::new(), rows: BTreeMap::new() };
    let mut units = dwarf.units();
    while let Ok(Some(header)) = units.next() {
        let Ok(unit) = dwarf.unit(header) else { continue };
        // A unit that is damaged half-way still gives what stands before the damage.
        let _ = reader.unit(&unit, &mut debug);
    }
    debug.lines = reader.rows.into_iter().map(|(offset, place)| LineRow { offset, place }).collect();
    debug.inlines.sort_by_key(|inline| (inline.range.0, inline.depth));
    debug
}

struct Reader<'r, 'a> {
    dwarf: &'r Dwarf<'a>,
    decoded: &'r Decoded<'r>,
    roots: &'r Roots,
    ids: BTreeMap<String, u32>,
    rows: BTreeMap<u32, Option<Place>>,
}

impl<'a> Reader<'_, 'a> {
    fn unit(&mut self, unit: &Unit<Slice<'a>>, debug: &mut Debug) -> gimli::Result<()> {
        let files = self.files(unit, debug)?;
        self.lines(unit, &files)?;
        self.entries(unit, &files, debug)
    }

    /// The file table of the unit, as numbers of [`Debug::files`].
    fn files(&mut self, unit: &Unit<Slice<'a>>, debug: &mut Debug) -> gimli::Result<Vec<Option<u32>>> {
        let Some(program) = &unit.line_program else { return Ok(Vec::new()) };
        let header = program.header();
        let text = |value| Some(self.dwarf.attr_string(unit, value).ok()?.to_string_lossy().into_owned());
        let folder = unit.comp_dir.map(|it| it.to_string_lossy().into_owned()).unwrap_or_default();
        let is_c = is_c(unit);
        let count = header.file_names().len() as u64;
        let mut files = Vec::new();
        for index in 0..=count {
            let Some(file) = header.file(index) else {
                files.push(None);
                continue;
            };
            let Some(name) = text(file.path_name()) else {
                files.push(None);
                continue;
            };
            let within = file.directory(header).and_then(text).unwrap_or_default();
            let path = Path::new(&folder).join(within).join(name);
            let (shown, user) = self.roots.classify(&path);
            let id = *self.ids.entry(shown.clone()).or_insert_with(|| {
                debug.files.push(shown);
                debug.user_files.push(user);
                debug.files.len() as u32 - 1
            });
            if is_c {
                debug.c_files.insert(id);
            }
            files.push(Some(id));
        }
        Ok(files)
    }

    fn lines(&mut self, unit: &Unit<Slice<'a>>, files: &[Option<u32>]) -> gimli::Result<()> {
        let Some(program) = unit.line_program.clone() else { return Ok(()) };
        let mut rows = program.rows();
        let mut alive = None;
        while let Some((_, row)) = rows.next_row()? {
            let offset = u32::try_from(row.address()).ok();
            let is_alive =
                *alive.get_or_insert_with(|| offset.is_some_and(|it| self.decoded.body_at(it).is_some()));
            if row.end_sequence() {
                alive = None;
            }
            let (true, Some(offset)) = (is_alive, offset) else { continue };
            if row.end_sequence() {
                self.rows.entry(offset).or_insert(None);
                continue;
            }
            let file = files.get(row.file_index() as usize).copied().flatten();
            let column = match row.column() {
                gimli::ColumnType::LeftEdge => 0,
                gimli::ColumnType::Column(column) => column.get() as u32,
            };
            let place =
                row.line().zip(file).map(|(line, file)| Place { file, line: line.get() as u32, column });
            self.rows.insert(offset, place);
        }
        Ok(())
    }

    fn entries(
        &mut self,
        unit: &Unit<Slice<'a>>,
        files: &[Option<u32>],
        debug: &mut Debug,
    ) -> gimli::Result<()> {
        let mut entries = unit.entries();
        // The tree depths of the inlined calls around the current entry.
        let mut open: Vec<isize> = Vec::new();
        while let Some(entry) = entries.next_dfs()? {
            let depth = entry.depth();
            while open.last().is_some_and(|outer| *outer >= depth) {
                open.pop();
            }
            match entry.tag() {
                gimli::DW_TAG_subprogram => {
                    let mut ranges = self.dwarf.die_ranges(unit, entry)?;
                    let Ok(Some(range)) = ranges.next() else { continue };
                    let body = u32::try_from(range.begin).ok().and_then(|begin| self.decoded.body_at(begin));
                    let Some(start) = body.map(|body| body.range.0) else { continue };
                    let name = self.name(unit, entry, 0);
                    let place = self.declared(unit, entry, files, 0);
                    debug.subprograms.insert(start, (name, place));
                }
                gimli::DW_TAG_inlined_subroutine => {
                    let name = self.name(unit, entry, 0).unwrap_or_else(|| "inlined function".to_owned());
                    let call = place(
                        files,
                        entry.attr_value(gimli::DW_AT_call_file),
                        entry.attr_value(gimli::DW_AT_call_line),
                        entry.attr_value(gimli::DW_AT_call_column),
                    );
                    let mut ranges = self.dwarf.die_ranges(unit, entry)?;
                    while let Ok(Some(range)) = ranges.next() {
                        let (begin, end) = (u32::try_from(range.begin), u32::try_from(range.end));
                        let (Ok(begin), Ok(end)) = (begin, end) else { continue };
                        if begin < end && self.decoded.body_at(begin).is_some() {
                            let depth = open.len() as u32;
                            debug.inlines.push(Inline {
                                range: (begin, end),
                                function: name.clone(),
                                call,
                                depth,
                            });
                        }
                    }
                    open.push(depth);
                }
                _ => {}
            }
        }
        Ok(())
    }

    /// The name of a function, also through its declaration.
    fn name(
        &self,
        unit: &Unit<Slice<'a>>,
        entry: &DebuggingInformationEntry<Slice<'a>>,
        hops: u32,
    ) -> Option<String> {
        let text = |attribute| {
            let value = entry.attr_value(attribute)?;
            self.dwarf.attr_string(unit, value).ok().map(|name| name.to_string_lossy().into_owned())
        };
        // A linkage name that is not mangled is an invention of the linker's (`__main_argc_argv`) or an export's.
        let mangled =
            text(gimli::DW_AT_linkage_name).filter(|name| name.starts_with("_Z") || name.starts_with("_R"));
        if let Some(name) = mangled.or_else(|| text(gimli::DW_AT_name)) {
            return Some(demangle(&name));
        }
        let origin = origin(unit, entry)?;
        if hops < 4 { self.name(unit, &origin, hops + 1) } else { None }
    }

    /// Where a function is declared, also through its declaration.
    fn declared(
        &self,
        unit: &Unit<Slice<'a>>,
        entry: &DebuggingInformationEntry<Slice<'a>>,
        files: &[Option<u32>],
        hops: u32,
    ) -> Option<Place> {
        let file = entry.attr_value(gimli::DW_AT_decl_file);
        let own = place(files, file, entry.attr_value(gimli::DW_AT_decl_line), None);
        own.or_else(
            || if hops < 4 { self.declared(unit, &origin(unit, entry)?, files, hops + 1) } else { None },
        )
    }
}

fn origin<'a>(
    unit: &Unit<Slice<'a>>,
    entry: &DebuggingInformationEntry<Slice<'a>>,
) -> Option<DebuggingInformationEntry<Slice<'a>>> {
    let from = |attribute| match entry.attr_value(attribute) {
        Some(AttributeValue::UnitRef(offset)) => unit.entry(offset).ok(),
        Some(AttributeValue::DebugInfoRef(offset)) => unit.entry(offset.to_unit_offset(unit)?).ok(),
        _ => None,
    };
    from(gimli::DW_AT_abstract_origin).or_else(|| from(gimli::DW_AT_specification))
}

fn place(
    files: &[Option<u32>],
    file: Option<AttributeValue<Slice<'_>>>,
    line: Option<AttributeValue<Slice<'_>>>,
    column: Option<AttributeValue<Slice<'_>>>,
) -> Option<Place> {
    let number = |value: AttributeValue<Slice<'_>>| match value {
        AttributeValue::FileIndex(index) => Some(index),
        value => value.udata_value(),
    };
    let file = files.get(number(file?)? as usize).copied().flatten()?;
    let line = u32::try_from(number(line?)?).ok().filter(|line| *line > 0)?;
    let column = column.and_then(number).and_then(|column| u32::try_from(column).ok()).unwrap_or(0);
    Some(Place { file, line, column })
}

fn is_c(unit: &Unit<Slice<'_>>) -> bool {
    let mut entries = unit.entries();
    let Ok(Some(root)) = entries.next_dfs() else { return false };
    let Some(AttributeValue::Language(language)) = root.attr_value(gimli::DW_AT_language) else {
        return false;
    };
    [gimli::DW_LANG_C, gimli::DW_LANG_C89, gimli::DW_LANG_C99, gimli::DW_LANG_C11, gimli::DW_LANG_C17]
        .contains(&language)
}
