//! Commands: opaque programs as subjects. A group draws the parameters, runs the command as source and as follow-ups in
//! fresh folders, never through a shell, and checks the properties of its relation.

mod checks;
mod coverage;
mod draw;
mod expression;
mod process;
mod rows;
mod script;
mod transform;

use std::path::{Path, PathBuf};

use twinrun_base::{
    Case, Crash, CrashKind, FailedCheck, Group, Hash, Inputs, Limits, Location, Operator, ProgramRun, Run,
    Value, Verdict,
};
use twinrun_subject::command::{CommandRelation, CommandSpec, CoverageSpec, ParameterValue};

use crate::executor::{Ending, ExecuteError, Executor, Explained};
use crate::replay::Replay;
use crate::target::{Build, Pace, Target};

pub(crate) use draw::Parameters;
pub use rows::CommandRun;

/// Cases whose source is run twice, to notice a command that answers the same input differently.
const DOUBLED: u64 = 5;

/// A command as a subject.
#[derive(Clone, Debug)]
pub struct CommandSubject {
    name: String,
    spec: CommandSpec,
    folder: PathBuf,
    limits: Limits,
    coverage: bool,
}

impl CommandSubject {
    /// A command of the project in `folder`.
    pub fn new(name: &str, spec: CommandSpec, folder: &Path, limits: Limits) -> CommandSubject {
        CommandSubject { name: name.to_owned(), spec, folder: folder.to_owned(), limits, coverage: false }
    }

    /// The same, with the coverage of every run collected as its project says.
    #[must_use]
    pub fn with_coverage(self) -> CommandSubject {
        CommandSubject { coverage: self.spec.coverage.is_some(), ..self }
    }

    /// How it tells which lines a run executed.
    pub fn coverage(&self) -> Option<&CoverageSpec> {
        self.spec.coverage.as_ref()
    }

    /// The program that is run, where it lies in the project.
    pub fn program(&self) -> Option<PathBuf> {
        let name = process::fill(self.spec.command.first()?, &Parameters::default());
        Some(self.folder.join(&name)).filter(|path| name.contains('/') && path.is_file())
    }

    /// The names of its relations.
    pub fn relations(&self) -> impl Iterator<Item = &str> {
        self.spec.relations.iter().map(|(name, _)| name)
    }

    /// One of its relations, ready to run.
    ///
    /// # Errors
    /// When there is no such relation.
    pub fn target(&self, relation: &str) -> Result<CommandTarget<'_>, ExecuteError> {
        let found = self.spec.relations.get(relation);
        let found = found.ok_or_else(|| {
            ExecuteError::new(format!("the command {} has no relation {relation}", self.name))
        })?;
        Ok(CommandTarget { subject: self, name: relation.to_owned(), relation: found })
    }
}

/// One relation of a command.
pub struct CommandTarget<'a> {
    subject: &'a CommandSubject,
    name: String,
    relation: &'a CommandRelation,
}

impl Target for CommandTarget<'_> {
    fn subject(&self) -> &str {
        &self.subject.name
    }

    fn relation(&self) -> &str {
        &self.name
    }

    fn identity(&self) -> Hash {
        let CommandSubject { name, spec, folder, limits, .. } = self.subject;
        Hash::of([
            name,
            &self.name,
            &format!("{spec:?}"),
            &folder.display().to_string(),
            &format!("{limits:?}"),
        ])
    }

    fn location(&self) -> Option<Location> {
        None
    }

    fn blocks(&self) -> Option<usize> {
        None
    }

    fn executor(&self, build: Build) -> Result<Option<Box<dyn Executor + '_>>, ExecuteError> {
        if build == Build::Checked {
            return Ok(None);
        }
        Ok(Some(Box::new(CommandExecutor {
            target: self,
            groups: 0,
            unstable: None,
            imported: Vec::new(),
            seen: Seen::Nothing,
        })))
    }

    fn pace(&self) -> Pace {
        Pace { chunk: 100, shrink: 400 }
    }
}

struct CommandExecutor<'a> {
    target: &'a CommandTarget<'a>,
    groups: u64,
    unstable: Option<String>,
    imported: Vec<Vec<u8>>,
    seen: Seen,
}

/// What the runs so far were like. A program that does not start (`sh: not found`), or that refuses every input, answers every run alike, and every
/// property of equality holds.
enum Seen {
    /// There was none.
    Nothing,
    /// All failed in the same way, as the first did.
    Failing(process::Output),
    /// Some run succeeded, or failed in another way.
    Answers,
}

impl Seen {
    fn add(&mut self, output: &process::Output) {
        *self = match std::mem::replace(self, Seen::Answers) {
            Seen::Nothing if output.exit != Some(0) => Seen::Failing(output.clone()),
            Seen::Failing(first) if first.answers_like(output) => Seen::Failing(first),
            _ => Seen::Answers,
        };
    }
}

/// One run: its parameters and what the command gave.
#[derive(Clone, Debug)]
pub(crate) struct Done {
    pub(crate) parameters: Parameters,
    pub(crate) output: process::Output,
}

/// How a group ended, with everything that is known.
struct Judged {
    verdict: Verdict,
    place: u32,
    runs: Vec<Done>,
    check: Option<FailedCheck>,
    crash: Option<Crash>,
}

impl CommandExecutor<'_> {
    fn judge(&mut self, inputs: &mut dyn Inputs) -> Result<Judged, ExecuteError> {
        let CommandTarget { subject, relation, name } = self.target;
        let CommandSubject { spec, folder, limits, coverage, .. } = subject;
        // A program that is built for coverage writes it in any case: never among the files that are its answer.
        let collecting = || {
            let made =
                spec.coverage.as_ref().map(|spec| coverage::Collecting::new(spec, folder)).transpose()?;
            let variables = made.as_ref().map(coverage::Collecting::variables).unwrap_or_default();
            Ok::<_, ExecuteError>((made, variables))
        };
        self.imported.clear();
        let mut drawer = draw::Drawer { inputs, folder };
        let source = drawer.parameters(&spec.parameters)?;
        let mut judged =
            Judged { verdict: Verdict::Holds, place: 0, runs: Vec::new(), check: None, crash: None };
        for assumption in spec.assume.iter().chain(&relation.assume) {
            if !expression::holds(&assumption.0, &source, &judged.runs)? {
                judged.verdict = Verdict::Discarded;
                return Ok(judged);
            }
        }
        let follow_ups = relation.follow_ups();
        for run in 0..=follow_ups.len() {
            let run: usize = run;
            let (parameters, command) = match run.checked_sub(1).map(|index| &follow_ups[index]) {
                None => (source.clone(), &spec.command),
                Some(follow_up) => {
                    let from = judged.runs[follow_up.from - 1].parameters.clone();
                    let parameters = transform::all(&follow_up.transform, from, &judged.runs, &mut drawer)?;
                    (parameters, follow_up.command.as_ref().unwrap_or(&spec.command))
                }
            };
            let (collected, variables) = collecting()?;
            let output = process::run(spec, command, &parameters, (folder, &variables), limits)?;
            if run == 0 && self.groups < DOUBLED {
                let (_apart, variables) = collecting()?;
                let again = process::run(spec, command, &parameters, (folder, &variables), limits)?;
                if !again.answers_like(&output) {
                    self.unstable = Some(format!(
                        "the command is not stable: run twice on the same input ({}) it answered differently. Fix its seed, clock or order of \
                         output; nothing can be said until then",
                        draw::show(&parameters)
                    ));
                    judged.verdict = Verdict::Discarded;
                    return Ok(judged);
                }
            }
            let ended = process::ended(&output, spec);
            self.seen.add(&output);
            judged.runs.push(Done { parameters, output });
            match ended {
                process::Ended::Answer => {
                    let program = self.target.subject.program();
                    let wanted = collected.filter(|_| *coverage);
                    let collected = wanted.map(|it| it.collect(program.as_deref())).transpose()?;
                    self.imported.extend(collected);
                }
                process::Ended::Timeout => {
                    judged.verdict = Verdict::Timeout;
                    return Ok(judged);
                }
                process::Ended::Crash(crash) => {
                    judged.verdict = Verdict::Crashed;
                    judged.place = match crash.kind {
                        CrashKind::Signal => 1,
                        CrashKind::OutputLimit => 2,
                        _ => 3,
                    };
                    judged.crash = Some(crash);
                    return Ok(judged);
                }
            }
        }
        for (index, check) in (1..).zip(&relation.check) {
            if let Some(failed) = checks::failed(check, &source, &judged.runs, name, folder)? {
                judged.verdict = Verdict::Violated;
                judged.place = index;
                judged.check = Some(failed);
                break;
            }
        }
        Ok(judged)
    }
}

impl Executor for CommandExecutor<'_> {
    fn run(&mut self, inputs: &mut dyn Inputs) -> Result<Ending, ExecuteError> {
        let judged = self.judge(inputs)?;
        self.groups += 1;
        Ok(Ending { verdict: judged.verdict, place: judged.place })
    }

    fn touched(&self) -> &[u64] {
        &[]
    }

    fn imported(&self) -> &[Vec<u8>] {
        &self.imported
    }

    fn explain(&mut self, case: &Case) -> Result<Explained, ExecuteError> {
        let mut replay = Replay::default();
        replay.begin(case);
        // The source is run twice once more: what is reported must be stable.
        self.groups = 0;
        let judged = self.judge(&mut replay)?;
        let runs = judged.runs.into_iter().map(as_run);
        let group = Group {
            case: replay.drawn(),
            verdict: judged.verdict,
            runs: runs.collect(),
            check: judged.check,
            crash: judged.crash,
            work: 0,
        };
        Ok(Explained { group, coverage: Vec::new(), dependent_runs: false })
    }

    fn notice(&mut self) -> Option<String> {
        self.unstable.take()
    }

    fn vacuous(&self) -> Option<String> {
        let Seen::Failing(output) = &self.seen else { return None };
        // Timeouts, signals and exit codes that are no answer are findings of their own.
        let exit = output.exit.filter(|_| !output.timed_out && !output.flooded)?;
        let stderr = String::from_utf8_lossy(&output.stderr);
        let said = stderr.lines().find(|line| !line.trim().is_empty());
        let said = said.map(|line| format!(" ({})", line.trim())).unwrap_or_default();
        Some(format!(
            "every run failed in the same way, with exit code {exit}{said}, so that nothing was compared: does the program start, and does it \
             understand its input?"
        ))
    }
}

/// A run as a report shows it.
fn as_run(done: Done) -> Run {
    let Done { parameters, output } = done;
    let given = parameters.iter().map(|(name, value)| (name.clone(), as_value(value))).collect();
    let program = ProgramRun {
        arguments: output.arguments,
        stdin: output.stdin,
        exit: output.exit.unwrap_or(-1),
        stdout: output.stdout,
        stderr: output.stderr,
    };
    Run { given, outputs: Vec::new(), program: Some(program) }
}

/// A parameter's value as a report shows it.
fn as_value(value: &ParameterValue) -> Value {
    match value {
        ParameterValue::Bool(truth) => Value::Int(i64::from(*truth)),
        ParameterValue::Int(number) => Value::Int(*number),
        ParameterValue::Float(number) => Value::Float(*number),
        ParameterValue::Text(text) => Value::Bytes(text.clone().into_bytes()),
        ParameterValue::List(items) => Value::Bytes(items.join(" ").into_bytes()),
    }
}

/// A failed check over two outputs.
fn failed_check(text: String, left: Value, right: Value) -> FailedCheck {
    FailedCheck { operator: Operator::True, text, left, right, tolerance: None, location: None }
}
