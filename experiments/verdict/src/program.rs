//! The programs of both studies: their mutants, and a copy to build them in.

use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize};
use twinrun_base::Rng;
use twinrun_results::workspace_root;
use twinrun_subject::build::Environment;
use twinrun_subject::{Project, SubjectKind, open};
use twinrun_testing::engine::WasmSubject;
use twinrun_whatif::{FaultKind, Language};

/// Programs of `subjects/comedy`, in turn of the half that weights are chosen on and the half that is reported on.
const COMEDY: [&str; 21] = [
    "boyer_moore",
    "closest_pair",
    "decoding_ways",
    "dijkstra",
    "distinct_subsequence",
    "editing_distance",
    "edmonds_karp",
    "first_missing_positive",
    "heap_sort",
    "interleaving_string",
    "largest_rectangle",
    "matrix_search",
    "max_tree_path_sum",
    "maximum_rectangle",
    "maxsub",
    "min_in_rot",
    "multi_maxsub",
    "prim",
    "quick_sort",
    "search_in_rot",
    "surrounded_region",
];
/// Programs of `subjects/slices`, halved as in that study.
const SLICES: [(&str, bool); 9] = [
    ("tokens", true),
    ("tokens2", true),
    ("schedule", true),
    ("schedule2", true),
    ("advisor", false),
    ("match", false),
    ("mapper", false),
    ("replace", false),
    ("totals", false),
];

/// A program.
#[derive(Clone, Debug)]
pub(crate) struct Program {
    /// The study that it comes from.
    pub(crate) study: &'static str,
    pub(crate) name: &'static str,
    /// Weights are chosen on it; otherwise it is reported on.
    pub(crate) chosen_on: bool,
}

/// All programs.
pub(crate) fn programs() -> Vec<Program> {
    let comedy = COMEDY.iter().enumerate();
    let comedy = comedy.map(|(index, name)| Program { study: "comedy", name, chosen_on: index % 2 == 0 });
    let slices =
        SLICES.iter().map(|(name, chosen_on)| Program { study: "slices", name, chosen_on: *chosen_on });
    comedy.chain(slices).collect()
}

/// A fault: one replaced piece of one source file.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Fault {
    pub(crate) name: String,
    /// Written by hand.
    pub(crate) hand: bool,
    /// Code is missing.
    pub(crate) missing: bool,
    /// Relative to `subjects`.
    pub(crate) file: String,
    pub(crate) at: usize,
    pub(crate) original: String,
    pub(crate) replacement: String,
}

impl Fault {
    /// The lines of the faulty file with replaced text.
    pub(crate) fn lines(&self) -> (u32, u32) {
        let source = original(&self.file);
        let line = |text: &str| text.bytes().filter(|byte| *byte == b'\n').count() as u32;
        let common = self.original.bytes().zip(self.replacement.bytes()).take_while(|(a, b)| a == b).count();
        let first = 1 + line(&source[..self.at]) + line(&self.replacement[..common]);
        (first, first + line(self.replacement[common..].trim_end()))
    }
}

/// Where the project is, relative to `subjects`.
fn folder(program: &Program) -> String {
    format!("{}/{}", program.study, program.name)
}

/// Where the sources are: those of the string replacer lie apart from the relations of this study.
fn source_folder(program: &Program) -> String {
    if program.name == "replace" { "replace".to_owned() } else { folder(program) }
}

pub(crate) fn original(file: &str) -> String {
    fs::read_to_string(workspace_root().join("subjects").join(file)).unwrap_or_default()
}

#[derive(Deserialize)]
struct FaultFile {
    fault: Vec<HandFault>,
}

#[derive(Deserialize)]
struct HandFault {
    name: String,
    file: String,
    find: String,
    replace: String,
}

/// Mutants of the whole-program study are many and slow: so many times fewer of them are taken.
const FEWER: usize = 4;
/// Of the faults written by hand every so manieth is taken where a sample is wanted.
const HAND: usize = 20;

/// The faults of a program: every so manieth mutant in a seeded order, and those written by hand (all of them where `every` is at most 20).
pub(crate) fn faults(program: &Program, every: usize) -> Vec<Fault> {
    let step = if program.study == "slices" { FEWER * every } else { every };
    let mut all: Vec<Fault> = mutants(program).into_iter().step_by(step).collect();
    all.extend(hand_faults(program).into_iter().step_by((every / HAND).max(1)));
    all
}

fn hand_faults(program: &Program) -> Vec<Fault> {
    let path = workspace_root().join("subjects").join(folder(program)).join("faults.toml");
    let text = fs::read_to_string(&path).unwrap_or_default();
    let file: FaultFile = toml::from_str(&text).unwrap_or(FaultFile { fault: Vec::new() });
    let fault = |it: HandFault| {
        let name = it.file.rsplit('/').next().unwrap_or(&it.file);
        let file = format!("{}/{name}", source_folder(program));
        let at = original(&file).find(&it.find)?;
        let missing = it.replace.trim().is_empty() || it.replace.trim() == ";";
        Some(Fault {
            name: it.name,
            hand: true,
            missing,
            file,
            at,
            original: it.find,
            replacement: it.replace,
        })
    };
    file.fault.into_iter().filter_map(fault).collect()
}

/// The mutants of a program in a seeded order.
fn mutants(program: &Program) -> Vec<Fault> {
    let folder = source_folder(program);
    let entries =
        fs::read_dir(workspace_root().join("subjects").join(&folder)).into_iter().flatten().flatten();
    let mut files: Vec<String> = entries
        .map(|entry| entry.file_name().to_string_lossy().into_owned())
        .filter(|name| (name.ends_with(".c") || name.ends_with(".cc")) && !name.starts_with("relations"))
        .map(|name| format!("{folder}/{name}"))
        .collect();
    files.sort();
    let mut all = Vec::new();
    for file in files {
        let language = if file.ends_with(".cc") { Language::Cpp } else { Language::C };
        match twinrun_whatif::mutants(&original(&file), &file, language) {
            Ok(found) => all.extend(found.into_iter().map(|mutant| Fault {
                name: mutant.id,
                hand: false,
                missing: mutant.fault.kind == FaultKind::Missing,
                file: file.clone(),
                at: mutant.range.start,
                original: mutant.original,
                replacement: mutant.replacement,
            })),
            Err(error) => eprintln!("{error}"),
        }
    }
    Rng::new(8).shuffle(&mut all);
    all
}

/// A copy of the subjects that one thread builds in.
pub(crate) struct Workshop {
    pub(crate) folder: PathBuf,
    pub(crate) environment: Environment,
}

impl Workshop {
    /// A copy for a thread; relations name outputs unless they should not.
    pub(crate) fn new(number: usize, without_output: bool) -> io::Result<Workshop> {
        let folder = workspace_root().join("target/verdict").join(match without_output {
            true => format!("mute{number}"),
            false => format!("copy{number}"),
        });
        for part in ["comedy", "slices", "replace"] {
            copy(&workspace_root().join("subjects").join(part), &folder.join(part), without_output)?;
        }
        Ok(Workshop { folder, environment: Environment::of_process(&workspace_root()) })
    }

    /// The folder of a program's project.
    pub(crate) fn project(&self, program: &Program) -> PathBuf {
        self.folder.join(folder(program))
    }

    /// Builds a program with a fault and keeps the faulty text in place while `visit` looks at it; `None` where it does not compile.
    pub(crate) fn with_fault<T>(
        &self,
        program: &Program,
        fault: &Fault,
        visit: impl FnOnce(&WasmSubject, &[String]) -> T,
    ) -> io::Result<Option<T>> {
        let text = original(&fault.file);
        let faulty =
            [&text[..fault.at], &fault.replacement, &text[fault.at + fault.original.len()..]].concat();
        let path = self.folder.join(&fault.file);
        fs::write(&path, faulty)?;
        let visited = self.open(program).map(|(subject, relations)| visit(&subject, &relations));
        fs::write(&path, text)?;
        Ok(visited)
    }

    /// Builds a program with this text for a file, which is relative to `subjects`.
    pub(crate) fn with_text(
        &self,
        program: &Program,
        file: &str,
        text: &str,
    ) -> io::Result<Option<WasmSubject>> {
        let path = self.folder.join(file);
        let before = fs::read_to_string(&path)?;
        fs::write(&path, text)?;
        let opened = self.open(program).map(|(subject, _)| subject);
        fs::write(&path, before)?;
        Ok(opened)
    }

    fn open(&self, program: &Program) -> Option<(WasmSubject, Vec<String>)> {
        let project = Project::read(&self.project(program).join("twinrun.toml")).ok()?;
        let subject = open(&project, program.name, &self.environment).ok()?;
        let SubjectKind::Module(modules) = subject.kind else { return None };
        let relations = modules.relations.clone();
        let limits = twinrun_base::Limits { work: 1_000_000, ..subject.limits };
        let subject = WasmSubject::of_built(program.name, modules, limits, "study").ok()?;
        Some((subject, relations))
    }
}

/// Instead of the SDK's header, where runs should name no outputs.
const MUTE: &str = "\
#include <twinrun.h>
#undef OUTPUT
#undef OUTPUT_I32S
#undef OUTPUT_F64S
#undef OUTPUT_BYTES
#undef OUTPUT_TEXT
#define OUTPUT(...) ((void)0)
#define OUTPUT_I32S(...) ((void)0)
#define OUTPUT_F64S(...) ((void)0)
#define OUTPUT_BYTES(...) ((void)0)
#define OUTPUT_TEXT(...) ((void)0)
";

/// Copies a folder; project files get `checked = false`, because only plain builds are wanted here.
fn copy(from: &Path, to: &Path, without_output: bool) -> io::Result<()> {
    fs::create_dir_all(to)?;
    for entry in fs::read_dir(from)? {
        let entry = entry?;
        let target = to.join(entry.file_name());
        if entry.file_name() == ".twinrun" {
            continue;
        }
        if entry.file_type()?.is_dir() {
            copy(&entry.path(), &target, without_output)?;
        } else if entry.file_name() == "twinrun.toml" {
            let text = fs::read_to_string(entry.path())?;
            let lines = text.lines().map(|line| {
                let plain = line.starts_with("[subject.") && line.matches('.').count() == 1;
                if plain { format!("{line}\nchecked = false\n") } else { format!("{line}\n") }
            });
            fs::write(target, lines.collect::<String>())?;
        } else if without_output && entry.file_name().to_string_lossy().starts_with("relations") {
            let text = fs::read_to_string(entry.path())?;
            fs::write(target, text.replace("#include <twinrun.h>", "#include \"mute.h\""))?;
            fs::write(to.join("mute.h"), MUTE)?;
        } else {
            fs::copy(entry.path(), target)?;
        }
    }
    Ok(())
}
