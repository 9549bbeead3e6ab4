//! The programs of the study: copied to a work folder, built there, with and without a fault.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use serde::{Deserialize, Serialize};
use twinrun_base::Rng;
use twinrun_results::workspace_root;
use twinrun_subject::build::Environment;
use twinrun_subject::{Project, SubjectKind, open};
use twinrun_testing::engine::Modules;
use twinrun_whatif::Language;

/// The programs that methods are chosen on, then those that are reported on.
pub(crate) const CHOSEN_ON: [&str; 4] = ["tokens", "tokens2", "schedule", "schedule2"];
pub(crate) const REPORTED_ON: [&str; 5] = ["advisor", "match", "mapper", "replace", "totals"];

/// A fault: one replaced piece of one source file.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Fault {
    /// Its name: the mutant's, or the one in `faults.toml`.
    pub(crate) name: String,
    /// The mutation operator, or the kind in `faults.toml`.
    pub(crate) kind: String,
    /// Written by hand.
    pub(crate) hand: bool,
    /// The file, relative to `subjects`.
    pub(crate) file: String,
    /// What is replaced, from which byte on.
    pub(crate) at: usize,
    pub(crate) original: String,
    pub(crate) replacement: String,
    /// A second fault in the same program.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) also: Option<Box<Fault>>,
}

impl Fault {
    /// Both faults at once; nothing where they would move each other's lines or stand too close to be told apart.
    pub(crate) fn with(&self, other: &Fault) -> Option<Fault> {
        let keeps_lines =
            |fault: &Fault| fault.original.matches('\n').count() == fault.replacement.matches('\n').count();
        let lines = |fault: &Fault| fault.lines(&original(&fault.file));
        let apart = self.file != other.file || lines(self).0.abs_diff(lines(other).0) >= APART;
        (keeps_lines(self) && keeps_lines(other) && apart).then(|| Fault {
            name: format!("{} and {}", self.name, other.name),
            kind: format!("{} and {}", self.kind, other.kind),
            also: Some(Box::new(other.clone())),
            ..self.clone()
        })
    }

    /// The lines of the faulty file that hold the fault: those with replaced text, or where text is missing the lines around.
    pub(crate) fn lines(&self, source: &str) -> (u32, u32) {
        let line = |text: &str| text.bytes().filter(|byte| *byte == b'\n').count() as u32 + 1;
        let common = self.original.bytes().zip(self.replacement.bytes()).take_while(|(a, b)| a == b).count();
        let common_end = self.original[common..]
            .bytes()
            .rev()
            .zip(self.replacement[common..].bytes().rev())
            .take_while(|(a, b)| a == b)
            .count();
        let first = line(&source[..self.at]) + line(&self.replacement[..common]) - 1;
        let changed = &self.replacement[common..self.replacement.len() - common_end];
        (first, first + line(changed.trim_end()) - 1)
    }
}

#[derive(Deserialize)]
struct FaultFile {
    fault: Vec<HandFault>,
}

#[derive(Deserialize)]
struct HandFault {
    name: String,
    kind: String,
    file: String,
    find: String,
    replace: String,
}

/// Lines that lie between two faults at least.
const APART: u32 = 5;

/// The folder of a program's sources, relative to `subjects`.
fn source_folder(program: &str) -> String {
    if program == "replace" { "replace".to_owned() } else { format!("slices/{program}") }
}

/// The source files of a program that faults are put into, relative to `subjects`.
fn sources(program: &str) -> Vec<String> {
    let folder = source_folder(program);
    let listed =
        fs::read_dir(workspace_root().join("subjects").join(&folder)).into_iter().flatten().flatten();
    let wanted: &[&str] = &["replace.c", "pattern.c", "match.c", "substitute.c", "text.c"];
    let mut files: Vec<String> = listed
        .map(|entry| entry.file_name().to_string_lossy().into_owned())
        .filter(|name| {
            (name.ends_with(".c") || name.ends_with(".cc"))
                && !name.starts_with("relations")
                && (program != "replace" || wanted.contains(&name.as_str()))
        })
        .map(|name| format!("{folder}/{name}"))
        .collect();
    files.sort();
    files
}

pub(crate) fn original(file: &str) -> String {
    fs::read_to_string(workspace_root().join("subjects").join(file)).unwrap_or_default()
}

/// The faults written by hand.
pub(crate) fn hand_faults(program: &str) -> Vec<Fault> {
    let path = workspace_root().join("subjects/slices").join(program).join("faults.toml");
    let text = fs::read_to_string(&path).unwrap_or_default();
    let file: FaultFile = toml::from_str(&text).unwrap_or(FaultFile { fault: Vec::new() });
    let mut faults = Vec::new();
    for fault in file.fault {
        // The replacer's sources lie in a folder of their own.
        let name = fault.file.rsplit('/').next().unwrap_or(&fault.file);
        let file = format!("{}/{name}", source_folder(program));
        match original(&file).find(&fault.find) {
            Some(at) => faults.push(Fault {
                name: fault.name,
                kind: fault.kind,
                hand: true,
                file,
                at,
                original: fault.find,
                replacement: fault.replace,
                also: None,
            }),
            None => eprintln!("{program}: the fault {} does not fit its file", fault.name),
        }
    }
    faults
}

/// All mutants in a seeded order.
pub(crate) fn mutants(program: &str) -> Vec<Fault> {
    let mut all = Vec::new();
    for file in sources(program) {
        let text = original(&file);
        let language = if file.ends_with(".cc") { Language::Cpp } else { Language::C };
        match twinrun_whatif::mutants(&text, &file, language) {
            Ok(found) => all.extend(found.into_iter().map(|mutant| Fault {
                name: format!("{file} {}", mutant.id),
                kind: mutant.operator,
                hand: false,
                file: file.clone(),
                at: mutant.range.start,
                original: mutant.original,
                replacement: mutant.replacement,
                also: None,
            })),
            Err(error) => eprintln!("{error}"),
        }
    }
    Rng::new(4).shuffle(&mut all);
    all
}

/// A copy of the sources that one thread builds in.
pub(crate) struct Workshop {
    folder: PathBuf,
    environment: Environment,
}

impl Workshop {
    /// The copy with this number.
    pub(crate) fn new(number: usize) -> std::io::Result<Workshop> {
        let folder = workspace_root().join("target/slices").join(format!("copy{number}"));
        for part in ["slices", "replace"] {
            copy(&workspace_root().join("subjects").join(part), &folder.join(part))?;
        }
        Ok(Workshop { folder, environment: Environment::of_process(&workspace_root()) })
    }

    /// Builds a program with a fault (or without); `None` where it does not compile.
    pub(crate) fn build(&self, program: &str, fault: Option<&Fault>) -> std::io::Result<Option<Modules>> {
        let faults: Vec<&Fault> =
            fault.into_iter().flat_map(|it| std::iter::once(it).chain(it.also.as_deref())).collect();
        let mut faulty: BTreeMap<&str, String> = BTreeMap::new();
        // From the end, so that the places of the others stay right.
        let mut last_first = faults.clone();
        last_first.sort_by_key(|fault| std::cmp::Reverse(fault.at));
        for fault in last_first {
            let text = faulty.entry(&fault.file).or_insert_with(|| original(&fault.file));
            text.replace_range(fault.at..fault.at + fault.original.len(), &fault.replacement);
        }
        for (file, text) in &faulty {
            fs::write(self.folder.join(file), text)?;
        }
        let built = self.open(program);
        for file in faulty.keys() {
            fs::write(self.folder.join(file), original(file))?;
        }
        Ok(built)
    }

    fn open(&self, program: &str) -> Option<Modules> {
        let project = Project::read(&self.folder.join("slices").join(program).join("twinrun.toml")).ok()?;
        let subject = open(&project, program, &self.environment).ok()?;
        let SubjectKind::Module(modules) = subject.kind else { return None };
        Some(Modules {
            relations: Arc::new(modules.module),
            programs: vec![(String::new(), Arc::new(modules.program?))],
        })
    }
}

/// Copies a folder; project files get `checked = false`, because only plain builds are wanted here.
fn copy(from: &Path, to: &Path) -> std::io::Result<()> {
    fs::create_dir_all(to)?;
    for entry in fs::read_dir(from)? {
        let entry = entry?;
        let target = to.join(entry.file_name());
        if entry.file_name() == ".twinrun" {
            continue;
        }
        if entry.file_type()?.is_dir() {
            copy(&entry.path(), &target)?;
        } else if entry.file_name() == "twinrun.toml" {
            let text = fs::read_to_string(entry.path())?;
            let lines = text.lines().map(|line| {
                let plain = line.starts_with("[subject.") && !line.ends_with(".program]");
                if plain { format!("{line}\nchecked = false\n") } else { format!("{line}\n") }
            });
            fs::write(target, lines.collect::<String>())?;
        } else {
            fs::copy(entry.path(), target)?;
        }
    }
    Ok(())
}

/// How many lines a program has, by file.
pub(crate) fn line_counts(program: &str) -> BTreeMap<String, usize> {
    let folder = workspace_root().join("subjects").join(source_folder(program));
    let mut counts = BTreeMap::new();
    for entry in fs::read_dir(folder).into_iter().flatten().flatten() {
        let name = entry.file_name().to_string_lossy().into_owned();
        let code = [".c", ".cc", ".h"].iter().any(|ending| name.ends_with(ending));
        if code && !name.starts_with("relations") {
            let text = fs::read_to_string(entry.path()).unwrap_or_default();
            counts.insert(name, text.lines().count());
        }
    }
    counts
}
