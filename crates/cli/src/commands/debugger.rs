//! `twinrun debugger`: interactive metamorphic testing of debuggers.

use std::fs;
use std::path::{Path, PathBuf};
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};

use clap::{Args, ValueEnum};
use serde::{Deserialize, Serialize};
use serde_json::json;
use twinrun_base::Exit;
use twinrun_campaign::{Campaign, Config as Limited};
use twinrun_debugger::backends::chromium::Chromium;
use twinrun_debugger::backends::debugpy::Debugpy;
use twinrun_debugger::backends::lldb::Lldb;
use twinrun_debugger::backends::node::{Isolation, Node};
use twinrun_debugger::{
    Backend, Config, Language, Limits, Program, Report, Summary, compare_versions, html, javascript, jobs,
    replay_script, run_campaign, transformations,
};

use crate::Outcome;
use crate::cluster::Cluster;
use crate::error::Error;
use crate::options::{Common, Format, Search};
use crate::{apart, output, stop};

/// Tests a debugger by sessions that should be alike.
#[derive(Debug, Args)]
pub(crate) struct Debugger {
    /// Programs to debug, or folders of them (.js, .c, .py)
    #[arg(required = true, value_name = "PROGRAM")]
    programs: Vec<PathBuf>,
    /// The kind of debugger
    #[arg(long, value_enum, default_value = "node")]
    debugger: Kind,
    /// Its binary; given twice, two versions are tested and compared [default: the one on the PATH]
    #[arg(long = "binary", value_name = "FILE")]
    binaries: Vec<PathBuf>,
    #[command(flatten)]
    search: Search,
    #[command(flatten)]
    cluster: Cluster,
    /// Tests of each program
    #[arg(long, default_value_t = 3, value_name = "N")]
    tests: u64,
    /// Rounds of transformations in each test
    #[arg(long, default_value_t = 5, value_name = "N")]
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
    let language = match options.debugger {
        Kind::Node | Kind::Chromium => Language::JavaScript,
        Kind::LldbDap => Language::C,
        Kind::Debugpy => Language::Python,
    };
    let mut programs = Vec::new();
    for path in &options.programs {
        read_programs(path, language, &mut programs)?;
    }
    if programs.is_empty() {
        return Err(Error::Usage(format!("no file ends in .{}", language.extension())));
    }
    let binaries = match options.binaries.as_slice() {
        [] => vec![PathBuf::from(match options.debugger {
            Kind::Node => "node",
            Kind::Chromium => "chromium",
            Kind::LldbDap => "lldb-dap-19",
            Kind::Debugpy => "python3",
        })],
        given => given.to_vec(),
    };
    stop::begin("debugger", options.search.time, common);
    let work = common.project.clone().unwrap_or_else(|| PathBuf::from(".")).join(".twinrun");
    let mut summaries: Vec<(String, Summary)> = Vec::new();
    let mut open = 0;
    let away = options.cluster.away(None, common)?;
    for binary in &binaries {
        let fleet = Fleet::new(options.debugger, binary, &options.packages, &work);
        let start = || fleet.start();
        let name = fleet.version().map_err(|error| Error::Infrastructure(error.to_string()))?;
        let config =
            Config { rounds: options.rounds, transformations: options.only.clone(), ..Config::default() };
        let first = options.search.seed.unwrap_or(1);
        let jobs = jobs(&name, &programs, first..first + options.tests, 1, &config, options.reduce);
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
                apart::debugger::remote(away, options.debugger, binary, &options.packages, &name)
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
        save(folder, &summaries)?;
    }
    if let Some(path) = &options.html {
        fs::write(path, html(&summaries)).map_err(|source| Error::Write { path: path.clone(), source })?;
    }
    output::text(&text(&summaries, common)?, common)?;
    let warnings: usize = summaries.iter().map(|(_, summary)| summary.warnings()).sum();
    Ok(match (warnings, open) {
        (0, 0) => Exit::Holds,
        (0, _) => Exit::Inconclusive,
        _ => Exit::Violated,
    })
}

/// The debuggers of one campaign: one for each worker, tabs of one browser for Chromium.
pub(crate) struct Fleet {
    kind: Kind,
    binary: PathBuf,
    packages: PathBuf,
    /// Holds what the debuggers write, a folder each; goes with the campaign.
    folder: PathBuf,
    started: AtomicUsize,
    browser: Mutex<Option<Chromium>>,
}

impl Fleet {
    pub(crate) fn new(kind: Kind, binary: &Path, packages: &Path, work: &Path) -> Self {
        let folder = work.join(format!("debugger-{}", std::process::id()));
        let (binary, packages) = (binary.to_owned(), packages.to_owned());
        Fleet { kind, binary, packages, folder, started: AtomicUsize::new(0), browser: Mutex::new(None) }
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
            Kind::LldbDap => Box::new(Lldb::new(&self.binary, Path::new("cc"), &folder, limits)?),
            Kind::Debugpy => Box::new(Debugpy::new(&self.binary, &self.packages, &folder, limits)?),
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

fn save(folder: &Path, summaries: &[(String, Summary)]) -> Result<(), Error> {
    let cannot = |source| Error::Write { path: folder.to_owned(), source };
    fs::create_dir_all(folder).map_err(cannot)?;
    for (name, summary) in summaries {
        for (group, warnings) in &summary.groups {
            let Some(warning) = warnings.first() else { continue };
            let stem: String = format!("{name} {group}")
                .chars()
                .map(|c| if c.is_ascii_alphanumeric() { c } else { '-' })
                .collect();
            fs::write(folder.join(format!("{stem}.txt")), warning.text()).map_err(cannot)?;
            fs::write(folder.join(format!("{stem}.py")), replay_script(warning)).map_err(cannot)?;
        }
    }
    Ok(())
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
