//! Building Rust crates with cargo, which has its own cache.

use std::path::{Path, PathBuf};
use std::process::Command;

use serde::Deserialize;

use super::{Built, Environment, Variant};
use crate::error::Error;
use crate::project::CrateRecipe;

/// The target of WebAssembly builds.
const TARGET: &str = "wasm32-wasip1";

/// Builds the crate's library (or binary) at `-O0` with debug information; natively, its tests, which replay cases.
pub fn build_crate(
    recipe: &CrateRecipe,
    variant: Variant,
    environment: &Environment,
) -> Result<Built, Error> {
    let cargo = environment.find(&["cargo"]).ok_or(Error::NoRust {
        what: "cargo",
        how: "install Rust with rustup, then `rustup target add wasm32-wasip1`",
    })?;
    let is_native = matches!(variant, Variant::Native { .. });
    if !is_native && !has_target(environment) {
        return Err(Error::NoRust {
            what: "the Rust target wasm32-wasip1",
            how: "run `rustup target add wasm32-wasip1`",
        });
    }
    // A crate that names the SDK below the cache finds it there.
    crate::sdk::unpack_rust(&recipe.cache.join("sdk/rust"))?;
    let mut command = Command::new(cargo);
    command.current_dir(&recipe.folder);
    let is_program = recipe.bin.is_some();
    command.arg(if is_native && !is_program { "test" } else { "rustc" });
    command.arg("--message-format=json-render-diagnostics");
    command.arg("--target-dir").arg(recipe.cache.join("build/cargo"));
    command.args(["--config", "profile.dev.opt-level=0", "--config", "profile.dev.debug=2"]);
    command.args(["--config", "profile.dev.strip=false"]);
    match &recipe.bin {
        None => command.arg("--lib"),
        Some(None) => &mut command,
        Some(Some(bin)) => command.args(["--bin", bin]),
    };
    if !recipe.features.is_empty() {
        command.arg("--features").arg(recipe.features.join(","));
    }
    if is_native {
        if !is_program {
            command.arg("--no-run");
        }
    } else {
        command.args(["--target", TARGET, "--"]);
        command.args(["-C", "link-arg=--export=__heap_base", "-C", "link-arg=--export=__data_end"]);
    }
    let shown: Vec<String> = command.get_args().map(|it| it.to_string_lossy().into_owned()).collect();
    let output = command.output().map_err(|error| Error::io("run", "cargo", &error))?;
    let messages = String::from_utf8_lossy(&output.stderr).into_owned();
    if !output.status.success() {
        let file = recipe.folder.join("Cargo.toml");
        return Err(Error::Compile { file, command: format!("cargo {}", shown.join(" ")), output: messages });
    }
    let artifacts: Vec<Artifact> = output
        .stdout
        .split(|byte| *byte == b'\n')
        .filter_map(|line| serde_json::from_slice(line).ok())
        .collect();
    let cached = artifacts.iter().all(|artifact| artifact.fresh);
    let path = artifacts.iter().rev().find_map(|artifact| artifact.module(is_native, &recipe.folder));
    path.map(|path| Built { path, cached, output: String::new() })
        .ok_or_else(|| Error::NoCdylib { folder: recipe.folder.clone() })
}

/// Whether rustc can make WebAssembly.
pub(crate) fn has_target(environment: &Environment) -> bool {
    let Some(rustc) = environment.find(&["rustc"]) else { return false };
    let output = Command::new(rustc).args(["--print", "target-libdir", "--target", TARGET]).output();
    output.is_ok_and(|output| Path::new(String::from_utf8_lossy(&output.stdout).trim()).is_dir())
}

/// A line of cargo's output about something that it built.
#[derive(Deserialize)]
struct Artifact {
    manifest_path: PathBuf,
    filenames: Vec<PathBuf>,
    executable: Option<PathBuf>,
    fresh: bool,
}

impl Artifact {
    fn module(&self, is_native: bool, folder: &Path) -> Option<PathBuf> {
        if self.manifest_path.parent() != Some(folder) {
            return None;
        }
        if is_native {
            return self.executable.clone();
        }
        self.filenames.iter().find(|file| file.extension().is_some_and(|it| it == "wasm")).cloned()
    }
}
