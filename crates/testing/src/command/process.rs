//! One run of a command: a fresh folder, a time limit, bounded output, no shell.

use std::collections::BTreeMap;
use std::io::{Read, Write};
use std::os::unix::process::{CommandExt, ExitStatusExt};
use std::path::Path;
use std::process::{Command, ExitStatus, Stdio};
use std::time::{Duration, Instant};
use std::{fs, thread};

use twinrun_base::{Crash, CrashKind, Limits};
use twinrun_subject::command::{CommandSpec, ParameterValue, Part, Template};

use super::draw::{Parameters, get, text};
use crate::executor::ExecuteError;

/// What a run gave.
#[derive(Clone, Debug, Default)]
pub(crate) struct Output {
    pub(crate) arguments: Vec<Vec<u8>>,
    pub(crate) stdin: Vec<u8>,
    pub(crate) stdout: Vec<u8>,
    pub(crate) stderr: Vec<u8>,
    /// `None` when a signal ended it.
    pub(crate) exit: Option<i32>,
    pub(crate) signal: Option<i32>,
    pub(crate) timed_out: bool,
    pub(crate) flooded: bool,
    /// Files that it left in its folder.
    pub(crate) files: BTreeMap<String, Vec<u8>>,
}

impl Output {
    /// Whether two runs on the same input gave the same answer.
    pub(super) fn answers_like(&self, other: &Output) -> bool {
        self.stdout == other.stdout
            && self.exit == other.exit
            && self.signal == other.signal
            && self.files == other.files
    }
}

/// How a run ended.
pub(super) enum Ended {
    /// With an exit code that counts as an answer.
    Answer,
    /// Its time was up.
    Timeout,
    /// By a signal, a flood of output, or an exit code that is no answer.
    Crash(Crash),
}

/// Judges the end of a run.
pub(super) fn ended(output: &Output, spec: &CommandSpec) -> Ended {
    let crash = |kind, message: String| Ended::Crash(Crash { kind, message, stack: Vec::new() });
    if output.flooded {
        return crash(CrashKind::OutputLimit, "it wrote more than `limits.output` allows".to_owned());
    }
    if output.timed_out {
        return Ended::Timeout;
    }
    match (output.exit, output.signal) {
        (_, Some(signal)) => {
            crash(CrashKind::Signal, format!("it was ended by signal {signal}{}", signal_name(signal)))
        }
        (Some(code), _) if spec.exit.is_empty() || spec.exit.contains(&code) => Ended::Answer,
        (code, _) => {
            let code = code.unwrap_or(-1);
            let error = String::from_utf8_lossy(&output.stderr);
            let line = error.lines().next().unwrap_or_default();
            crash(
                CrashKind::Other(format!("exit {code}")),
                format!("exit code {code} is no answer (`exit = {:?}`): {line}", spec.exit),
            )
        }
    }
}

fn signal_name(signal: i32) -> &'static str {
    match signal {
        4 => " (SIGILL)",
        6 => " (SIGABRT)",
        8 => " (SIGFPE)",
        9 => " (SIGKILL)",
        11 => " (SIGSEGV)",
        _ => "",
    }
}

/// Runs the command once with these parameters.
pub(super) fn run(
    spec: &CommandSpec,
    command: &[Template],
    parameters: &Parameters,
    (project, variables): (&Path, &[(String, String)]),
    limits: &Limits,
) -> Result<Output, ExecuteError> {
    let words: Vec<String> =
        command.iter().flat_map(|template| fill_argument(template, parameters)).collect();
    let [program, arguments @ ..] = words.as_slice() else {
        return Err(ExecuteError::new("the command has no program"));
    };
    let failed = |what: &str, error: std::io::Error| ExecuteError::new(format!("{what}: {error}"));
    let folder = tempfile::Builder::new()
        .prefix("twinrun-")
        .tempdir()
        .map_err(|error| failed("cannot make a fresh folder", error))?;
    for (name, content) in spec.files.iter() {
        let path = folder.path().join(name);
        let made = path
            .parent()
            .map_or(Ok(()), fs::create_dir_all)
            .and_then(|()| fs::write(&path, fill(content, parameters)));
        made.map_err(|error| failed(&format!("cannot write the file {name} for the command"), error))?;
    }
    let stdin =
        spec.stdin.as_ref().map(|template| fill(template, parameters).into_bytes()).unwrap_or_default();
    // A path is meant from the project; a bare name is looked up.
    let path = if program.contains('/') { project.join(program).into_os_string() } else { program.into() };
    let mut process = Command::new(path);
    process
        .args(arguments)
        .current_dir(folder.path())
        .env("LC_ALL", "C")
        .env("TZ", "UTC")
        .env("TWINRUN_PROJECT", project);
    process.envs(spec.env.iter().map(|(name, value)| (name, value.as_str())));
    process.envs(variables.iter().map(|(name, value)| (name, value)));
    // A group of its own, so that what it starts ends with it.
    process.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped()).process_group(0);
    let mut child = process
        .spawn()
        .map_err(|error| failed(&format!("the command `{program}` cannot be started"), error))?;
    let id = child.id();
    let (to, out, err) = (child.stdin.take(), child.stdout.take(), child.stderr.take());
    let most = limits.output as usize;
    let until = Instant::now() + Duration::from_secs_f64(spec.timeout.clamp(0.001, 1e6));
    let mut output = Output {
        arguments: arguments.iter().map(|it| it.clone().into_bytes()).collect(),
        ..Output::default()
    };
    let mut status: Option<ExitStatus> = None;
    thread::scope(|scope| {
        let writing = scope.spawn(|| to.map(|mut to| to.write_all(&stdin)));
        let reading = scope.spawn(|| out.map(|out| read_limited(out, most, id)).unwrap_or_default());
        let reading_errors = scope.spawn(|| err.map(|err| read_limited(err, most, id)).unwrap_or_default());
        let mut pause = Duration::from_micros(200);
        loop {
            match child.try_wait() {
                Ok(Some(ended)) => {
                    status = Some(ended);
                    break;
                }
                Ok(None) if Instant::now() >= until => {
                    output.timed_out = true;
                    end_group(id);
                    status = child.wait().ok();
                    break;
                }
                Ok(None) => {
                    thread::sleep(pause);
                    pause = (pause * 2).min(Duration::from_millis(5));
                }
                Err(_) => break,
            }
        }
        // What it left running in the background would keep the pipes open.
        end_group(id);
        let _ = writing.join();
        let (stdout, flood) = reading.join().unwrap_or_default();
        let (stderr, error_flood) = reading_errors.join().unwrap_or_default();
        (output.stdout, output.stderr, output.flooded) = (stdout, stderr, flood || error_flood);
    });
    output.exit = status.and_then(|status| status.code());
    output.signal = status.filter(|_| !output.timed_out).and_then(|status| status.signal());
    output.stdin = stdin;
    output.files = left_files(folder.path(), most);
    Ok(output)
}

/// Reads to the end; past the limit the process group is ended, and that is said.
fn read_limited(mut from: impl Read, most: usize, group: u32) -> (Vec<u8>, bool) {
    let mut bytes = Vec::new();
    let mut piece = [0; 1 << 14];
    while let Ok(count @ 1..) = from.read(&mut piece) {
        if bytes.len() + count > most {
            end_group(group);
            return (bytes, true);
        }
        bytes.extend_from_slice(&piece[..count]);
    }
    (bytes, false)
}

fn end_group(id: u32) {
    // SAFETY: a plain system call; the group is the one that we made for this child, and a group that is gone is an error that
    // does not matter.
    unsafe {
        libc::kill(-(id as i32), libc::SIGKILL);
    }
}

/// The files that a run left behind, by name.
fn left_files(folder: &Path, most: usize) -> BTreeMap<String, Vec<u8>> {
    let entries = fs::read_dir(folder).into_iter().flatten().filter_map(Result::ok);
    let small =
        entries.filter(|entry| entry.metadata().is_ok_and(|it| it.is_file() && it.len() as usize <= most));
    small
        .filter_map(|entry| {
            Some((entry.file_name().to_string_lossy().into_owned(), fs::read(entry.path()).ok()?))
        })
        .collect()
}

/// A template with the parameters filled in.
pub(super) fn fill(template: &Template, parameters: &Parameters) -> String {
    let part = |part: &Part| match part {
        Part::Literal(literal) => literal.clone(),
        Part::Parameter(name) | Part::Spread(name) => get(parameters, name).map(text).unwrap_or_default(),
    };
    template.parts.iter().map(part).collect()
}

/// An argument; `{name...}` gives none, one or several.
fn fill_argument(template: &Template, parameters: &Parameters) -> Vec<String> {
    match template.parts.as_slice() {
        [Part::Spread(name)] => match get(parameters, name) {
            Some(ParameterValue::List(items)) => items.clone(),
            Some(value) => vec![text(value)],
            None => Vec::new(),
        },
        _ => vec![fill(template, parameters)],
    }
}
