//! The follow-up session: runs beside the recorded initial one, action by action, and stops at the first difference.

use serde::{Deserialize, Serialize};

use crate::backend::{Backend, Capabilities};
use crate::compare::{Difference, Relation};
use crate::edit::{Edit, Origin, PositionMap, apply};
use crate::error::Result;
use crate::position::Position;
use crate::predict::Prediction;
use crate::program::Program;
use crate::session::Session;
use crate::trace::{Action, Answer, Control, Trace};
use crate::transformations::{self, Transformation};

/// Extra pauses that are stepped over before a follow-up gives up on meeting the initial session again.
const MOST_EXTRAS: usize = 40;

/// A transformation with its random choices made: data, so that it can be performed again.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Plan {
    /// The transformation's name.
    pub transformation: String,
    /// The step of the initial session that it begins at or changes.
    pub step: usize,
    /// A position of its own.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub at: Option<Position>,
    /// Controls of its own.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub controls: Vec<Control>,
    /// Edits of the program.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub edits: Vec<Edit>,
    /// Names that the edits mention.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub mentioned: Vec<String>,
    /// Names whose variables the edits capture or release: a debugger may keep these elsewhere afterwards.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub captured: Vec<String>,
    /// Variables that the edits declare.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub fresh: Vec<String>,
}

/// A program with a session that was recorded on it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Test {
    /// The program.
    pub program: Program,
    /// Its session.
    pub trace: Trace,
}

/// What a follow-up session showed.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct FollowUp {
    /// The transformed program with its session.
    pub test: Test,
    /// Steps of both sessions that had to give the same answer.
    pub pairs: Vec<(usize, usize)>,
    /// The first difference; its steps are the last pair, unless it lies in the programs' own behaviour.
    pub difference: Option<Difference>,
}

/// A follow-up session under way, as a transformation sees it.
pub struct Follow<'f, 'b> {
    /// The session.
    pub session: &'f mut Session<'b>,
    /// The recorded session.
    pub initial: &'f Trace,
    /// The follow-up program.
    pub program: &'f Program,
    /// Its text.
    pub source: &'f str,
    /// What to do.
    pub plan: &'f Plan,
    /// What may differ.
    pub relation: &'f Relation,
    /// What the debugger can do.
    pub capabilities: Capabilities,
    /// Where the added breakpoint stands, for transformations that add one.
    pub added: Option<Position>,
    /// Breakpoints of the initial session that stand at this point of it: requested and actual place.
    pub alive: Vec<(Position, Position)>,
    /// Where the debugger says that it can break, once a difference asked for it.
    pub prediction: Option<&'f Prediction>,
    /// Further steps of both sessions that have to give the same answer.
    pub also: Vec<(usize, usize)>,
    /// What the follow-up contradicts by itself, with the steps where it does.
    pub contradiction: Option<(usize, usize, Difference)>,
}

/// Performs a plan beside a recorded session; what the debugger says of both programs decides which stops of steps are extra.
///
/// # Errors
/// When the transformed program does not parse or the debugger talks nonsense.
pub fn follow(
    backend: &mut dyn Backend,
    initial: &Test,
    plan: &Plan,
    prediction: Option<&Prediction>,
) -> Result<FollowUp> {
    let transformation = transformations::named(&plan.transformation);
    let source = &initial.program.source;
    let program = match plan.edits.as_slice() {
        [] => initial.program.clone(),
        edits => initial.program.with_source(apply(source, edits)),
    };
    let relation = Relation {
        map: (!plan.edits.is_empty()).then(|| PositionMap::new(source, &plan.edits)),
        mentioned: plan.mentioned.iter().cloned().collect(),
        fresh: plan.fresh.iter().cloned().collect(),
    };
    let capabilities = backend.capabilities();
    let mut session = Session::open(backend, &program)?;
    let mut pairs = Vec::new();
    let mut difference = None;
    let mut follow = Follow {
        session: &mut session,
        initial: &initial.trace,
        program: &program,
        source: &program.source,
        plan,
        relation: &relation,
        capabilities,
        added: None,
        alive: Vec::new(),
        prediction,
        also: Vec::new(),
        contradiction: None,
    };
    for (index, step) in initial.trace.steps.iter().enumerate() {
        let answered = transformation.perform(&mut follow, index)?;
        match (&step.action, &step.answer) {
            (Action::Set { at, .. }, Answer::Set(actual)) => follow.alive.push((*at, *actual)),
            (Action::Remove { at }, _) => follow.alive.retain(|(requested, _)| requested != at),
            _ => {}
        }
        let also = std::mem::take(&mut follow.also);
        for (first, second) in also.into_iter().chain(answered.map(|answered| (index, answered))) {
            pairs.push((first, second));
            let (one, two) = (&initial.trace.steps[first].answer, &follow.session.steps()[second].answer);
            difference = difference.or_else(|| relation.compare(one, two));
        }
        if let (None, Some((one, two, found))) = (&difference, follow.contradiction.take()) {
            pairs.push((one, two));
            difference = Some(found);
        }
        if difference.is_some() {
            break;
        }
    }
    let trace = session.finish()?;
    if difference.is_none() {
        difference = relation.compare_behaviour(&initial.trace, &trace);
    }
    Ok(FollowUp { test: Test { program, trace }, pairs, difference })
}

impl Follow<'_, '_> {
    /// Performs the initial step's own action, moved with the program; pauses in inserted code are stepped over.
    /// Gives the step whose answer has to match, none when the action fell away.
    pub fn mirror(&mut self, index: usize) -> Result<Option<usize>> {
        let action = match &self.initial.steps[index].action {
            Action::Set { at, condition } => match self.moved(*at) {
                Some(at) => Action::Set { at, condition: condition.clone() },
                None => return Ok(None),
            },
            Action::Remove { at } => match self.moved(*at) {
                Some(at) => Action::Remove { at },
                None => return Ok(None),
            },
            Action::Control(control) => return self.resume(index, *control).map(Some),
            // Sessions with specials go on as they are: their programs are not rewritten afterwards.
            Action::Special(special) => Action::Special(special.clone()),
        };
        self.perform(action).map(Some)
    }

    /// Performs an action and gives the number of its step.
    pub fn perform(&mut self, action: Action) -> Result<usize> {
        self.session.perform(action)?;
        Ok(self.session.steps().len() - 1)
    }

    /// Resumes and steps out of inserted or replaced code where the initial session had no pause.
    pub fn resume(&mut self, index: usize, control: Control) -> Result<usize> {
        let mut answered = self.perform(Action::Control(control))?;
        if control == Control::Continue {
            return Ok(answered);
        }
        let again = if control == Control::StepInto { Control::StepInto } else { Control::StepOver };
        for _ in 0..MOST_EXTRAS {
            if !self.in_new_code(index) {
                break;
            }
            answered = self.perform(Action::Control(again))?;
        }
        Ok(answered)
    }

    /// Notes a difference that the follow-up session shows by itself.
    pub fn contradict(&mut self, one: usize, two: usize, difference: Difference) {
        self.contradiction.get_or_insert((one, two, difference));
    }

    /// Whether the last answer is what the initial step makes us expect.
    pub fn matches(&self, index: usize) -> bool {
        let expected = &self.initial.steps[index].answer;
        self.last().is_some_and(|answer| self.relation.compare(expected, answer).is_none())
    }

    /// The last answer.
    pub fn last(&self) -> Option<&Answer> {
        self.session.steps().last().map(|step| &step.answer)
    }

    /// Where the program stands, if it is paused.
    pub fn location(&self) -> Option<Position> {
        match self.last() {
            Some(Answer::Paused(pause)) => Some(pause.location),
            _ => None,
        }
    }

    /// Goes on from a pause that only the follow-up has until the initial step's pause is met: by continuing, with a
    /// temporary breakpoint where a step ended (figure 7 of the paper). Gives the step that has to match.
    pub fn meet_again(
        &mut self,
        index: usize,
        stepped: bool,
        extra: impl Fn(Position) -> bool,
    ) -> Result<usize> {
        let mut temporary = None;
        if let (true, Answer::Paused(pause)) = (stepped, &self.initial.steps[index].answer) {
            let place =
                self.relation.map.as_ref().map_or(Some(pause.location), |map| map.forward(pause.location));
            if let Some(place) =
                place.filter(|place| self.session.standing().iter().all(|known| known.actual != *place))
            {
                self.perform(Action::set(place))?;
                if matches!(self.last(), Some(Answer::Set(_))) {
                    temporary = Some(place);
                }
            }
        }
        let mut answered = self.perform(Action::Control(Control::Continue))?;
        for _ in 0..MOST_EXTRAS {
            let Some(location) = self.location() else { break };
            if self.matches(index) || !(extra(location) || temporary == Some(location)) {
                break;
            }
            answered = self.perform(Action::Control(Control::Continue))?;
        }
        if let Some(place) = temporary {
            self.perform(Action::Remove { at: place })?;
        }
        Ok(answered)
    }

    fn in_new_code(&self, index: usize) -> bool {
        let (Some(map), Some(location)) = (&self.relation.map, self.location()) else { return false };
        let expected = match &self.initial.steps[index].answer {
            Answer::Paused(pause) => Some(pause.location),
            _ => None,
        };
        match map.origin(location) {
            Origin::Kept(position) => {
                expected != Some(position) && self.prediction.is_some_and(|known| known.is_fresh(location))
            }
            Origin::Inserted => true,
            Origin::Replaced(_) => match &self.initial.steps[index].answer {
                Answer::Paused(pause) => !map.same(pause.location, location),
                _ => true,
            },
        }
    }

    /// Where a requested position of the initial session is now.
    fn moved(&self, at: Position) -> Option<Position> {
        match &self.relation.map {
            Some(map) => map.forward(at).filter(|_| !self.removed(at)),
            None => Some(at),
        }
    }

    /// Whether a position lies in code that the plan removes.
    fn removed(&self, at: Position) -> bool {
        self.plan.edits.iter().any(|edit| edit.end > edit.start && edit.text == transformations::NOTHING)
            && self
                .relation
                .map
                .as_ref()
                .and_then(|map| map.forward(at).map(|new| !matches!(map.origin(new), Origin::Kept(_))))
                .unwrap_or(true)
    }
}

/// The default for transformations that change nothing at this step.
pub(crate) fn mirror(follow: &mut Follow<'_, '_>, index: usize) -> Result<Option<usize>> {
    follow.mirror(index)
}

/// Whether a transformation is decided while the debugger runs.
pub fn is_interactive(plan: &Plan) -> bool {
    let transformation: &dyn Transformation = transformations::named(&plan.transformation);
    transformation.interactive()
}
