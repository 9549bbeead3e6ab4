//! Which compilers are there.

use std::ffi::OsString;
use std::path::{Path, PathBuf};
use std::process::Command;

use serde::{Deserialize, Serialize};

use crate::error::Error;

/// What finding tools needs to know of the process's environment; the command line fills it.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Environment {
    /// The folders of `PATH`.
    pub path: Vec<PathBuf>,
    /// `WASI_SDK_PATH`.
    pub wasi_sdk: Option<PathBuf>,
    /// Folders with Python wheels unpacked in them, e.g. `.deps`.
    pub wheels: Vec<PathBuf>,
}

impl Environment {
    /// The environment of this process, with wheels under `.deps` of the folder or one above it.
    pub fn of_process(folder: &Path) -> Environment {
        let path =
            std::env::var_os("PATH").map(|path| std::env::split_paths(&path).collect()).unwrap_or_default();
        let wasi_sdk = std::env::var_os("WASI_SDK_PATH").map(PathBuf::from);
        let deps = crate::roots::absolute(folder)
            .ancestors()
            .map(|it| it.join(".deps"))
            .filter(|it| it.is_dir())
            .collect();
        Environment { path, wasi_sdk, wheels: deps }
    }

    /// The first of these programs on the path.
    pub fn find(&self, names: &[&str]) -> Option<PathBuf> {
        names.iter().find_map(|name| self.path.iter().map(|folder| folder.join(name)).find(|it| it.is_file()))
    }
}

/// How C and C++ become WebAssembly.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum ToolchainKind {
    /// A WASI SDK, named by `WASI_SDK_PATH`.
    WasiSdk,
    /// clang of the system with the distribution's WASI library.
    Clang,
    /// `zig cc` from the Python wheel `ziglang`, or installed.
    Zig,
}

/// A compiler for C and C++ that makes WebAssembly.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Toolchain {
    /// Which.
    pub kind: ToolchainKind,
    /// The start of a command that compiles C.
    pub c: Vec<OsString>,
    /// The start of a command that compiles C++; none where the C++ library is missing.
    pub cxx: Option<Vec<OsString>>,
    /// What the compiler says of itself, first line.
    pub version: String,
}

/// The distribution's headers of the C library for WebAssembly.
pub(crate) const DISTRIBUTION: &str = "/usr/include/wasm32-wasi";

/// Newest first; a plain `clang` may be too old for WASI, so it comes last.
const CLANG_VERSIONS: [&str; 8] = ["21", "20", "19", "18", "17", "16", "15", "14"];

impl Toolchain {
    /// All usable toolchains, best first.
    pub fn all(environment: &Environment) -> Vec<Toolchain> {
        Toolchain::usable(environment).collect()
    }

    /// The same, each looked for when it is asked for: asking Python for a wheel takes longer than compiling a small file.
    fn usable(environment: &Environment) -> impl Iterator<Item = Toolchain> {
        const FINDERS: [fn(&Environment) -> Option<Toolchain>; 3] = [wasi_sdk, clang, zig];
        FINDERS.into_iter().filter_map(|find| find(environment))
    }

    /// The best usable toolchain, or the wanted one.
    pub fn find(environment: &Environment, wanted: Option<ToolchainKind>) -> Result<Toolchain, Error> {
        Toolchain::usable(environment)
            .find(|toolchain| wanted.is_none_or(|kind| kind == toolchain.kind))
            .ok_or(Error::NoToolchain { wanted })
    }
}

fn wasi_sdk(environment: &Environment) -> Option<Toolchain> {
    let sdk = environment.wasi_sdk.as_ref()?;
    let sysroot = format!("--sysroot={}", sdk.join("share/wasi-sysroot").display());
    let command = |name: &str| -> Option<Vec<OsString>> {
        let program = sdk.join("bin").join(name);
        program.is_file().then(|| vec![program.into(), "--target=wasm32-wasi".into(), sysroot.clone().into()])
    };
    let c = command("clang")?;
    Some(Toolchain { kind: ToolchainKind::WasiSdk, version: version(&c)?, c, cxx: command("clang++") })
}

fn clang(environment: &Environment) -> Option<Toolchain> {
    let suffixes = CLANG_VERSIONS.iter().map(|it| format!("-{it}")).chain([String::new()]);
    suffixes.filter_map(|suffix| clang_with(environment, &suffix)).next()
}

fn clang_with(environment: &Environment, suffix: &str) -> Option<Toolchain> {
    // The C library lies in /usr/lib/wasm32-wasi; clang finds it by itself, and so do we by asking for one of its files.
    let program = environment.find(&[&format!("clang{suffix}")])?;
    let libc = Path::new("/usr/lib/wasm32-wasi/libc.a");
    if !libc.is_file() || !Path::new(DISTRIBUTION).join("stdio.h").is_file() {
        return None;
    }
    environment.find(&[&format!("wasm-ld{suffix}"), "wasm-ld"])?;
    let target = "--target=wasm32-wasi";
    let c = vec![program.into(), target.into()];
    let library = ["/usr/lib/wasm32-wasi/libc++.a", "/usr/lib/llvm-*/lib/wasm32-wasi/libc++.a"];
    let has_library = library.iter().any(|it| glob::glob(it).is_ok_and(|mut found| found.next().is_some()));
    let cxx = environment.find(&[&format!("clang++{suffix}")]).filter(|_| has_library);
    let cxx = cxx.map(|program| vec![program.into(), target.into()]);
    Some(Toolchain { kind: ToolchainKind::Clang, version: version(&c)?, c, cxx })
}

fn zig(environment: &Environment) -> Option<Toolchain> {
    let in_wheel = environment.wheels.iter().find_map(|folder| {
        let patterns = ["ziglang/zig", "**/site-packages/ziglang/zig"];
        patterns.iter().find_map(|it| glob::glob(&folder.join(it).to_string_lossy()).ok()?.flatten().next())
    });
    let zig = in_wheel.or_else(|| environment.find(&["zig"])).or_else(|| importable(environment))?;
    let command = |mode: &str| -> Vec<OsString> {
        vec![
            zig.clone().into(),
            mode.into(),
            "-target".into(),
            "wasm32-wasi".into(),
            "-fno-sanitize=all".into(),
            "-fno-stack-protector".into(),
        ]
    };
    let output = Command::new(&zig).arg("version").output().ok().filter(|output| output.status.success())?;
    let version = format!("zig {}", String::from_utf8_lossy(&output.stdout).trim());
    Some(Toolchain { kind: ToolchainKind::Zig, version, c: command("cc"), cxx: Some(command("c++")) })
}

/// The wheel in the packages of the system's Python.
fn importable(environment: &Environment) -> Option<PathBuf> {
    let python = environment.find(&["python3"])?;
    let script = "import importlib.util as u; s = u.find_spec('ziglang'); print(s.submodule_search_locations[0] if s else '')";
    let output = Command::new(python).args(["-c", script]).output().ok()?;
    let folder = String::from_utf8_lossy(&output.stdout).trim().to_owned();
    let zig = Path::new(&folder).join("zig");
    (!folder.is_empty() && zig.is_file()).then_some(zig)
}

/// The first line of `--version`.
pub(crate) fn version(command: &[OsString]) -> Option<String> {
    let output =
        Command::new(&command[0]).arg("--version").output().ok().filter(|output| output.status.success())?;
    Some(String::from_utf8_lossy(&output.stdout).lines().next().unwrap_or_default().to_owned())
}
