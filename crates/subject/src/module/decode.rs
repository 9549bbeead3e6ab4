//! The parts of a module that everything else here reads: bodies, names, imports, exports, debug sections.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};
use wasmparser::{
    ExternalKind, FunctionBody, Name, NameSectionReader, Parser, Payload, TypeRef, Validator, WasmFeatures,
};

use crate::error::Error;

/// Something that the module needs from outside.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Import {
    /// Where it comes from, e.g. `twinrun` or `wasi_snapshot_preview1`.
    pub module: String,
    /// Its name there.
    pub name: String,
    /// Whether it is a function.
    pub function: bool,
}

/// Something that the module offers.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Export {
    /// Its name.
    pub name: String,
    /// The index of the function, if it is one.
    pub function: Option<u32>,
}

/// A function with a body.
pub(super) struct Body<'a> {
    /// In the function index space.
    pub(super) index: u32,
    pub(super) body: FunctionBody<'a>,
    /// From the code section's payload.
    pub(super) range: (u32, u32),
}

/// What [`decode`] found.
pub(super) struct Decoded<'a> {
    pub(super) imports: Vec<Import>,
    pub(super) exports: Vec<Export>,
    pub(super) bodies: Vec<Body<'a>>,
    /// Names of functions as the name section has them.
    pub(super) names: BTreeMap<u32, &'a str>,
    /// Custom sections, e.g. `.debug_line`.
    pub(super) custom: BTreeMap<&'a str, &'a [u8]>,
    /// The file offset of the code section's payload.
    pub(super) code: usize,
}

impl Decoded<'_> {
    /// The body that contains this offset.
    pub(super) fn body_at(&self, offset: u32) -> Option<&Body<'_>> {
        let after = self.bodies.partition_point(|body| body.range.0 <= offset);
        self.bodies[..after].last().filter(|body| offset < body.range.1)
    }
}

/// What both engines understand: WebAssembly 2.0 without vectors, as clang and rustc emit it for WASI.
fn features() -> WasmFeatures {
    WasmFeatures::WASM2 | WasmFeatures::TAIL_CALL | WasmFeatures::EXTENDED_CONST
}

/// Reads and validates the module.
pub(super) fn decode(bytes: &[u8]) -> Result<Decoded<'_>, Error> {
    if !bytes.starts_with(b"\0asm") {
        let what =
            if bytes.is_empty() { "the file is empty" } else { "it does not start with the bytes `\\0asm`" };
        return Err(Error::NotWasm { reason: what.to_owned() });
    }
    if let Err(error) = Validator::new_with_features(features()).validate_all(bytes) {
        // Valid with everything switched on: the module is sound but asks for more than the engines have.
        return Err(match Validator::new_with_features(WasmFeatures::all()).validate_all(bytes) {
            Ok(_) => {
                Error::UnsupportedFeature { reason: error.message().to_owned(), exceptions: has_tags(bytes) }
            }
            Err(_) => error.into(),
        });
    }
    read(bytes)
        .map_err(|error| Error::CorruptWasm { offset: error.offset(), reason: error.message().to_owned() })
}

fn has_tags(bytes: &[u8]) -> bool {
    Parser::new(0).parse_all(bytes).any(|payload| matches!(payload, Ok(Payload::TagSection(_))))
}

fn read(bytes: &[u8]) -> Result<Decoded<'_>, wasmparser::BinaryReaderError> {
    let mut decoded = Decoded {
        imports: Vec::new(),
        exports: Vec::new(),
        bodies: Vec::new(),
        names: BTreeMap::new(),
        custom: BTreeMap::new(),
        code: 0,
    };
    let mut imported = 0;
    for payload in Parser::new(0).parse_all(bytes) {
        match payload? {
            Payload::ImportSection(section) => {
                for import in section.into_imports() {
                    let import = import?;
                    let function = matches!(import.ty, TypeRef::Func(_) | TypeRef::FuncExact(_));
                    imported += u32::from(function);
                    let (module, name) = (import.module.to_owned(), import.name.to_owned());
                    decoded.imports.push(Import { module, name, function });
                }
            }
            Payload::ExportSection(section) => {
                for export in section {
                    let export = export?;
                    let function = matches!(export.kind, ExternalKind::Func).then_some(export.index);
                    decoded.exports.push(Export { name: export.name.to_owned(), function });
                }
            }
            Payload::CodeSectionStart { range, .. } => decoded.code = range.start,
            Payload::CodeSectionEntry(body) => {
                let range = body.range();
                let range = ((range.start - decoded.code) as u32, (range.end - decoded.code) as u32);
                let index = imported + decoded.bodies.len() as u32;
                decoded.bodies.push(Body { index, body, range });
            }
            Payload::CustomSection(section) => {
                decoded.custom.insert(section.name(), section.data());
                if section.name() == "name" {
                    // Names are a convenience: a damaged name section costs the names only.
                    let _ = names(&section, &mut decoded.names);
                }
            }
            _ => {}
        }
    }
    Ok(decoded)
}

fn names<'a>(
    section: &wasmparser::CustomSectionReader<'a>,
    names: &mut BTreeMap<u32, &'a str>,
) -> Result<(), wasmparser::BinaryReaderError> {
    let reader = wasmparser::BinaryReader::new(section.data(), section.data_offset());
    for subsection in NameSectionReader::new(reader) {
        if let Name::Function(functions) = subsection? {
            for naming in functions {
                let naming = naming?;
                names.insert(naming.index, naming.name);
            }
        }
    }
    Ok(())
}
