//! `twinrun locate`: from groups that hold and groups that are violated to ranked suspects.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};

use clap::{Args, ValueEnum};
use twinrun_base::{Case, Exit, cut};
use twinrun_campaign::{Campaign, Context, Entry};
use twinrun_localize::coverage::Importer;
use twinrun_localize::evidence::Evidence;
use twinrun_localize::formulas::{FORMULAS, Formula, formula};
use twinrun_localize::gather::{self, Gathered, Sites, gather};
use twinrun_localize::lines::Lines;
use twinrun_localize::mend::{self, Mended};
use twinrun_localize::method::{Mending, Method, scores};
use twinrun_localize::oracle::{Compared, against, changed_lines, compare};
use twinrun_localize::present;
use twinrun_localize::ranking::{Ranking, Ties};
use twinrun_localize::report::{Options, Report, State, locate};
use twinrun_localize::slices::{self, Criterion, Share, SliceKind};
use twinrun_subject::Project;
use twinrun_testing::command::CommandSubject;
use twinrun_testing::target::Target;

use crate::Outcome;
use crate::apart::{self, Away};
use crate::cluster::Cluster;
use crate::error::Error;
use crate::options::{Common, Format, Search};
use crate::targets::{self, Opened, Ready};
use crate::{output, stop};

/// Ranks the lines of a subject by how likely they hold the fault behind violated relations.
#[derive(Debug, Args)]
pub(crate) struct Locate {
    /// Where to look: SUBJECT, or SUBJECT:RELATION for some of its relations [default: the project's only subject]
    #[arg(value_name = "SUBJECT[:RELATION]")]
    what: Vec<String>,
    #[command(flatten)]
    search: Search,
    #[command(flatten)]
    cluster: Cluster,
    /// Groups drawn for each relation [default: 1000; 50 for a command]
    #[arg(long, value_name = "N")]
    groups: Option<usize>,
    /// What counts of a run: everything executed, or only what truly affected the checked values
    #[arg(long, value_enum, default_value = "execution")]
    slice: Slice,
    /// How counts become suspicion; `list` names all formulas
    #[arg(long, default_value = twinrun_localize::method::DEFAULT_FORMULA, value_name = "NAME")]
    formula: String,
    /// How equally suspicious lines are ranked where a fault is known
    #[arg(long, value_enum, default_value = "average")]
    ties: TieRule,
    /// Slice backwards from this labelled output instead of the checked values (with --slice dynamic or relevant)
    #[arg(long, value_name = "LABEL")]
    variable: Option<String>,
    /// A correct version, another subject of the project: compare with what an oracle would say
    #[arg(long, value_name = "SUBJECT")]
    against: Option<String>,
    /// A line known to be faulty, FILE:LINE, to measure the ranking [default with --against: where the sources differ]
    #[arg(long, value_name = "FILE:LINE")]
    fault: Vec<String>,
    /// Suspects to list
    #[arg(long, default_value_t = 5, value_name = "N")]
    most: usize,
    /// Do not try changes at suspects
    #[arg(long)]
    no_mending: bool,
    /// Rank as published: lines, drawn groups, all relations, unions of runs, nothing mended
    #[arg(long)]
    published: bool,
}

/// What counts of a run.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum Slice {
    /// Everything that was executed
    Execution,
    /// What affected the checked values through data and control dependence
    Dynamic,
    /// Also branches that would have changed them on another way
    Relevant,
}

/// How equals are ranked.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum TieRule {
    /// In the order of the source
    Source,
    /// The faulty line first
    Best,
    /// In the middle
    Average,
    /// The faulty line last
    Worst,
}

pub(crate) fn run(options: &Locate, common: &Common) -> Outcome {
    let Some(formula) = formula(&options.formula) else { return list(&options.formula, common) };
    stop::begin("locate", options.search.time, common);
    let project = targets::project(common)?;
    let chosen = targets::chosen(&project, &options.what)?;
    let (name, relations) = match chosen.as_slice() {
        [one] => one.clone(),
        [] => return Err(Error::Usage("the project has no subject".to_owned())),
        several => {
            let names: Vec<&str> = several.iter().map(|(name, _)| name.as_str()).collect();
            return Err(Error::Usage(format!(
                "one subject is located at a time: name one of {}",
                names.join(", ")
            )));
        }
    };
    let tell = |what: &str| {
        if !common.quiet {
            eprintln!("{what}");
        }
    };
    tell(&format!("building {name}"));
    let ready = targets::ready_with_coverage(&project, &name)?;
    let reference = match &options.against {
        Some(reference) => {
            tell(&format!("building {reference}"));
            Some(targets::ready(&project, reference)?)
        }
        None => None,
    };
    let relations = if relations.is_empty() { ready.relations.clone() } else { relations };
    let work = Work {
        options,
        formula,
        project: &project,
        away: options.cluster.away(Some(&project), common)?,
        ready: &ready,
        reference: reference.as_ref(),
        relations,
        tell: &tell,
    };
    let folder = project.folder.clone();
    let mut report = work.report(&folder)?;
    if let Some(cause) = cut::requested() {
        report.notes.push(format!("cut: {cause}"));
    }
    let sources = present::sources(&report, &folder);
    let text = match common.format {
        Format::Human => present::human(&report, &sources),
        Format::Json => present::json(&report),
        Format::Sarif => present::sarif(&report),
        Format::Html => present::html(&report, &sources),
        _ => {
            return Err(Error::Usage(
                "suspects are printed with --format human, json, sarif or html".to_owned(),
            ));
        }
    };
    output::text(&text, common)?;
    Ok(match report.state {
        State::NoViolations if !cut::is_requested() => Exit::Holds,
        State::NoViolations => Exit::Inconclusive,
        State::NoCoverage | State::NoGroups => Exit::Inconclusive,
        _ => Exit::Violated,
    })
}

/// How the coverage of a command is read.
fn importer(subject: &CommandSubject, folder: &Path) -> Result<Importer, Error> {
    Importer::of_command(subject, folder).ok_or_else(|| {
        Error::Usage(
            "this command tells nothing about the lines that it runs: add `[subject.NAME.coverage]` with `format = \"gcov\"`, `\"lcov\"` or \
             `\"llvm-cov\"` to twinrun.toml"
                .to_owned(),
        )
    })
}

fn read(folder: &Path, file: &str) -> Option<String> {
    fs::read_to_string(folder.join(file)).ok()
}

/// `--formula list`, or a formula that does not exist.
fn list(name: &str, common: &Common) -> Outcome {
    if name != "list" {
        let names: Vec<&str> = FORMULAS.iter().map(|formula| formula.name).collect();
        return Err(Error::Usage(format!("there is no formula `{name}`; there are {}", names.join(", "))));
    }
    let lines = FORMULAS.iter().map(|it| format!("{:<16} {} ({})\n", it.name, it.about, it.cite));
    output::text(&lines.collect::<String>(), common)?;
    Ok(Exit::Holds)
}

struct Work<'a> {
    options: &'a Locate,
    formula: &'static Formula,
    project: &'a Project,
    away: Option<Away>,
    ready: &'a Ready,
    reference: Option<&'a Ready>,
    relations: Vec<String>,
    tell: &'a (dyn Fn(&str) + Sync),
}

impl Work<'_> {
    fn report(&self, folder: &Path) -> Result<Report, Error> {
        let Work { options, ready, .. } = self;
        let boxed: Vec<Box<dyn Target + '_>> =
            self.relations.iter().map(|relation| ready.target(relation)).collect::<Result<_, _>>()?;
        let targets: Vec<&dyn Target> = boxed.iter().map(|target| &**target).collect();
        let mut gathered = self.gather(&targets, folder)?;
        let mut notes = std::mem::take(&mut gathered.notices);
        if gathered.crashed > 0 {
            notes.push(format!("{} groups crashed and count as violated", gathered.crashed));
        }
        if gathered.timeouts > 0 {
            notes.push(format!(
                "{} groups did not end within the work limit and were left out",
                gathered.timeouts
            ));
        }
        let compared = self.compare(&targets, &gathered)?;
        let execution = gathered.evidence.clone();
        self.slice(&mut gathered, &mut notes)?;
        let method = self.method();
        let mended =
            if method.mending == Mending::Off { Vec::new() } else { self.mend(&targets, &gathered)? };
        let ties = match options.ties {
            TieRule::Source => Ties::Source,
            TieRule::Best => Ties::Best,
            TieRule::Average => Ties::Average,
            TieRule::Worst => Ties::Worst,
        };
        let asked = Options { method, ties, most: options.most };
        let mut report = locate(&ready.name, &gathered.evidence, &mended, &asked);
        report.slice = match options.slice {
            Slice::Execution => "execution",
            Slice::Dynamic => "dynamic",
            Slice::Relevant => "relevant",
        }
        .to_owned();
        report.notes = notes;
        let faults = self.faults(&execution.lines, folder)?;
        if self.reference.is_some() || !faults.is_empty() {
            let ranking = Ranking::of(scores(&gathered.evidence, &mended, &method));
            let reference = self.reference.map_or("the given lines", |it| it.name.as_str());
            report.against =
                Some(against(reference, &execution, &compared, &ranking, (&method, ties), &faults));
        }
        Ok(report)
    }

    fn method(&self) -> Method {
        let Locate { published, no_mending, .. } = self.options;
        let wasm = matches!(self.ready.opened, Opened::Wasm(_));
        if *published {
            Method::published(self.formula)
        } else {
            let method = Method::improved(self.formula);
            let mending = if *no_mending || !wasm { Mending::Off } else { method.mending };
            Method { mending, ..method }
        }
    }

    fn gather(&self, targets: &[&dyn Target], folder: &Path) -> Result<Gathered, Error> {
        let Work { options, ready, .. } = self;
        let (sites, groups) = match &ready.opened {
            Opened::Wasm(subject) => (Sites::Observed(Lines::of(subject.modules())), 1000),
            Opened::Command(subject) => (Sites::Imported(importer(subject, folder)?), 50),
        };
        let config = gather::Config {
            seed: options.search.seed.unwrap_or(1),
            groups: options.groups.unwrap_or(groups).max(1),
            ..gather::Config::default()
        };
        // Imported coverage numbers its lines as they come: those groups are drawn in one place.
        if let (Some(away), Opened::Wasm(subject)) = (&self.away, &ready.opened) {
            let limits = twinrun_campaign::Config {
                workers: options.search.jobs,
                remote: Some(apart::locate::remote(away, self.project, ready)),
                ..twinrun_campaign::Config::default()
            };
            return self.gather_apart(targets, Lines::of(subject.modules()), &config, &limits);
        }
        let told = std::cell::Cell::new(usize::MAX);
        let progress = |relation: usize, drawn: usize| {
            if told.replace(relation) != relation {
                (self.tell)(&format!("drawing {} groups of {}", config.groups, self.relations[relation]));
            }
            drawn % 16 == 15 && cut::is_requested()
        };
        Ok(gather(targets, sites, &config, &progress)?)
    }

    /// The same groups, one job for each relation.
    fn gather_apart(
        &self,
        targets: &[&dyn Target],
        lines: Lines,
        config: &gather::Config,
        limits: &twinrun_campaign::Config,
    ) -> Result<Gathered, Error> {
        let failed = |error: twinrun_campaign::Error| Error::Infrastructure(error.to_string());
        let jobs = apart::locate::jobs(targets, config);
        let mut campaign = Campaign::in_memory("locate").map_err(failed)?;
        let ready = self.ready;
        let work =
            |draw: &apart::locate::Draw, context: &Context<'_>| apart::locate::attend(ready, draw, context);
        let outcome = campaign.run(&jobs, limits, work, |_| ()).map_err(failed)?;
        let relations = targets.iter().map(|target| target.relation().to_owned()).collect();
        let mut gathered = Gathered { evidence: Evidence::new(lines, relations), ..Gathered::default() };
        for (entry, target) in outcome.entries.into_iter().zip(targets) {
            match entry {
                Entry::Finished(part) => gathered.absorb(part),
                Entry::Failed(message) => return Err(Error::Infrastructure(message)),
                Entry::Open => {
                    gathered.notices.push(format!("no time was left for groups of {}", target.relation()));
                }
            }
        }
        Ok(gathered)
    }

    /// Replaces execution slices by dynamic or relevant ones.
    fn slice(&self, gathered: &mut Gathered, notes: &mut Vec<String>) -> Result<(), Error> {
        let kind = match self.options.slice {
            Slice::Execution if self.options.variable.is_some() => {
                return Err(Error::Usage("--variable needs --slice dynamic or relevant".to_owned()));
            }
            Slice::Execution => return Ok(()),
            Slice::Dynamic => SliceKind::Dynamic,
            Slice::Relevant => SliceKind::Relevant,
        };
        let Opened::Wasm(subject) = &self.ready.opened else {
            return Err(Error::Usage(
                "dynamic slices need WebAssembly: a command offers only what its coverage tells".to_owned(),
            ));
        };
        let criterion = self.options.variable.clone().map_or(Criterion::Checks, Criterion::Output);
        let share = Share { violated: 20, holding: 60 };
        (self.tell)("slicing groups on the interpreter");
        let (evidence, different) =
            slices::evidence(subject.modules(), subject.limits(), gathered, kind, &criterion, share)
                .map_err(|error| Error::Infrastructure(error.to_string()))?;
        if different > 0 {
            notes.push(format!("{different} groups ended differently on the interpreter and were left out"));
        }
        if let Some(label) = &self.options.variable
            && evidence.slices.iter().all(Vec::is_empty)
        {
            return Err(Error::Usage(format!(
                "no run labels an output `{label}`: write OUTPUT(\"{label}\", value) in the relation"
            )));
        }
        gathered.evidence = evidence;
        gathered.cases.clear();
        Ok(())
    }

    fn mend(&self, targets: &[&dyn Target], gathered: &Gathered) -> Result<Vec<Mended>, Error> {
        let Opened::Wasm(subject) = &self.ready.opened else { return Ok(Vec::new()) };
        if gathered.evidence.violations() == 0 || gathered.cases.is_empty() {
            return Ok(Vec::new());
        }
        (self.tell)("trying changes at the suspects");
        let limits = mend::limits(targets, gathered, subject.limits())?;
        Ok(mend::suspects(subject.modules(), limits, gathered, &mend::Config::default())?)
    }

    /// Which runs answer otherwise than the reference's.
    fn compare(&self, targets: &[&dyn Target], gathered: &Gathered) -> Result<Compared, Error> {
        let Some(reference) = self.reference else { return Ok(Compared::default()) };
        (self.tell)(&format!("comparing with {}", reference.name));
        let mut failed = vec![Vec::new(); gathered.cases.len()];
        for (number, target) in targets.iter().enumerate() {
            let theirs = reference.target(target.relation())?;
            let groups = gathered.evidence.groups.iter().enumerate();
            let mine: Vec<usize> = groups
                .filter(|(_, group)| group.relation as usize == number && !group.near)
                .map(|(index, _)| index)
                .take(MOST_COMPARED)
                .collect();
            let cases: Vec<&Case> = mine.iter().map(|index| &gathered.cases[*index]).collect();
            for (index, runs) in mine.into_iter().zip(compare(*target, &*theirs, &cases)?) {
                failed[index] = runs;
            }
        }
        if failed.iter().flatten().all(Option::is_none) {
            return Err(Error::Usage(
                "nothing can be compared: the relations label no output of their runs. Write OUTPUT(\"name\", value) behind each RUN".to_owned(),
            ));
        }
        Ok(Compared { failed })
    }

    /// The faulty lines: those that were given, else those in which the sources differ.
    fn faults(&self, lines: &Lines, folder: &Path) -> Result<Vec<usize>, Error> {
        let mut faults = Vec::new();
        for text in &self.options.fault {
            let place = text.rsplit_once(':').and_then(|(file, line)| Some((file, line.parse().ok()?)));
            let found = place.and_then(|(file, line)| lines.find(file, line));
            faults.push(found.ok_or_else(|| {
                Error::Usage(format!("`{text}` is not a line with code: write FILE:LINE as reports show it"))
            })?);
        }
        let (true, Some(reference)) = (faults.is_empty(), self.reference) else { return Ok(faults) };
        let Opened::Wasm(theirs) = &reference.opened else { return Ok(faults) };
        let mut other: BTreeMap<PathBuf, String> = BTreeMap::new();
        for line in Lines::of(theirs.modules()).lines {
            let path = PathBuf::from(&line.location.file);
            other.entry(PathBuf::from(path.file_name().unwrap_or_default())).or_insert(line.location.file);
        }
        let mut files: Vec<&String> = lines.lines.iter().map(|line| &line.location.file).collect();
        files.dedup();
        for file in files {
            let name = PathBuf::from(Path::new(file).file_name().unwrap_or_default());
            let Some(twin) = other.get(&name) else { continue };
            let (Some(mine), Some(theirs)) = (read(folder, file), read(folder, twin)) else { continue };
            faults
                .extend(changed_lines(&mine, &theirs).into_iter().filter_map(|line| lines.find(file, line)));
        }
        Ok(faults)
    }
}

/// Groups of each relation that are compared with a reference: each is run twice more, with everything written down.
const MOST_COMPARED: usize = 500;
