//! All cases of relations natively, under sanitisers: what "safe" is compared with.

use std::collections::BTreeMap;
use std::error::Error;
use std::path::{Path, PathBuf};
use std::process::Command;

use twinrun_base::Hash;
use twinrun_results::workspace_root;
use twinrun_subject::build::Environment;

/// Which sanitisers.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Sanitiser {
    /// AddressSanitizer and UndefinedBehaviorSanitizer.
    AddressAndUndefined,
    /// MemorySanitizer: uses of bytes that nobody wrote.
    Memory,
    /// Valgrind's memcheck: the same, bit by bit, of a plain build.
    Memcheck,
}

impl Sanitiser {
    fn flags(self) -> &'static [&'static str] {
        match self {
            Sanitiser::AddressAndUndefined => &["-fsanitize=address,undefined", "-fno-sanitize-recover=all"],
            // Handing a value on is no use of it.
            Sanitiser::Memory => &["-fsanitize=memory", "-fno-sanitize-memory-param-retval"],
            Sanitiser::Memcheck => &[],
        }
    }
}

/// What is said of each relation: `clean N`, or what the sanitiser found.
pub type Said = BTreeMap<String, String>;

/// Builds a file of relations with sanitisers and runs all cases of the named ones; none where no native runtime of the sanitisers, or no valgrind, is
/// installed.
///
/// # Errors
/// When the sources do not compile although a compiler and the runtime are there.
pub fn run(file: &Path, names: &[String], sanitiser: Sanitiser) -> Result<Option<Said>, Box<dyn Error>> {
    let root = workspace_root();
    let environment = Environment::of_process(&root);
    let Some(clang) = environment.find(&["clang-19", "clang"]) else { return Ok(None) };
    let valgrind = environment.find(&["valgrind"]);
    if sanitiser == Sanitiser::Memcheck && valgrind.is_none() {
        return Ok(None);
    }
    if names.is_empty() {
        return Ok(Some(Said::new()));
    }
    let folder = file.parent().unwrap_or(Path::new("."));
    let program: PathBuf = folder.join(format!("{sanitiser:?}"));
    let source = root.join("experiments/soundness/native/enumerate.c");
    let driver = folder.join(format!("{sanitiser:?}-{}.o", Hash::of([std::fs::read(&source)?])));
    let compiled = || -> Result<Option<()>, Box<dyn Error>> {
        let mut steps: Vec<Vec<&Path>> =
            vec![vec![file, &driver, Path::new("-lm"), Path::new("-o"), &program]];
        // The same for all batches of a folder.
        if !driver.exists() {
            steps.insert(0, vec![Path::new("-c"), &source, Path::new("-o"), &driver]);
        }
        for step in steps {
            let output = Command::new(&clang)
                .args(["-O0", "-w", "-I"])
                .arg(root.join("sdk/c"))
                .args(sanitiser.flags())
                .args(step)
                .output()?;
            if !output.status.success() {
                let text = String::from_utf8_lossy(&output.stderr);
                if text.contains("libclang_rt") {
                    return Ok(None);
                }
                return Err(format!("the native build failed: {text}").into());
            }
        }
        Ok(Some(()))
    };
    if compiled()?.is_none() {
        return Ok(None);
    }
    let mut command = match (sanitiser, valgrind) {
        (Sanitiser::Memcheck, Some(valgrind)) => {
            let mut command = Command::new(valgrind);
            command.args(["-q", "--expensive-definedness-checks=yes"]);
            command.args(["--exit-on-first-error=yes", "--error-exitcode=77"]).arg(&program);
            command
        }
        _ => Command::new(&program),
    };
    let output = command
        .args(names)
        // A symbolizer is a process for every finding, and takes longer than all cases do; the kind of finding is enough.
        .env(
            "ASAN_OPTIONS",
            "detect_leaks=0:quarantine_size_mb=16:detect_stack_use_after_return=1:symbolize=0",
        )
        .env("UBSAN_OPTIONS", "symbolize=0")
        .env("MSAN_OPTIONS", "exit_code=77:symbolize=0")
        .output()?;
    std::fs::remove_file(&program)?;
    let text = String::from_utf8_lossy(&output.stdout).into_owned();
    let lines = text.lines().filter_map(|line| line.split_once('\t'));
    Ok(Some(lines.map(|(name, said)| (name.to_owned(), said.to_owned())).collect()))
}
