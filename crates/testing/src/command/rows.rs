//! Rows of a covering array: each is one run of the command with parameters given from outside, and groups are judged
//! between runs that are already done.

use twinrun_base::{Case, Domain, Group, Input, IntKind, Value, Verdict};
use twinrun_subject::command::{Check, ParameterValue};

use super::{CommandSubject, Done, as_run, as_value, checks, process};
use crate::executor::ExecuteError;

/// A run of the command that is done, to be judged with others.
#[derive(Clone, Debug)]
pub struct CommandRun(Done);

impl CommandSubject {
    /// The names of its parameters.
    pub fn parameters(&self) -> Vec<String> {
        self.spec.parameters.names()
    }

    /// What a relation of the command checks; nothing when there is no such relation.
    pub fn checks(&self, relation: &str) -> Option<&[Check]> {
        self.spec.relations.get(relation).map(|relation| relation.check.as_slice())
    }

    /// Runs the command once with these parameters.
    ///
    /// # Errors
    /// When it cannot be started.
    pub fn run_row(&self, parameters: Vec<(String, ParameterValue)>) -> Result<CommandRun, ExecuteError> {
        let output =
            process::run(&self.spec, &self.spec.command, &parameters, (&self.folder, &[]), &self.limits)?;
        Ok(CommandRun(Done { parameters, output }))
    }

    /// Judges runs, the source first, by the checks of a relation.
    ///
    /// # Errors
    /// When a check cannot be evaluated.
    pub fn judge_rows(
        &self,
        relation: &str,
        checks: &[Check],
        runs: &[&CommandRun],
    ) -> Result<Group, ExecuteError> {
        let runs: Vec<Done> = runs.iter().map(|run| run.0.clone()).collect();
        let source = &runs[0].parameters;
        let case = Case { inputs: source.iter().map(|(name, value)| input(name, value)).collect() };
        let mut group =
            Group { case, verdict: Verdict::Holds, runs: Vec::new(), check: None, crash: None, work: 0 };
        for run in &runs {
            match process::ended(&run.output, &self.spec) {
                process::Ended::Answer => continue,
                process::Ended::Timeout => group.verdict = Verdict::Timeout,
                process::Ended::Crash(crash) => {
                    group.verdict = Verdict::Crashed;
                    group.crash = Some(crash);
                }
            }
            break;
        }
        if group.verdict == Verdict::Holds {
            for check in checks {
                group.check = checks::failed(check, source, &runs, relation, &self.folder)?;
                if group.check.is_some() {
                    group.verdict = Verdict::Violated;
                    break;
                }
            }
        }
        group.runs = runs.into_iter().map(as_run).collect();
        Ok(group)
    }
}

/// A parameter as an input of a case: it can be that value only.
fn input(name: &str, value: &ParameterValue) -> Input {
    let value = as_value(value);
    let domain = match &value {
        Value::Int(number) => Domain::Int { kind: IntKind::I64, lo: *number, hi: *number },
        Value::Float(number) => Domain::Float { lo: *number, hi: *number },
        Value::Bytes(bytes) => {
            Domain::Text { min: bytes.len() as u32, max: bytes.len() as u32, alphabet: Vec::new() }
        }
        _ => Domain::Permutation { n: 0 },
    };
    Input { name: name.to_owned(), domain, value }
}
