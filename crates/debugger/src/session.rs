//! A session: actions go to the debugger one by one, each is recorded with its answer.

use crate::backend::{Backend, Placed, Stop};
use crate::error::{Error, Result};
use crate::position::Position;
use crate::program::Program;
use crate::trace::{Action, Answer, Ending, Special, Step, Trace};

/// A breakpoint that stands.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Standing {
    /// Where it was asked for.
    pub requested: Position,
    /// Where it went.
    pub actual: Position,
    id: String,
}

/// A running session.
pub struct Session<'a> {
    backend: &'a mut dyn Backend,
    steps: Vec<Step>,
    standing: Vec<Standing>,
    ending: Option<Ending>,
}

impl<'a> Session<'a> {
    /// Opens a program in a debugger.
    ///
    /// # Errors
    /// When the program does not parse or the debugger does not start.
    pub fn open(backend: &'a mut dyn Backend, program: &Program) -> Result<Self> {
        match backend.open(program) {
            // A debugger that died under an earlier session gets one fresh start.
            Err(Error::Closed | Error::Silent(_)) => {
                backend.discard();
                backend.open(program)?;
            }
            other => other?,
        }
        Ok(Session { backend, steps: Vec::new(), standing: Vec::new(), ending: None })
    }

    /// Performs an action and records it with its answer. After the program's end, nothing is done.
    ///
    /// # Errors
    /// When the debugger talks nonsense.
    pub fn perform(&mut self, action: Action) -> Result<&Answer> {
        if let Some(ending) = &self.ending {
            let answer = Answer::Ended(ending.clone());
            self.steps.push(Step { action, answer });
            return Ok(&self.steps[self.steps.len() - 1].answer);
        }
        let answer = match self.answer(&action) {
            Ok(answer) => answer,
            Err(error) => {
                let ending = ending_of(error)?;
                self.backend.discard();
                self.ending = Some(ending.clone());
                Answer::Ended(ending)
            }
        };
        self.steps.push(Step { action, answer });
        Ok(&self.steps[self.steps.len() - 1].answer)
    }

    /// What was done so far.
    pub fn steps(&self) -> &[Step] {
        &self.steps
    }

    /// The breakpoints that stand now.
    pub fn standing(&self) -> &[Standing] {
        &self.standing
    }

    /// Whether the program has ended.
    pub fn ended(&self) -> bool {
        self.ending.is_some()
    }

    /// Whether the program has been started.
    pub fn started(&self) -> bool {
        self.steps.iter().any(|step| matches!(step.action, Action::Control(_)))
    }

    /// Lets the program run to its end and closes the session.
    ///
    /// # Errors
    /// When the debugger talks nonsense.
    pub fn finish(self) -> Result<Trace> {
        let lost = matches!(
            self.ending,
            Some(Ending::Crashed(_) | Ending::Silent | Ending::Exited(_) | Ending::Nonsense(_))
        );
        let (output, ending) = if lost {
            (Vec::new(), self.ending.unwrap_or(Ending::Finished))
        } else {
            match self.backend.finish() {
                Ok(end) => end,
                Err(error) => {
                    let ending = ending_of(error)?;
                    self.backend.discard();
                    (Vec::new(), ending)
                }
            }
        };
        Ok(Trace { steps: self.steps, output, ending })
    }

    fn answer(&mut self, action: &Action) -> Result<Answer> {
        Ok(match action {
            Action::Set { at, condition } => match self.backend.set_breakpoint(*at, condition.as_deref())? {
                Placed::At { id, actual } => {
                    self.standing.push(Standing { requested: *at, actual, id });
                    Answer::Set(actual)
                }
                Placed::Refused(words) => Answer::Refused(words),
            },
            Action::Remove { at } => {
                match self.standing.iter().position(|standing| standing.requested == *at) {
                    Some(index) => {
                        let standing = self.standing.remove(index);
                        self.backend.remove_breakpoint(&standing.id)?;
                        Answer::Removed
                    }
                    None => Answer::Refused("no such breakpoint".to_owned()),
                }
            }
            Action::Control(control) => {
                let stop = self.backend.resume(*control)?;
                self.stopped(stop)
            }
            Action::Special(Special::ByUrl { at }) => match self.backend.set_by_url(*at)? {
                Placed::At { id, actual } => {
                    self.standing.push(Standing { requested: *at, actual, id });
                    Answer::Set(actual)
                }
                Placed::Refused(words) => Answer::Refused(words),
            },
            Action::Special(Special::RunTo { at }) => match self.backend.run_to(*at)? {
                Some(stop) => self.stopped(stop),
                None => Answer::Refused(Special::UNKNOWN.to_owned()),
            },
            Action::Special(Special::Passive { at, how }) => match self.backend.set_passive(*at, *how)? {
                Placed::At { id, actual } => {
                    self.standing.push(Standing { requested: *at, actual, id });
                    Answer::Set(actual)
                }
                Placed::Refused(words) => Answer::Refused(words),
            },
            Action::Special(Special::Restart) => match self.backend.restart()? {
                Some(stop) => self.stopped(stop),
                None => Answer::Refused(Special::UNKNOWN.to_owned()),
            },
            Action::Special(special) => match self.backend.say(special)? {
                Ok(text) => Answer::Said(text),
                Err(words) => Answer::Refused(words),
            },
        })
    }

    fn stopped(&mut self, stop: Stop) -> Answer {
        match stop {
            Stop::Paused(pause) => Answer::Paused(pause),
            Stop::Ended(ending) => {
                self.ending = Some(ending.clone());
                Answer::Ended(ending)
            }
        }
    }
}

/// The ending that a failure of the debugger stands for: what it must not do is a finding, whatever it says.
fn ending_of(error: Error) -> Result<Ending> {
    Ok(match error {
        Error::Closed => Ending::Crashed("the connection was closed".to_owned()),
        Error::Silent(_) => Ending::Silent,
        Error::Nonsense(words) => Ending::Nonsense(words),
        error @ Error::Refused { .. } => Ending::Nonsense(error.to_string()),
        other => return Err(other),
    })
}

/// Performs a list of actions on a program; actions after the end are left out of the trace.
///
/// # Errors
/// When the program does not parse or the debugger talks nonsense.
pub fn replay(backend: &mut dyn Backend, program: &Program, actions: &[Action]) -> Result<Trace> {
    let mut session = Session::open(backend, program)?;
    for action in actions {
        if session.ended() {
            break;
        }
        session.perform(action.clone())?;
    }
    session.finish()
}
