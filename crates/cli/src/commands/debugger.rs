//! `twinrun debugger`: interactive metamorphic testing of debuggers.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Duration;

use clap::{Args, ValueEnum};
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};
use twinrun_base::Exit;
use twinrun_campaign::{Campaign, Config as Limited};
use twinrun_debugger::backends::chromium::Chromium;
use twinrun_debugger::backends::dap::{Dap, Description, build_of};
use twinrun_debugger::backends::node::{Isolation, Node};
use twinrun_debugger::{
    Backend, Config, Language, Limits, Program, Report, Summary, compare_versions, html, javascript, jobs,
    repeats, replay_script, run_campaign, transformations,
};

use crate::Outcome;
use crate::cluster::Cluster;
use crate::error::Error;
use crate::options::{Common, Format, Search};
use crate::{apart, output, stop};

/// Tests a debugger by sessions that should be alike.
#[derive(Debug, Args)]
pub(crate) struct Debugger {
    /// Programs to debug, or folders of them (.js, .c, .cpp, .rs, .go, .py)
    #[arg(required = true, value_name = "PROGRAM")]
    programs: Vec<PathBuf>,
    /// The kind of debugger
    #[arg(long, value_enum, default_value = "node")]
    debugger: Kind,
    /// Its binary; given twice, two versions are tested and compared [default: the one on the PATH]
    #[arg(long = "binary", value_name = "FILE")]
    binaries: Vec<PathBuf>,
    /// With `--debugger dap`: the command of the adapter, such as "gdb -i dap"
    #[arg(long, value_name = "CMD", num_args = 1..)]
    adapter: Vec<String>,
    /// With `--debugger dap`: where the adapter listens, on loopback
    #[arg(long, value_name = "HOST:PORT")]
    connect: Option<String>,
    /// With `--debugger dap`: the arguments of the launch request; ${program}, ${source} and ${folder} are filled in
    #[arg(long, value_name = "JSON")]
    launch: Option<String>,
    /// With `--debugger dap`: the language of the programs (c, cpp, rust, go, python, javascript)
    #[arg(long, value_name = "LANGUAGE")]
    language: Option<String>,
    /// With `--debugger dap`: the command that builds ${program} from ${source} [default: the language's own]
    #[arg(long, value_name = "CMD", num_args = 1..)]
    build: Vec<String>,
    /// Every test at random, none aimed
    #[arg(long)]
    undirected: bool,
    /// Also debug the strict variant of each JavaScript program
    #[arg(long)]
    strict: bool,
    /// Also debug every JavaScript program joined with the next one, each in a function of its own
    #[arg(long)]
    concatenate: bool,
    #[command(flatten)]
    search: Search,
    #[command(flatten)]
    cluster: Cluster,
    /// Tests of each program
    #[arg(long, default_value_t = 3, value_name = "N")]
    tests: u64,
    /// Rounds of transformations in each test
    #[arg(long, default_value_t = 8, value_name = "N")]
    rounds: usize,
    /// Use only this transformation; may be given several times
    #[arg(long = "only", value_name = "TRANSFORMATION")]
    only: Vec<String>,
    /// Pairs of sessions to spend on reducing each warning; 0 leaves them as they are
    #[arg(long, default_value_t = 100, value_name = "N")]
    reduce: usize,
    /// Write each group's smallest warning with its replay script into this folder
    #[arg(long, value_name = "FOLDER")]
    save: Option<PathBuf>,
    /// Also write a page of all warnings
    #[arg(long, value_name = "FILE")]
    html: Option<PathBuf>,
    /// The folder in which the Python package debugpy is installed
    #[arg(long, default_value = ".deps/python", value_name = "FOLDER")]
    packages: PathBuf,
    /// Forget what an earlier campaign did instead of going on with it
    #[arg(long)]
    fresh: bool,
}

/// The debuggers that can be tested.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum, Serialize, Deserialize)]
pub(crate) enum Kind {
    /// Node's inspector (JavaScript)
    Node,
    /// Chromium's inspector (JavaScript)
    Chromium,
    /// LLDB's debug adapter (C)
    LldbDap,
    /// Python's debug adapter
    Debugpy,
    /// GDB's own debug adapter, from version 14 on (C)
    Gdb,
    /// Delve's debug adapter (Go)
    Dlv,
    /// Any debug adapter, described by --adapter, --connect, --launch, --language and --build, or by [debugger] in twinrun.toml
    Dap,
}

pub(crate) fn run(options: &Debugger, common: &Common) -> Outcome {
    if !matches!(common.format, Format::Human | Format::Json) {
        return Err(Error::Usage("debugger prints as human or json; --html FILE writes a page".to_owned()));
    }
    let known = |name: &String| transformations::ALL.iter().any(|known| known.name() == name);
    if let Some(unknown) = options.only.iter().find(|name| !known(name)) {
        let names: Vec<&str> = transformations::ALL.iter().map(|known| known.name()).collect();
        return Err(Error::Usage(format!("there is no transformation {unknown}: use {}", names.join(", "))));
    }
    let description = match options.debugger {
        Kind::Dap => Some(describe(options, common)?),
        _ => None,
    };
    let language = match (options.debugger, &description) {
        (_, Some(description)) => description.language,
        (Kind::Debugpy, _) => Language::Python,
        (Kind::LldbDap | Kind::Gdb, _) => Language::C,
        (Kind::Dlv, _) => Language::Go,
        (Kind::Node | Kind::Chromium | Kind::Dap, None) => Language::JavaScript,
    };
    let mut programs = Vec::new();
    for path in &options.programs {
        read_programs(path, language, &mut programs)?;
    }
    if programs.is_empty() {
        return Err(Error::Usage(format!("no file ends in .{}", language.extension())));
    }
    if language == Language::JavaScript {
        variants(options, &mut programs);
    } else if options.strict || options.concatenate {
        return Err(Error::Usage("--strict and --concatenate are for JavaScript".to_owned()));
    }
    let binaries = match options.binaries.as_slice() {
        [] => vec![PathBuf::from(match options.debugger {
            Kind::Node => "node",
            Kind::Chromium => "chromium",
            Kind::LldbDap => newest_lldb(),
            Kind::Debugpy => "python3",
            Kind::Gdb => "gdb",
            Kind::Dlv => "dlv",
            Kind::Dap => "",
        })],
        given => given.to_vec(),
    };
    stop::begin("debugger", options.search.time, common);
    let work = common.project.clone().unwrap_or_else(|| PathBuf::from(".")).join(".twinrun");
    let mut summaries: Vec<(String, Summary)> = Vec::new();
    let mut open = 0;
    let away = options.cluster.away(None, common)?;
    for binary in &binaries {
        let fleet = Fleet::new(options.debugger, binary, &options.packages, description.clone(), &work);
        let start = || fleet.start();
        let name = fleet.version().map_err(|error| Error::Infrastructure(error.to_string()))?;
        let config = Config {
            rounds: options.rounds,
            transformations: options.only.clone(),
            directed: !options.undirected,
            ..Config::default()
        };
        let first = options.search.seed.unwrap_or(1);
        // Every job carries its program: hundreds of thousands of them could not be prepared, nor that be cut, within a moment.
        let seeds_a_job = (options.tests / 100).max(1);
        let seeds = first..first.saturating_add(options.tests);
        let jobs = jobs(&name, &programs, seeds, seeds_a_job, &config, options.reduce);
        let campaign = format!("debugger {name}");
        let journal = work.join("debugger.sqlite");
        if options.fresh && journal.exists() {
            fs::remove_file(&journal).map_err(|source| Error::Write { path: journal.clone(), source })?;
        }
        let mut campaign =
            Campaign::open(&journal, &campaign).map_err(|error| Error::Infrastructure(error.to_string()))?;
        let limits = Limited {
            workers: options.search.jobs,
            remote: away.as_ref().map(|away| {
                apart::debugger::remote(
                    away,
                    options.debugger,
                    binary,
                    &options.packages,
                    description.clone(),
                    &name,
                )
            }),
            ..Limited::default()
        };
        let mut progress = output::progress(common);
        let outcome = run_campaign(&mut campaign, &jobs, &limits, &start, |event| {
            if let Some(progress) = &mut progress {
                progress.event(event);
            }
        })
        .map_err(|error| Error::Infrastructure(error.to_string()))?;
        open += outcome.open().count();
        if let Some((_, why)) = outcome.failed().next() {
            return Err(Error::Infrastructure(why.to_owned()));
        }
        let reports: Vec<&Report> = outcome.finished().flat_map(|(_, reports)| reports).collect();
        summaries.push((name, Summary::of(reports)));
    }
    if let Some(folder) = &options.save {
        let pairs: Vec<(&PathBuf, &(String, Summary))> = binaries.iter().zip(&summaries).collect();
        save(folder, options.debugger, &pairs)?;
    }
    if let Some(path) = &options.html {
        fs::write(path, html(&summaries)).map_err(|source| Error::Write { path: path.clone(), source })?;
    }
    output::text(&text(&summaries, common)?, common)?;
    let warnings: usize = summaries.iter().map(|(_, summary)| summary.warnings()).sum();
    // What compared nothing says nothing, whatever kept it from comparing.
    let nothing: Vec<String> = summaries
        .iter()
        .filter(|(_, summary)| summary.cases == 0)
        .map(|(name, summary)| nothing(name, summary))
        .collect();
    for words in &nothing {
        eprintln!("{words}");
    }
    Ok(match (warnings, open, nothing.is_empty()) {
        (0, 0, true) => Exit::Holds,
        (0, _, _) => Exit::Inconclusive,
        _ => Exit::Violated,
    })
}

/// Adds the variants of JavaScript programs that are asked for.
fn variants(options: &Debugger, programs: &mut Vec<Program>) {
    let given = programs.clone();
    if options.strict {
        programs.extend(given.iter().map(javascript::strict));
    }
    if options.concatenate {
        let pairs = given.iter().zip(given.iter().skip(1));
        programs.extend(pairs.filter_map(|(one, two)| javascript::concatenate(&[one, two])));
    }
}

/// Why nothing was compared.
fn nothing(name: &str, summary: &Summary) -> String {
    let most = |causes: &BTreeMap<String, usize>, word: &str| {
        causes
            .iter()
            .max_by_key(|(_, times)| **times)
            .map(|(cause, times)| format!("{times} {word}: {cause}"))
    };
    let why = most(&summary.discarded, "tests could not be done")
        .or_else(|| most(&summary.unsteady, "tests did not repeat"))
        .unwrap_or_else(|| match summary.tests {
            0 => "no test was finished".to_owned(),
            tests => {
                format!("in {tests} tests no transformation applied: no breakpoint stood and nothing paused")
            }
        });
    format!("{name}: nothing was compared ({why})")
}

/// The newest adapter of LLDB on the PATH.
fn newest_lldb() -> &'static str {
    const NAMES: [&str; 9] = [
        "lldb-dap-22",
        "lldb-dap-21",
        "lldb-dap-20",
        "lldb-dap-19",
        "lldb-dap-18",
        "lldb-dap",
        "lldb-vscode-17",
        "lldb-vscode-16",
        "lldb-vscode",
    ];
    let folders = std::env::var_os("PATH").unwrap_or_default();
    let there = |name: &&&str| std::env::split_paths(&folders).any(|folder| folder.join(name).is_file());
    NAMES.iter().find(there).copied().unwrap_or("lldb-dap")
}

/// The adapter that the command line describes, or else the project file.
fn describe(options: &Debugger, common: &Common) -> Result<Description, Error> {
    let usage = |words: String| Error::Usage(words);
    let words = |given: &[String]| -> Vec<String> {
        match given {
            // One argument may hold a whole command; nothing in it is quoted.
            [one] => one.split_whitespace().map(str::to_owned).collect(),
            several => several.to_vec(),
        }
    };
    let mut fields = match project_table(common)? {
        Some(Value::Object(fields)) => fields,
        _ => serde_json::Map::new(),
    };
    for (name, given) in [("adapter", &options.adapter), ("build", &options.build)] {
        if !given.is_empty() {
            fields.insert(name.to_owned(), json!(words(given)));
        }
    }
    if let Some(connect) = &options.connect {
        fields.insert("connect".to_owned(), json!(connect));
    }
    if let Some(launch) = &options.launch {
        let launch: Value =
            serde_json::from_str(launch).map_err(|error| usage(format!("--launch is no JSON: {error}")))?;
        fields.insert("launch".to_owned(), launch);
    }
    if let Some(language) = &options.language {
        fields.insert("language".to_owned(), json!(language));
    }
    // As in the project file a command may be one text.
    for name in ["adapter", "build"] {
        if let Some(Value::String(text)) = fields.get(name) {
            let list = words(std::slice::from_ref(text));
            fields.insert(name.to_owned(), json!(list));
        }
    }
    if !fields.contains_key("adapter") && !fields.contains_key("connect") {
        return Err(usage("--debugger dap needs --adapter CMD or --connect HOST:PORT, here or under [debugger] in twinrun.toml".to_owned()));
    }
    for (name, what) in [("launch", "--launch JSON"), ("language", "--language LANGUAGE")] {
        if !fields.contains_key(name) {
            return Err(usage(format!(
                "--debugger dap needs {what}, here or under [debugger] in twinrun.toml"
            )));
        }
    }
    if !fields.contains_key("name") {
        let name = fields.get("adapter").map_or_else(
            || fields["connect"].as_str().unwrap_or_default().to_owned(),
            |words| {
                words.as_array().into_iter().flatten().filter_map(Value::as_str).collect::<Vec<_>>().join(" ")
            },
        );
        fields.insert("name".to_owned(), json!(name));
    }
    let own_build = fields.contains_key("build");
    let mut description: Description = serde_json::from_value(Value::Object(fields))
        .map_err(|error| usage(format!("the adapter is described wrongly: {error}")))?;
    if !own_build {
        description.build = build_of(description.language);
    }
    // A path with folders is meant from here; adapters are started elsewhere.
    if let Some(program) = description.adapter.first_mut().filter(|program| program.contains('/'))
        && let Ok(whole) = std::path::absolute(&*program)
    {
        *program = whole.display().to_string();
    }
    Ok(description)
}

/// `[debugger]` of the project file, if there is one.
fn project_table(common: &Common) -> Result<Option<Value>, Error> {
    let folder = common.project.clone().unwrap_or_else(|| PathBuf::from("."));
    let path = if folder.is_dir() { folder.join("twinrun.toml") } else { folder };
    if !path.exists() {
        return Ok(None);
    }
    let project = crate::targets::project(common)?;
    Ok(project.file.debugger.as_ref().and_then(|table| serde_json::to_value(table).ok()))
}

/// The debuggers of one campaign: one for each worker, tabs of one browser for Chromium.
pub(crate) struct Fleet {
    kind: Kind,
    binary: PathBuf,
    packages: PathBuf,
    description: Option<Description>,
    /// Holds what the debuggers write, a folder each; goes with the campaign.
    folder: PathBuf,
    started: AtomicUsize,
    browser: Mutex<Option<Chromium>>,
}

impl Fleet {
    pub(crate) fn new(
        kind: Kind,
        binary: &Path,
        packages: &Path,
        description: Option<Description>,
        work: &Path,
    ) -> Self {
        let folder = work.join(format!("debugger-{}", std::process::id()));
        let (binary, packages) = (binary.to_owned(), packages.to_owned());
        Fleet {
            kind,
            binary,
            packages,
            description,
            folder,
            started: AtomicUsize::new(0),
            browser: Mutex::new(None),
        }
    }

    pub(crate) fn start(&self) -> twinrun_debugger::Result<Box<dyn Backend>> {
        let number = self.started.fetch_add(1, Ordering::Relaxed);
        let folder = self.folder.join(number.to_string());
        let limits = Limits::default();
        Ok(match self.kind {
            Kind::Node => Box::new(Node::new(&self.binary, Isolation::Context, limits)?),
            Kind::Chromium => {
                let mut browser = self.browser.lock().map_err(|_| twinrun_debugger::Error::Closed)?;
                let first = match browser.as_mut() {
                    Some(first) => first,
                    None => browser.insert(Chromium::new(&self.binary, &folder, limits)?),
                };
                Box::new(first.another_tab()?)
            }
            Kind::LldbDap => Box::new(Dap::new(Description::lldb(&self.binary), &folder, limits)?),
            Kind::Gdb => Box::new(Dap::new(Description::gdb(&self.binary), &folder, limits)?),
            Kind::Dlv => Box::new(Dap::new(Description::delve(&self.binary), &folder, limits)?),
            Kind::Debugpy => {
                Box::new(Dap::new(Description::debugpy(&self.binary, &self.packages)?, &folder, limits)?)
            }
            Kind::Dap => {
                let description = self.description.clone().ok_or(twinrun_debugger::Error::Closed)?;
                Box::new(Dap::new(description, &folder, limits)?)
            }
        })
    }

    /// Name and version; a browser tells them without being opened.
    pub(crate) fn version(&self) -> twinrun_debugger::Result<String> {
        match self.kind {
            Kind::Chromium => {
                let chromium = Chromium::new(&self.binary, &self.folder, Limits::default())?;
                Ok(chromium.name().to_owned())
            }
            _ => Ok(self.start()?.name().to_owned()),
        }
    }
}

impl Drop for Fleet {
    fn drop(&mut self) {
        if let Ok(mut browser) = self.browser.lock() {
            *browser = None;
        }
        let _ = fs::remove_dir_all(&self.folder);
    }
}

fn read_programs(path: &Path, language: Language, programs: &mut Vec<Program>) -> Result<(), Error> {
    let cannot = |source| Error::Read { path: path.to_owned(), source };
    if path.is_dir() {
        let mut files = Vec::new();
        for entry in fs::read_dir(path).map_err(cannot)? {
            files.push(entry.map_err(cannot)?.path());
        }
        files.sort();
        for file in
            files.iter().filter(|file| file.extension().is_some_and(|end| end == language.extension()))
        {
            read_programs(file, language, programs)?;
        }
        return Ok(());
    }
    let source = fs::read_to_string(path).map_err(cannot)?;
    let source = if language == Language::JavaScript { javascript::steady(&source) } else { source };
    let name = path.file_name().map_or_else(String::new, |name| name.to_string_lossy().into_owned());
    programs.push(Program::new(&name, language, &source));
    Ok(())
}

/// Writes each cause's smallest warning with its script. The script is run first: what it does not repeat is said.
fn save(folder: &Path, kind: Kind, summaries: &[(&PathBuf, &(String, Summary))]) -> Result<(), Error> {
    let cannot = |source| Error::Write { path: folder.to_owned(), source };
    fs::create_dir_all(folder).map_err(cannot)?;
    for (binary, (name, summary)) in summaries {
        for (cause, warnings) in &summary.groups {
            let Some(warning) = warnings.first() else { continue };
            let stem: String = format!("{name} {cause}")
                .chars()
                .map(|c| if c.is_ascii_alphanumeric() { c } else { '-' })
                .collect();
            let script = folder.join(format!("{stem}.py"));
            fs::write(&script, replay_script(warning)).map_err(cannot)?;
            let text = format!("{}\n{}\n", warning.text(), tried(&script, kind, binary));
            fs::write(folder.join(format!("{stem}.txt")), text).map_err(cannot)?;
        }
    }
    Ok(())
}

/// What running a script showed.
fn tried(script: &Path, kind: Kind, binary: &Path) -> &'static str {
    if twinrun_base::cut::is_requested() {
        return "The script was not run: the time was over.";
    }
    let debugger = match kind {
        // The script speaks with a Node; what a Chromium did may show there or not.
        Kind::Chromium => return "The script was not run: it needs a Node with the same V8.",
        Kind::Node => Some(binary),
        _ => None,
    };
    match repeats(script, debugger, Duration::from_secs(30)) {
        Ok(Some(true)) => "The script was run and repeats it.",
        Ok(Some(false)) => "The script was run and does NOT repeat it.",
        Ok(None) => "The script was run; whether it repeats it has to be told by eye.",
        Err(_) => "The script could not be run: there is no python3.",
    }
}

fn text(summaries: &[(String, Summary)], common: &Common) -> Result<String, Error> {
    let versions = match summaries {
        [(_, old), (_, new)] => Some(compare_versions(old, new)),
        _ => None,
    };
    if common.format == Format::Json {
        let debuggers: Vec<_> =
            summaries.iter().map(|(name, summary)| json!({ "debugger": name, "summary": summary })).collect();
        let whole = json!({ "version": 1, "debuggers": debuggers, "versions": versions });
        let text =
            serde_json::to_string_pretty(&whole).map_err(|error| Error::Infrastructure(error.to_string()))?;
        return Ok(text + "\n");
    }
    let mut text = String::new();
    for (name, summary) in summaries {
        text.push_str(&format!("{name}: {}", summary.text()));
    }
    if let Some(versions) = versions {
        for (word, groups) in [("fixed", versions.fixed), ("new", versions.new), ("in both", versions.kept)] {
            for group in groups {
                text.push_str(&format!("{word}: {group}\n"));
            }
        }
    }
    Ok(text)
}
