//! What is installed, what is missing, and how to get it.

use std::path::PathBuf;
use std::process::Command;

use serde::{Deserialize, Serialize};

use crate::build::{Environment, Toolchain, ToolchainKind, has_target, native};

/// Whether something is there.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Status {
    /// There.
    Found,
    /// Not there, and what it is for does not work.
    Missing,
    /// Not there, and something else does its work, or it is needed rarely.
    Optional,
}

/// One thing that Twinrun can use.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Item {
    /// Its name.
    pub name: String,
    /// What it is for.
    pub purpose: String,
    /// Whether it is there.
    pub status: Status,
    /// Its version, as it says it.
    pub version: Option<String>,
    /// Where it is.
    pub path: Option<PathBuf>,
    /// How to get it.
    pub how: Option<String>,
}

/// Looks at everything.
pub fn examine(environment: &Environment) -> Vec<Item> {
    let toolchains = Toolchain::all(environment);
    let mut items = toolchain_items(&toolchains);
    items.push(native_compiler(environment));
    items.push(sanitisers(environment));
    items.extend(rust(environment));
    for (names, purpose, how) in TOOLS {
        items.push(tool(environment, names, purpose, how));
    }
    items
}

/// Programs that make more possible but are not needed to test.
const TOOLS: [(&[&str], &str, &str); 5] = [
    (&["z3"], "proofs, concolic debugging", "`pip install z3-solver` (4.13 or newer), or install `z3`"),
    (&["cvc5"], "a second solver", "Debian package `cvc5`"),
    (&["bitwuzla"], "a third solver, for bit-vectors", "see the project's releases"),
    (&["gdb"], "native replay in a debugger, testing debuggers", "Debian package `gdb`"),
    (&["lldb-21", "lldb-20", "lldb-19", "lldb"], "testing debuggers", "Debian package `lldb-19`"),
];

fn toolchain_items(toolchains: &[Toolchain]) -> Vec<Item> {
    let any = !toolchains.is_empty();
    let item = |kind, name: &str, how: &str| {
        let found = toolchains.iter().find(|toolchain| toolchain.kind == kind);
        let status = match found {
            Some(_) => Status::Found,
            None if any => Status::Optional,
            None => Status::Missing,
        };
        Item {
            name: name.to_owned(),
            purpose: "C to WebAssembly".to_owned(),
            status,
            version: found.map(|it| it.version.clone()),
            path: found.and_then(|it| it.c.first()).map(PathBuf::from),
            how: found.is_none().then(|| how.to_owned()),
        }
    };
    let mut items = vec![
        item(
            ToolchainKind::WasiSdk,
            "WASI SDK",
            "unpack a release of wasi-sdk and set WASI_SDK_PATH to its folder",
        ),
        item(
            ToolchainKind::Clang,
            "clang with WASI",
            "Debian packages `clang-19 lld-19 wasi-libc libclang-rt-19-dev-wasm32`",
        ),
        item(ToolchainKind::Zig, "zig cc", "`pip install ziglang`"),
    ];
    let cxx = toolchains.iter().find(|toolchain| toolchain.cxx.is_some());
    items.push(Item {
        name: "C++ library for WebAssembly".to_owned(),
        purpose: "C++ to WebAssembly".to_owned(),
        status: if cxx.is_some() { Status::Found } else { Status::Missing },
        version: cxx.map(|it| it.version.clone()),
        path: cxx.and_then(|it| it.cxx.as_ref()?.first().map(PathBuf::from)),
        how: cxx
            .is_none()
            .then(|| "Debian packages `libc++-19-dev-wasm32 libc++abi-19-dev-wasm32`".to_owned()),
    });
    items
}

fn native_compiler(environment: &Environment) -> Item {
    let compiler = native(environment, false).ok();
    native_item("native compiler", "`replay --native`", "Debian package `clang` or `gcc`", compiler)
}

/// Found only when a program with sanitisers links: clang's runtime is a package of its own.
fn sanitisers(environment: &Environment) -> Item {
    let compiler = native(environment, true).ok();
    let how = "Debian package `libclang-rt-19-dev` for clang-19, or `gcc`";
    let mut item = native_item("sanitisers", "`replay --native --sanitize`", how, compiler);
    if item.status == Status::Missing {
        item.status = Status::Optional;
    }
    item
}

fn native_item(name: &str, purpose: &str, how: &str, compiler: Option<Toolchain>) -> Item {
    Item {
        name: name.to_owned(),
        purpose: purpose.to_owned(),
        status: if compiler.is_some() { Status::Found } else { Status::Missing },
        how: compiler.is_none().then(|| how.to_owned()),
        path: compiler.as_ref().and_then(|it| it.c.first()).map(PathBuf::from),
        version: compiler.map(|it| it.version),
    }
}

fn rust(environment: &Environment) -> [Item; 2] {
    let cargo = tool(environment, &["cargo"], "subjects in Rust", "install Rust with rustup");
    let found = has_target(environment);
    let target = Item {
        name: "Rust target wasm32-wasip1".to_owned(),
        purpose: "subjects in Rust".to_owned(),
        status: if found { Status::Found } else { Status::Optional },
        version: None,
        path: None,
        how: (!found).then(|| "`rustup target add wasm32-wasip1`".to_owned()),
    };
    [cargo, target]
}

fn tool(environment: &Environment, names: &[&str], purpose: &str, how: &str) -> Item {
    let in_wheel = || {
        let patterns = names
            .iter()
            .flat_map(|name| environment.wheels.iter().map(move |it| it.join("**/bin").join(name)));
        patterns.flat_map(|it| glob::glob(&it.to_string_lossy()).ok()).flatten().flatten().next()
    };
    let path = environment.find(names).or_else(in_wheel);
    let version = path.as_ref().and_then(|path| {
        let output = Command::new(path).arg("--version").output().ok()?;
        Some(String::from_utf8_lossy(&output.stdout).lines().next()?.trim().to_owned())
    });
    Item {
        name: names.last().copied().unwrap_or_default().to_owned(),
        purpose: purpose.to_owned(),
        status: if path.is_some() { Status::Found } else { Status::Optional },
        how: path.is_none().then(|| how.to_owned()),
        version,
        path,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn on_an_empty_machine_every_item_says_how_to_get_it() {
        let items = examine(&Environment::default());
        assert!(items.iter().all(|item| item.status != Status::Found && item.how.is_some()), "{items:#?}");
        assert!(items.iter().filter(|item| item.status == Status::Missing).count() >= 3);
    }

    #[test]
    fn names_are_distinct() {
        let items = examine(&Environment::default());
        let names: std::collections::BTreeSet<&str> = items.iter().map(|item| item.name.as_str()).collect();
        assert_eq!(names.len(), items.len());
    }
}
