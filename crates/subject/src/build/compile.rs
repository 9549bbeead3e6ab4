//! Compiling and linking C and C++, each step cached by the content of what it reads.
//!
//! An object's key covers the toolchain, the flags, the source and the headers it includes; the headers are known from the
//! dependency file of an earlier compilation with the same toolchain, flags and source. System headers are covered by the
//! toolchain's version.

use std::ffi::OsString;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};

use twinrun_base::Hash;

use super::{
    Built, Environment, Language, Recipe, Shape, Toolchain, ToolchainKind, Unit, Variant, toolchain,
};
use crate::error::Error;
use crate::files;
use crate::sdk::Sdk;

/// The checks of the checked build.
const CHECKS: &str = "signed-integer-overflow,bounds,null,shift,integer-divide-by-zero,pointer-overflow,float-cast-overflow,bool,builtin,unreachable,return,vla-bound";

/// Room around variables, and calls of `bounds.c` before what a pointer reaches is read or written. The kernel's variant, because the other one is refused for WebAssembly.
const BOUNDS: [&str; 12] = [
    "-Xclang",
    "-fsanitize=kernel-address",
    "-Xclang",
    "-fsanitize-address-use-after-scope",
    "-mllvm",
    "-asan-instrumentation-with-call-threshold=0",
    "-mllvm",
    "-asan-stack=1",
    "-mllvm",
    "-asan-globals=1",
    "-mllvm",
    "-asan-max-inline-poisoning-size=0",
];

/// What a native build with sanitisers is compiled and linked with.
const SANITIZERS: &str = "-fsanitize=address,undefined";

/// Part of every key: raise it when the meaning of the flags below changes.
const VERSION: &str = "3";

/// Builds the recipe; what did not change is taken from the cache.
pub fn build(
    recipe: &Recipe,
    variant: Variant,
    environment: &Environment,
    wanted: Option<ToolchainKind>,
) -> Result<Built, Error> {
    let sdk = Sdk::unpack(&recipe.cache)?;
    let compiler = match variant {
        Variant::Native { sanitize } => native(environment, sanitize)?,
        _ => Toolchain::find(environment, wanted)?,
    };
    if variant == Variant::Checked && compiler.kind == ToolchainKind::Zig {
        return Err(Error::NoCheckedBuild { version: compiler.version });
    }
    let is_cxx = recipe.units.iter().any(|unit| unit.language == Language::Cxx);
    let Some(linker) = (if is_cxx { compiler.cxx.clone() } else { Some(compiler.c.clone()) }) else {
        return Err(Error::NoCxxLibrary { version: compiler.version });
    };
    let units: Vec<Unit> =
        recipe.units.iter().cloned().chain(sdk_units(&sdk, recipe, variant, compiler.kind)).collect();
    let objects = compile_all(&units, recipe, variant, &compiler, &sdk)?;

    let mut arguments = link_flags(recipe, variant, compiler.kind);
    arguments.extend(recipe.link.iter().map(Into::into));
    let extension = if matches!(variant, Variant::Native { .. }) { "exe" } else { "wasm" };
    let mut parts: Vec<Vec<u8>> = vec![VERSION.into(), compiler.version.clone().into()];
    parts.extend(linker.iter().chain(&arguments).map(|it| it.as_encoded_bytes().to_vec()));
    parts.extend(objects.iter().map(|object| object.path.as_os_str().as_encoded_bytes().to_vec()));
    let out = recipe.cache.join("build").join(format!("{}.{extension}", Hash::of(parts)));
    let mut output: String = objects.iter().map(|object| object.output.as_str()).collect();
    if out.is_file() {
        return Ok(Built { cached: objects.iter().all(|object| object.cached), path: out, output });
    }
    let part = files::beside(&out);
    let mut command = Command::new(&linker[0]);
    command
        .args(&linker[1..])
        .args(objects.iter().map(|object| &object.path))
        .args(&arguments)
        .arg("-o")
        .arg(&part);
    output += &run(&mut command, None)?;
    files::rename(&part, &out)?;
    Ok(Built { path: out, cached: false, output })
}

/// The SDK's own sources: the plain C library first, so that it wins over the toolchain's.
fn sdk_units(sdk: &Sdk, recipe: &Recipe, variant: Variant, kind: ToolchainKind) -> Vec<Unit> {
    let mut names: Vec<&str> = Vec::new();
    match (variant, recipe.shape) {
        (Variant::Native { .. }, Shape::Relations) => names.push("native.c"),
        (Variant::Native { .. }, Shape::Program) => {}
        _ => {
            names.extend(["plain_libc.c", "system.c", "threads.c"]);
            names.push(if leaves_calls(kind) { "unwind.c" } else { "cxx_runtime.c" });
            if leaves_calls(kind) && recipe.units.iter().any(|unit| unit.language == Language::Cxx) {
                names.extend(["exceptions.cpp", "library_throws.cpp"]);
            }
            if variant == Variant::Checked {
                names.push("bounds.c");
            }
        }
    }
    let unit = |name: &&str| Unit {
        source: sdk.c.join(name),
        text: None,
        language: if name.ends_with(".cpp") { Language::Cxx } else { Language::C },
        // Without this, clang would turn the loop of memcpy into a call of memcpy.
        flags: match *name {
            // What it defines are the names that the lowering of landings would take for itself.
            "exceptions.cpp" => vec!["-fno-builtin".to_owned(), "-fno-exceptions".to_owned()],
            _ => vec!["-fno-builtin".to_owned()],
        },
        folder: sdk.c.clone(),
    };
    names.iter().map(unit).collect()
}

/// Whether the toolchain's compiler lowers jumps and exceptions to calls; zig has an option for neither.
fn leaves_calls(kind: ToolchainKind) -> bool {
    kind != ToolchainKind::Zig
}

/// Where the compiler looks for headers: ours, the C++ library's, its own, the C library's, and never those of this machine, which a distribution's clang would
/// fall through to.
fn header_folders(unit: &Unit, sdk: &Sdk, kind: ToolchainKind) -> Vec<OsString> {
    let mut flags: Vec<OsString> = Vec::new();
    let is_cxx = unit.language == Language::Cxx;
    let ours = sdk.c.join("wasm");
    if is_cxx {
        flags.extend(["-isystem".into(), ours.join("cxx").into()]);
    }
    let (c, cxx) = (Path::new(toolchain::DISTRIBUTION), Path::new(toolchain::DISTRIBUTION).join("c++/v1"));
    if kind == ToolchainKind::Clang && (!is_cxx || cxx.is_dir()) {
        flags.push("-nostdlibinc".into());
        if is_cxx {
            // Before ours: its own `stdlib.h` goes on to the C library's, which ours stands in front of.
            flags.extend(["-isystem".into(), cxx.into()]);
        }
        flags.extend(["-idirafter".into(), c.into()]);
    }
    flags.extend(["-isystem".into(), ours.into()]);
    flags
}

/// Flags of every compilation. Ours come after the user's, so that `-O2` in a borrowed command line does not hide branches.
fn compile_flags(unit: &Unit, variant: Variant, sdk: &Sdk, kind: ToolchainKind) -> Vec<OsString> {
    let is_ours = unit.source.starts_with(&sdk.c);
    let mut flags: Vec<OsString> = Vec::new();
    if !matches!(variant, Variant::Native { .. }) {
        flags.extend(header_folders(unit, sdk, kind));
    }
    flags.extend(["-I".into(), sdk.c.clone().into()]);
    flags.extend(unit.flags.iter().map(Into::into));
    flags.extend(["-g".into(), "-O0".into()]);
    let is_cxx = unit.language == Language::Cxx;
    match variant {
        Variant::Native { sanitize } => {
            if sanitize {
                flags.extend([SANITIZERS.into(), "-fno-omit-frame-pointer".into()]);
            }
        }
        Variant::Plain | Variant::Checked => {
            let throws = is_cxx && !unit.flags.iter().any(|flag| flag == "-fno-exceptions");
            if leaves_calls(kind) {
                flags.extend(["-mllvm".into(), "-enable-emscripten-sjlj".into()]);
                if throws {
                    flags.extend(
                        ["-fexceptions", "-mllvm", "-enable-emscripten-cxx-exceptions"].map(Into::into),
                    );
                }
            } else {
                flags.push("-DTWINRUN_STAYS_IN_CALLS".into());
                if throws {
                    // `throw` calls our stub, which ends the run; `catch` is never reached.
                    flags.push("-fignore-exceptions".into());
                }
            }
            if variant == Variant::Checked && !is_ours {
                flags.push(format!("-fsanitize={CHECKS}").into());
                flags.push("-fno-sanitize-recover=all".into());
            }
            // The files that keep the map of variables, or leave calls, must not be stopped by it.
            let below = ["bounds.c", "unwind.c", "threads.c", "exceptions.cpp", "library_throws.cpp"];
            if variant == Variant::Checked && !(is_ours && below.iter().any(|it| unit.source.ends_with(it))) {
                flags.extend(BOUNDS.map(Into::into));
            }
        }
    }
    flags
}

fn link_flags(recipe: &Recipe, variant: Variant, kind: ToolchainKind) -> Vec<OsString> {
    if let Variant::Native { sanitize } = variant {
        let sanitize = sanitize.then(|| SANITIZERS.into());
        return ["-lm".into()].into_iter().chain(sanitize).collect();
    }
    let mut flags: Vec<OsString> = vec!["-g".into(), "-Wl,-z,stack-size=1048576".into()];
    flags.extend(
        ["-Wl,--export=__heap_base", "-Wl,--export=__data_end", "-Wl,--export=tw_heap_top"].map(Into::into),
    );
    if kind != ToolchainKind::Zig {
        // The stack below the data: an overflow traps instead of overwriting statics. Zig's linker does so by itself.
        flags.push("-Wl,--stack-first".into());
    }
    if recipe.shape == Shape::Relations {
        flags.push("-mexec-model=reactor".into());
    }
    if variant == Variant::Checked {
        flags.push("-Wl,--allow-undefined".into());
    }
    flags
}

/// A compiled source.
struct Object {
    path: PathBuf,
    cached: bool,
    output: String,
}

/// Compiles the units on all cores; the first failure in their order is reported.
fn compile_all(
    units: &[Unit],
    recipe: &Recipe,
    variant: Variant,
    compiler: &Toolchain,
    sdk: &Sdk,
) -> Result<Vec<Object>, Error> {
    let next = AtomicUsize::new(0);
    let results: Mutex<Vec<Option<Result<Object, Error>>>> = Mutex::new(units.iter().map(|_| None).collect());
    let workers = std::thread::available_parallelism().map_or(1, usize::from).min(units.len());
    std::thread::scope(|scope| {
        for _ in 0..workers {
            scope.spawn(|| {
                loop {
                    let index = next.fetch_add(1, Ordering::Relaxed);
                    let Some(unit) = units.get(index) else { break };
                    let result = compile(unit, recipe, variant, compiler, sdk);
                    if let Ok(mut results) = results.lock() {
                        results[index] = Some(result);
                    }
                }
            });
        }
    });
    results.into_inner().unwrap_or_default().into_iter().flatten().collect()
}

fn compile(
    unit: &Unit,
    recipe: &Recipe,
    variant: Variant,
    compiler: &Toolchain,
    sdk: &Sdk,
) -> Result<Object, Error> {
    let source = match &unit.text {
        Some(text) => text.as_bytes().to_vec(),
        None => files::read(&unit.source)?,
    };
    let front = match unit.language {
        Language::Cxx => {
            compiler.cxx.clone().ok_or_else(|| Error::NoCxxLibrary { version: compiler.version.clone() })?
        }
        _ => compiler.c.clone(),
    };
    let flags = compile_flags(unit, variant, sdk, compiler.kind);
    let mut parts: Vec<&[u8]> = vec![VERSION.as_bytes(), compiler.version.as_bytes(), &source];
    parts.extend(front.iter().chain(&flags).map(|it| it.as_encoded_bytes()));
    parts.push(unit.source.as_os_str().as_encoded_bytes());
    parts.push(unit.folder.as_os_str().as_encoded_bytes());
    let stem = Hash::of(parts);
    let folder = recipe.cache.join("build").join("objects");
    std::fs::create_dir_all(&folder).map_err(|error| Error::io("create the folder", &folder, &error))?;
    let headers_file = folder.join(format!("{stem}.headers"));
    let warnings_of =
        |object: &Path| std::fs::read_to_string(object.with_extension("txt")).unwrap_or_default();
    if let Ok(headers) = std::fs::read_to_string(&headers_file)
        && let Some(key) = key_with_headers(stem, headers.lines().map(Path::new))
    {
        let path = folder.join(format!("{key}.o"));
        if path.is_file() {
            return Ok(Object { output: warnings_of(&path), path, cached: true });
        }
    }
    let part = files::beside(&folder.join(format!("{stem}.o")));
    let dependencies = part.with_extension("d");
    let mut command = Command::new(&front[0]);
    command.args(&front[1..]).args(&flags).arg("-MMD").arg("-MF").arg(&dependencies);
    let edited = unit.text.as_ref().map(|text| edited(unit, text, &part)).transpose()?;
    if edited.is_some() {
        // Where `#include "…"` looks first.
        command.arg("-iquote").arg(unit.source.parent().unwrap_or(&unit.folder));
    }
    command.arg("-c").arg(edited.as_ref().unwrap_or(&unit.source)).arg("-o").arg(&part);
    let output = run(command.current_dir(&unit.folder), Some(&unit.source));
    if let Some(edited) = &edited {
        let _ = std::fs::remove_file(edited);
    }
    let output = output?;
    let rule = std::fs::read_to_string(&dependencies).unwrap_or_default();
    let _ = std::fs::remove_file(&dependencies);
    let headers: Vec<PathBuf> = headers(&rule)
        .into_iter()
        .map(|it| unit.folder.join(it))
        .filter(|it| *it != unit.source && Some(it) != edited.as_ref())
        .collect();
    let list: String = headers.iter().map(|it| format!("{}\n", it.display())).collect();
    let key = key_with_headers(stem, headers.iter().map(PathBuf::as_path)).unwrap_or(stem);
    let path = folder.join(format!("{key}.o"));
    if !output.is_empty() {
        files::write(&path.with_extension("txt"), output.as_bytes())?;
    }
    files::rename(&part, &path)?;
    files::write(&headers_file, list.as_bytes())?;
    Ok(Object { path, cached: false, output })
}

/// Writes a text that is compiled instead of a source, so that messages and debug information speak of the source.
fn edited(unit: &Unit, text: &str, part: &Path) -> Result<PathBuf, Error> {
    let extension = unit.source.extension().unwrap_or_default().to_string_lossy();
    let path = part.with_extension(format!("edited.{extension}"));
    let shown = unit.source.display().to_string().replace('\\', "\\\\").replace('"', "\\\"");
    files::write(&path, format!("#line 1 \"{shown}\"\n{text}").as_bytes())?;
    Ok(path)
}

/// The key of an object: its stem and the present content of its headers; none if one is gone.
fn key_with_headers<'a>(stem: Hash, headers: impl Iterator<Item = &'a Path>) -> Option<Hash> {
    let mut parts = vec![stem.to_string().into_bytes()];
    for header in headers {
        parts.push(header.as_os_str().as_encoded_bytes().to_vec());
        parts.push(std::fs::read(header).ok()?);
    }
    Some(Hash::of(parts))
}

/// The prerequisites of the rule in a dependency file (spaces and line ends may be escaped).
fn headers(rule: &str) -> Vec<PathBuf> {
    let rule = rule.replace("\\\n", " ");
    let Some((_, list)) = rule.split_once(": ") else { return Vec::new() };
    let mut paths = Vec::new();
    let mut path = String::new();
    let mut characters = list.chars().peekable();
    while let Some(character) = characters.next() {
        match character {
            '\\' if characters.peek().is_some_and(|next| matches!(next, ' ' | '#' | '\\')) => {
                path.extend(characters.next());
            }
            '$' if characters.peek() == Some(&'$') => path.extend(characters.next()),
            ' ' | '\n' | '\t' => {
                if !path.is_empty() {
                    paths.push(PathBuf::from(std::mem::take(&mut path)));
                }
            }
            character => path.push(character),
        }
    }
    if !path.is_empty() {
        paths.push(path.into());
    }
    paths
}

/// Runs a compiler; what it says on failure is shown as it is.
fn run(command: &mut Command, source: Option<&Path>) -> Result<String, Error> {
    let shown = std::iter::once(command.get_program()).chain(command.get_args());
    let shown: Vec<String> = shown.map(|it| it.to_string_lossy().into_owned()).collect();
    let output = command.output().map_err(|error| Error::io("run", command.get_program(), &error))?;
    let text =
        String::from_utf8_lossy(&output.stderr).into_owned() + &String::from_utf8_lossy(&output.stdout);
    if output.status.success() {
        return Ok(text);
    }
    let command = shown.join(" ");
    Err(match source {
        Some(source) => Error::Compile { file: source.to_owned(), command, output: text },
        None => Error::Link { hint: link_hint(&text), command, output: text },
    })
}

/// What an undefined symbol means here.
fn link_hint(output: &str) -> Option<String> {
    let missing =
        |names: &[&str]| names.iter().any(|name| output.contains(&format!("undefined symbol: {name}")));
    if missing(&["posix_spawn", "epoll_create", "sem_open", "shmget", "msgget"]) {
        return Some(
            "WebAssembly here has no processes and nothing that they share: leave that part of the program out"
                .to_owned(),
        );
    }
    output.contains("undefined symbol").then(|| "add the file that defines it to `sources`".to_owned())
}

/// The compiler of this machine; one whose sanitisers link, if they are wanted: clang without its runtime package has none, and gcc beside it does.
///
/// # Errors
/// When there is none, or none with sanitisers.
pub fn native(environment: &Environment, sanitize: bool) -> Result<Toolchain, Error> {
    let suffixes = ["", "-21", "-20", "-19", "-18", "-17", "-16", "-15", "-14"];
    let pairs = suffixes
        .iter()
        .map(|it| (format!("clang{it}"), format!("clang++{it}")))
        .chain([("gcc".into(), "g++".into())]);
    let mut tried = Vec::new();
    for (name, cxx) in pairs {
        if let Some(c) = environment.find(&[&name]) {
            let c = vec![c.into()];
            let Some(version) = toolchain::version(&c) else { continue };
            if sanitize && !sanitisers_link(&c) {
                tried.push(name);
                continue;
            }
            let cxx = environment.find(&[&cxx]).map(|it| vec![it.into()]);
            return Ok(Toolchain { kind: ToolchainKind::Clang, c, cxx, version });
        }
    }
    Err(if tried.is_empty() { Error::NoNativeCompiler } else { Error::NoSanitisers { tried } })
}

/// Whether a program with sanitisers links: asked by linking one, because the runtime is a package of its own.
fn sanitisers_link(compiler: &[OsString]) -> bool {
    let Ok(folder) = tempfile::tempdir() else { return false };
    let source = folder.path().join("probe.c");
    if std::fs::write(&source, "int main(void) { return 0; }\n").is_err() {
        return false;
    }
    let mut command = Command::new(&compiler[0]);
    command.args(&compiler[1..]).arg(SANITIZERS).arg(&source).arg("-o").arg(folder.path().join("probe"));
    command.output().is_ok_and(|output| output.status.success())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_dependency_rule_gives_its_headers() {
        let rule = "a.o: /p/a.c /p/my\\ lib/x.h \\\n  /p/$$y.h\n";
        assert_eq!(headers(rule), [Path::new("/p/a.c"), Path::new("/p/my lib/x.h"), Path::new("/p/$y.h")]);
    }
}
