//! Coverage of the replacer's groups: in the engine, and as processes under gcov.

use std::fs;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::sync::Arc;

use twinrun_base::{ProgramRun, Rng, Verdict};
use twinrun_jit::{Compiled, Config, Detail};
use twinrun_results::{cpu_seconds, workspace_root};
use twinrun_subject::build::Environment;
use twinrun_subject::{Module, Project, SubjectKind, open};
use twinrun_testing::generate::Generator;

const SOURCES: [&str; 5] = ["replace.c", "pattern.c", "match.c", "substitute.c", "text.c"];

pub(crate) struct Measured {
    pub(crate) groups: usize,
    pub(crate) runs: usize,
    /// CPU seconds in the engine.
    pub(crate) engine: f64,
    /// Runs that were measured as processes.
    pub(crate) measured: usize,
    /// CPU seconds of their processes.
    pub(crate) sample: f64,
    /// CPU seconds of gcov on what they left.
    pub(crate) sample_gcov: f64,
}

impl Measured {
    pub(crate) fn gcov(&self) -> f64 {
        (self.sample + self.sample_gcov) / self.measured.max(1) as f64 * self.runs as f64
    }

    pub(crate) fn speedup(&self) -> f64 {
        self.gcov() / self.engine
    }

    pub(crate) fn processes_alone(&self) -> f64 {
        self.sample / self.measured.max(1) as f64 * self.runs as f64 / self.engine
    }
}

pub(crate) fn measure(groups: usize, processes: usize) -> Result<Measured, String> {
    let text = |error: &dyn std::fmt::Display| error.to_string();
    let folder = workspace_root().join("subjects/slices/replace");
    let project = Project::find(&folder).map_err(|error| text(&error))?;
    let environment = Environment::of_process(&workspace_root());
    let subject = open(&project, "replace", &environment).map_err(|error| text(&error))?;
    let SubjectKind::Module(modules) = subject.kind else {
        return Err("the replacer is no module".to_owned());
    };
    let program = Arc::new(modules.program.ok_or("the replacer has no program")?);
    let compile = |module: &Module| {
        Compiled::new(&module.bytes, &module.sites, &Config::default()).map_err(|error| text(&error))
    };
    let compiled = compile(&modules.module)?.with_program("", compile(&program)?);
    let relations = compiled.relations().to_vec();
    let (engine, runs) = in_engine(&compiled, groups, Detail::Verdict)?;
    let (_, all) = in_engine(&compiled, groups, Detail::Full)?;
    let (count, inputs) = (runs.0, all.1);
    eprintln!("{groups} groups of {} relations, {count} runs: {engine:.2} s in the engine", relations.len());
    let step = (inputs.len() / processes.max(1)).max(1);
    let sample: Vec<&ProgramRun> = inputs.iter().step_by(step).take(processes).collect();
    let (sample_seconds, sample_gcov) = as_processes(&sample).map_err(|error| text(&error))?;
    Ok(Measured { groups, runs: count, engine, measured: sample.len(), sample: sample_seconds, sample_gcov })
}

type Runs = (usize, Vec<ProgramRun>);

/// Draws and runs the groups; keeps the coverage of every run, and with full detail what each was asked.
fn in_engine(compiled: &Compiled, groups: usize, detail: Detail) -> Result<(f64, Runs), String> {
    let mut instance = compiled.instance().map_err(|error| error.to_string())?;
    let relations = compiled.relations().len();
    let mut slices = twinrun_localize::evidence::Evidence::default();
    slices.relations = compiled.relations().to_vec();
    let (mut runs, mut inputs) = (0, Vec::new());
    let began = cpu_seconds();
    for relation in 0..relations {
        let mut generator = Generator::new(Rng::fork(4, relation as u64), &[]);
        let wanted = groups / relations + usize::from(relation < groups % relations);
        let mut drawn = 0;
        while drawn < wanted {
            generator.begin(&[]);
            let verdict = instance
                .run_group(twinrun_jit::RelationId(relation), &mut generator, detail)
                .map_err(|error| error.to_string())?;
            if verdict == Verdict::Discarded {
                continue;
            }
            drawn += 1;
            let observation = instance.observation();
            let covered = observation.runs().iter().map(|run| run.covered.words().to_vec()).collect();
            slices.add(relation, verdict == Verdict::Violated, false, covered);
            runs += observation.runs().len();
            if detail == Detail::Full {
                inputs.extend(observation.runs().iter().filter_map(|run| run.run.program.clone()));
            }
        }
    }
    Ok((cpu_seconds() - began, (runs, inputs)))
}

/// Runs the inputs as processes of a build with `--coverage`, each with data files of its own, and reads these with gcov.
fn as_processes(sample: &[&ProgramRun]) -> std::io::Result<(f64, f64)> {
    let folder = tempfile::tempdir()?;
    let sources = workspace_root().join("subjects/replace");
    let program = folder.path().join("replace");
    let mut objects = Vec::new();
    for source in SOURCES {
        let object = folder.path().join(source).with_extension("o");
        done(
            Command::new("gcc")
                .args(["-O0", "-g", "--coverage", "-c"])
                .arg(sources.join(source))
                .arg("-o")
                .arg(&object),
        )?;
        objects.push(object);
    }
    done(Command::new("gcc").arg("--coverage").args(&objects).arg("-o").arg(&program))?;
    let (mut running, mut reading) = (0.0, 0.0);
    for (number, run) in sample.iter().enumerate() {
        let data = folder.path().join(format!("run{number}"));
        let began = cpu_seconds();
        let arguments: Vec<std::ffi::OsString> =
            run.arguments.iter().map(|it| std::os::unix::ffi::OsStringExt::from_vec(it.clone())).collect();
        let mut child = Command::new(&program)
            .args(arguments)
            .env("GCOV_PREFIX", &data)
            .env("GCOV_PREFIX_STRIP", "0")
            .stdin(Stdio::piped())
            .stdout(Stdio::null())
            .stderr(Stdio::null())
            .spawn()?;
        if let Some(mut stdin) = child.stdin.take() {
            // A program that does not read all is no failure of ours.
            let _ = stdin.write_all(&run.stdin);
        }
        child.wait()?;
        running += cpu_seconds() - began;
        let inside = data.join(folder.path().strip_prefix("/").unwrap_or(folder.path()));
        reading += read(&inside, &objects)?;
        fs::remove_dir_all(&data)?;
    }
    Ok((running, reading))
}

/// Reads the data files of one run; gives the CPU seconds.
fn read(inside: &Path, objects: &[PathBuf]) -> std::io::Result<f64> {
    let mut data = Vec::new();
    for object in objects {
        let name = object.file_name().unwrap_or_default();
        let file = inside.join(name).with_extension("gcda");
        if file.exists() {
            fs::copy(object.with_extension("gcno"), file.with_extension("gcno"))?;
            data.push(file);
        }
    }
    if data.is_empty() {
        return Err(std::io::Error::other("a process left no coverage"));
    }
    let began = cpu_seconds();
    let output =
        Command::new("gcov").args(["--json-format", "--stdout"]).args(&data).current_dir(inside).output()?;
    let seconds = cpu_seconds() - began;
    if output.stdout.is_empty() {
        return Err(std::io::Error::other("gcov wrote nothing"));
    }
    Ok(seconds)
}

fn done(command: &mut Command) -> std::io::Result<()> {
    let status = command.status()?;
    if status.success() { Ok(()) } else { Err(std::io::Error::other(format!("{command:?} failed"))) }
}
