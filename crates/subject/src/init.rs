//! `twinrun init`: working projects to learn from.

use std::path::{Path, PathBuf};

use crate::error::Error;
use crate::files;

/// Which project to write.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Template {
    /// C: the greatest sum of neighbours, with a fault that the relation `reverse` finds.
    C,
    /// C++ with the STL: a stateful inventory with a fault.
    Cxx,
    /// A Rust crate: merging intervals with a fault.
    Rust,
    /// A command: `sort`, whose relations hold.
    Command,
}

impl Template {
    /// The template with this name on the command line.
    pub fn from_name(name: &str) -> Option<Template> {
        match name {
            "c" => Some(Template::C),
            "c++" | "cpp" | "cxx" => Some(Template::Cxx),
            "rust" | "rs" => Some(Template::Rust),
            "command" => Some(Template::Command),
            _ => None,
        }
    }

    fn files(self) -> &'static [(&'static str, &'static str)] {
        match self {
            Template::C => &[
                ("twinrun.toml", include_str!("../templates/c/twinrun.toml")),
                ("maxsub.h", include_str!("../templates/c/maxsub.h")),
                ("maxsub.c", include_str!("../templates/c/maxsub.c")),
                ("relations.c", include_str!("../templates/c/relations.c")),
            ],
            Template::Cxx => &[
                ("twinrun.toml", include_str!("../templates/cpp/twinrun.toml")),
                ("inventory.hpp", include_str!("../templates/cpp/inventory.hpp")),
                ("inventory.cpp", include_str!("../templates/cpp/inventory.cpp")),
                ("relations.cpp", include_str!("../templates/cpp/relations.cpp")),
            ],
            Template::Rust => &[
                ("twinrun.toml", include_str!("../templates/rust/twinrun.toml")),
                ("Cargo.toml", include_str!("../templates/rust/Cargo.toml.template")),
                ("src/lib.rs", include_str!("../templates/rust/src/lib.rs")),
            ],
            Template::Command => &[("twinrun.toml", include_str!("../templates/command/twinrun.toml"))],
        }
    }
}

/// Writes the project to `folder` and gives the files that were written. Nothing that is there is touched: if one of the
/// files exists, nothing is written.
pub fn write(template: Template, folder: &Path) -> Result<Vec<PathBuf>, Error> {
    let mut names: Vec<(&str, &str)> = template.files().to_vec();
    let ignore = folder.join(".gitignore");
    if !ignore.exists() {
        names.push((".gitignore", ".twinrun/\ntarget/\n"));
    }
    if let Some((name, _)) = names.iter().find(|(name, _)| folder.join(name).exists()) {
        return Err(Error::Exists { path: folder.join(name) });
    }
    for (name, text) in &names {
        files::write(&folder.join(name), text.as_bytes())?;
    }
    if template == Template::Rust {
        crate::sdk::unpack_rust(&folder.join(".twinrun/sdk/rust"))?;
    }
    Ok(names.iter().map(|(name, _)| folder.join(name)).collect())
}
