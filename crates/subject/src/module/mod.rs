//! Loading a WebAssembly module: its relations, its imports and its site table, told once for both engines.

mod blocks;
mod checks;
mod decode;
mod demangle;
mod landings;
mod lines;
mod statements;
pub mod unsupported;
mod variables;

use std::collections::BTreeSet;
use std::sync::Arc;

use serde::{Deserialize, Serialize};
use twinrun_base::abi;
use twinrun_base::sites::{BranchKind, Place, Sites};
use twinrun_base::{Frame, Hash, Location};

use crate::error::Error;
use crate::roots::Roots;
use crate::suggest::suggest;
pub use decode::{Export, Import};
pub use demangle::demangle;
pub use lines::{Inline, LineRow};
pub use variables::{Storage, Variable};

/// A loaded subject.
#[derive(Clone, Debug)]
pub struct Module {
    /// The module as it was built.
    pub bytes: Arc<[u8]>,
    /// The content hash of the bytes.
    pub hash: Hash,
    /// The exported relations, by name.
    pub relations: Vec<Relation>,
    /// The site table.
    pub sites: Sites,
    /// Whether there is a line table; without one nothing can be said about places.
    pub has_debug: bool,
    /// The imports, in module order.
    pub imports: Vec<Import>,
    /// The exports, in module order.
    pub exports: Vec<Export>,
    /// What the user should know about the module.
    pub notices: Vec<String>,
    /// The line table: by ascending offset, each row reaches to the next one.
    pub lines: Vec<LineRow>,
    /// Inlined calls.
    pub inlines: Vec<Inline>,
    /// For each of [`Sites::files`], whether it is user code.
    pub user_files: Vec<bool>,
    /// What told user code from other code.
    pub roots: Arc<Roots>,
}

/// A relation that a module exports.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Relation {
    /// Its name, without the prefix of the export.
    pub name: String,
    /// The index of its function.
    pub function: u32,
    /// Where it is defined.
    pub location: Option<Location>,
}

impl Module {
    /// Decodes and validates a module and computes its site table.
    ///
    /// Missing debug information and missing relations are notices, not errors: a whole program has no relations, and a
    /// module without debug information can still be tested.
    pub fn load(bytes: impl Into<Arc<[u8]>>, roots: &Roots) -> Result<Module, Error> {
        let bytes = bytes.into();
        let decoded = decode::decode(&bytes)?;
        let mut debug = lines::read(&decoded, roots);
        let has_debug = !debug.lines.is_empty();
        let functions = debug.functions(&decoded);
        let mut sites = Sites {
            files: Vec::new(),
            functions,
            blocks: Vec::new(),
            branches: Vec::new(),
            statements: Vec::new(),
        };
        blocks::find(&decoded, &debug, &mut sites)?;
        sites.files = std::mem::take(&mut debug.files);
        statements::group(&mut sites, roots, &debug.c_files);
        let mut module = Module {
            hash: Hash::of([&bytes]),
            relations: relations(&decoded, &sites),
            sites,
            has_debug,
            imports: decoded.imports,
            exports: decoded.exports,
            notices: Vec::new(),
            lines: debug.lines,
            inlines: debug.inlines,
            user_files: debug.user_files,
            roots: Arc::new(roots.clone()),
            bytes,
        };
        module.notices = notices(&module, &roots.project);
        Ok(module)
    }

    /// Loads a checked build beside its plain one: the selects that clang's checks added are no sites.
    pub fn load_checked(bytes: impl Into<Arc<[u8]>>, roots: &Roots, plain: &Module) -> Result<Module, Error> {
        let mut module = Module::load(bytes, roots)?;
        let selects = plain.sites.branches.iter().filter(|branch| branch.kind == BranchKind::Select);
        let places: BTreeSet<Location> =
            selects.filter_map(|it| it.place).map(|it| plain.sites.location(it)).collect();
        let Sites { branches, files, .. } = &mut module.sites;
        let location = |place: Place| Location {
            file: files[place.file as usize].clone(),
            line: place.line,
            column: place.column,
        };
        branches.retain(|branch| {
            branch.kind != BranchKind::Select
                || branch.place.is_some_and(|place| places.contains(&location(place)))
        });
        Ok(module)
    }

    /// The relation with this name.
    pub fn relation(&self, name: &str) -> Result<&Relation, Error> {
        self.relations.iter().find(|relation| relation.name == name).ok_or_else(|| {
            let known: Vec<String> = self.relations.iter().map(|relation| relation.name.clone()).collect();
            Error::UnknownRelation { name: name.to_owned(), suggestion: suggest(name, &known), known }
        })
    }

    /// The variables of the source whose place in memory the debug information tells.
    pub fn variables(&self) -> Vec<Variable> {
        variables::read(&self.bytes)
    }

    /// The source place of the instruction at this offset; line 0 gives none.
    pub fn place_at(&self, offset: u32) -> Option<Place> {
        lines::place_at(&self.lines, offset)
    }

    /// The source location of the instruction at this offset.
    pub fn location_at(&self, offset: u32) -> Option<Location> {
        self.place_at(offset).map(|place| self.sites.location(place))
    }

    /// The stack frames that the instruction at this offset stands for, innermost first: one, or more where calls were
    /// inlined. A frame has a location only where it is user code, so that a report points at the user's own line.
    pub fn frames_at(&self, offset: u32) -> Vec<Frame> {
        let user = |place: Place| self.user_file(place.file).then(|| self.sites.location(place));
        let mut place = self.place_at(offset);
        let mut frames = Vec::new();
        let inlines =
            self.inlines.iter().filter(|inline| inline.range.0 <= offset && offset < inline.range.1);
        let mut nested: Vec<&Inline> = inlines.collect();
        nested.sort_by_key(|inline| std::cmp::Reverse(inline.depth));
        for inline in nested {
            frames.push(Frame { function: inline.function.clone(), location: place.and_then(user) });
            place = inline.call;
        }
        if let Some(function) = self.sites.function_at(offset) {
            frames.push(Frame { function: function.name.clone(), location: place.and_then(user) });
        }
        frames
    }

    /// Whether a file of [`Sites::files`] is user code.
    pub fn user_file(&self, file: u32) -> bool {
        self.user_files.get(file as usize).copied().unwrap_or(false)
    }
}

fn relations(decoded: &decode::Decoded<'_>, sites: &Sites) -> Vec<Relation> {
    let mut relations: Vec<Relation> = decoded
        .exports
        .iter()
        .filter_map(|export| {
            let name = export.name.strip_prefix(abi::RELATION_PREFIX)?;
            let function = export.function?;
            let found = sites.functions.iter().find(|it| it.index == function);
            let location = found.and_then(|it| it.place).map(|place| sites.location(place));
            Some(Relation { name: name.to_owned(), function, location })
        })
        .collect();
    relations.sort_by(|a, b| a.name.cmp(&b.name));
    relations
}

fn notices(module: &Module, project: &std::path::Path) -> Vec<String> {
    let mut notices = Vec::new();
    let is_program = module.exports.iter().any(|export| export.name == "_start");
    if module.relations.is_empty() && !is_program {
        notices.push("the module exports no relation: write one with `RELATION(name) { … }` from twinrun.h, or `relation!` in Rust".to_owned());
    }
    if !module.has_debug {
        notices.push(
            "the module has no debug information, so coverage and source places are unknown: build it with `-g -O0`"
                .to_owned(),
        );
    } else if !module.sites.functions.iter().any(|function| function.user) {
        notices.push(format!(
            "the debug information places no code in a file below {}: list the folders of its sources under `roots`",
            project.display()
        ));
    }
    notices.extend(unsupported::notices(&module.imports));
    notices
}
