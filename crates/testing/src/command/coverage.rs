//! The coverage of one run of a command, collected around it: a fresh folder for what the run writes, then the tools that
//! turn it into text.

use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::{fs, io};

use tempfile::TempDir;
use twinrun_subject::command::{CoverageFormat, CoverageSpec};

use crate::executor::ExecuteError;

/// A run whose coverage is being collected.
pub(super) struct Collecting<'a> {
    spec: &'a CoverageSpec,
    project: &'a Path,
    folder: TempDir,
}

impl<'a> Collecting<'a> {
    pub(super) fn new(spec: &'a CoverageSpec, project: &'a Path) -> Result<Collecting<'a>, ExecuteError> {
        let folder = tempfile::Builder::new().prefix("twinrun-coverage-").tempdir();
        let folder = folder
            .map_err(|error| ExecuteError::new(format!("cannot make a folder for coverage: {error}")))?;
        Ok(Collecting { spec, project, folder })
    }

    fn fill(&self, text: &str) -> String {
        text.replace("{folder}", &self.folder.path().to_string_lossy())
            .replace("{project}", &self.project.to_string_lossy())
    }

    /// What the run must find in its environment.
    pub(super) fn variables(&self) -> Vec<(String, String)> {
        let folder = self.folder.path().to_string_lossy().into_owned();
        let mut variables = match self.spec.format {
            CoverageFormat::Gcov => {
                vec![("GCOV_PREFIX".to_owned(), folder), ("GCOV_PREFIX_STRIP".to_owned(), "0".to_owned())]
            }
            CoverageFormat::LlvmCov => {
                vec![("LLVM_PROFILE_FILE".to_owned(), format!("{folder}/run.profraw"))]
            }
            CoverageFormat::Lcov => Vec::new(),
        };
        variables.extend(self.spec.env.iter().map(|(name, value)| (name.to_owned(), self.fill(value))));
        variables
    }

    /// The coverage that the run left, as text of its format.
    pub(super) fn collect(&self, program: Option<&Path>) -> Result<Vec<u8>, ExecuteError> {
        match self.spec.format {
            CoverageFormat::Gcov => self.gcov(),
            CoverageFormat::LlvmCov if self.spec.collect.is_empty() => self.llvm(program),
            CoverageFormat::Lcov | CoverageFormat::LlvmCov => self.commands(),
        }
    }

    fn commands(&self) -> Result<Vec<u8>, ExecuteError> {
        let mut text = Vec::new();
        for words in &self.spec.collect {
            let words: Vec<String> = words.iter().map(|word| self.fill(word)).collect();
            text = self.run(&words)?.0;
        }
        if self.spec.collect.is_empty() {
            return Err(ExecuteError::new(
                "`coverage.collect` is missing: say which command writes the LCOV text of a run to its standard output",
            ));
        }
        Ok(text)
    }

    fn llvm(&self, program: Option<&Path>) -> Result<Vec<u8>, ExecuteError> {
        let object = self.spec.object.as_ref().map(|object| self.project.join(object));
        let object = object.or_else(|| program.map(Path::to_owned));
        let object = object.ok_or_else(|| {
            ExecuteError::new("`coverage.object` is missing: name the program that was built with coverage")
        })?;
        let (raw, data) = (self.folder.path().join("run.profraw"), self.folder.path().join("run.profdata"));
        if !raw.exists() {
            return Err(nothing_left("-fprofile-instr-generate -fcoverage-mapping"));
        }
        let path = |path: &Path| path.to_string_lossy().into_owned();
        let word = |word: &str| word.to_owned();
        // The data of a run is read only by the tools of the compiler that built the program; which that was nobody says.
        let mut failed = None;
        for suffix in llvm_suffixes() {
            let tool = |name: &str| format!("{name}{suffix}");
            let merge =
                [tool("llvm-profdata"), word("merge"), word("-sparse"), path(&raw), word("-o"), path(&data)];
            match self.run(&merge) {
                Ok(_) => {
                    let export = [
                        tool("llvm-cov"),
                        word("export"),
                        word("-instr-profile"),
                        path(&data),
                        path(&object),
                    ];
                    return Ok(self.run(&export)?.0);
                }
                Err(error) => failed = failed.or(Some(error)),
            }
        }
        Err(failed.unwrap_or_else(|| {
            ExecuteError::new("llvm-profdata is not installed: it comes with clang (Debian: llvm-19)")
        }))
    }

    fn gcov(&self) -> Result<Vec<u8>, ExecuteError> {
        let mut data = Vec::new();
        find_data(self.folder.path(), &mut data)
            .map_err(|error| ExecuteError::new(format!("cannot read what the run left: {error}")))?;
        if data.is_empty() {
            return Err(nothing_left("--coverage"));
        }
        for file in &data {
            // The run wrote PREFIX/where/the/object/is.gcda; gcov wants the notes beside it.
            let Ok(place) = file.strip_prefix(self.folder.path()) else { continue };
            let notes = Path::new("/").join(place).with_extension("gcno");
            if !notes.exists() {
                return Err(ExecuteError::new(format!(
                    "the notes {} of the build are missing: keep the .gcno files where the objects were made",
                    notes.display()
                )));
            }
            fs::copy(&notes, file.with_extension("gcno"))
                .map_err(|error| ExecuteError::new(format!("cannot copy {}: {error}", notes.display())))?;
        }
        let gcov = self.spec.collect.first().and_then(|words| words.first());
        let mut words = vec![gcov.cloned().unwrap_or_else(|| "gcov".to_owned())];
        words.extend(["--json-format", "--branch-probabilities", "--stdout"].map(str::to_owned));
        words.extend(data.iter().map(|file| file.to_string_lossy().into_owned()));
        let (text, errors) = self.run(&words)?;
        if let Some(error) = another_build(&errors) {
            return Err(error);
        }
        Ok(text)
    }

    fn run(&self, words: &[String]) -> Result<(Vec<u8>, String), ExecuteError> {
        let [program, arguments @ ..] = words else {
            return Err(ExecuteError::new("`coverage.collect` has an empty command"));
        };
        let path = if program.contains('/') { self.project.join(program) } else { PathBuf::from(program) };
        let output = Command::new(path)
            .args(arguments)
            .current_dir(self.folder.path())
            .env("LC_ALL", "C")
            .env("TWINRUN_PROJECT", self.project)
            .envs(self.spec.env.iter().map(|(name, value)| (name.to_owned(), self.fill(value))))
            .stdin(Stdio::null())
            .output();
        let output = output.map_err(|error| {
            ExecuteError::new(format!("`{program}`, which collects coverage, cannot be started: {error}"))
        })?;
        let errors = String::from_utf8_lossy(&output.stderr).into_owned();
        if !output.status.success() {
            if let Some(error) = another_build(&errors) {
                return Err(error);
            }
            let line = errors.lines().next().unwrap_or("it said nothing").to_owned();
            return Err(ExecuteError::new(format!("`{program}`, which collects coverage, failed: {line}")));
        }
        Ok((output.stdout, errors))
    }
}

/// What a tool says of data that do not fit the notes or the program: some versions of gcov fail then, some only warn.
fn another_build(errors: &str) -> Option<ExecuteError> {
    let line = errors.lines().find(|line| line.contains("mismatch") || line.contains("version"))?;
    Some(ExecuteError::new(format!(
        "the coverage belongs to another build ({}): build again, and run what was built",
        line.trim()
    )))
}

fn nothing_left(flags: &str) -> ExecuteError {
    ExecuteError::new(format!(
        "a run left no coverage: build the program with `{flags}`, and let it end by returning from main or by exit"
    ))
}

/// How the LLVM tools on the PATH are called: without a version first, then the newest.
fn llvm_suffixes() -> Vec<String> {
    let path = std::env::var_os("PATH").unwrap_or_default();
    let exists = |suffix: &String| {
        std::env::split_paths(&path).any(|folder| folder.join(format!("llvm-profdata{suffix}")).is_file())
    };
    let versions = (11..=40).rev().map(|version| format!("-{version}"));
    std::iter::once(String::new()).chain(versions).filter(exists).collect()
}

fn find_data(folder: &Path, found: &mut Vec<PathBuf>) -> io::Result<()> {
    let mut entries: Vec<_> = fs::read_dir(folder)?.collect::<io::Result<_>>()?;
    entries.sort_by_key(fs::DirEntry::file_name);
    for entry in entries {
        if entry.file_type()?.is_dir() {
            find_data(&entry.path(), found)?;
        } else if entry.path().extension().is_some_and(|ending| ending == "gcda") {
            found.push(entry.path());
        }
    }
    Ok(())
}
