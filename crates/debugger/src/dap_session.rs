//! One debugging session over the Debug Adapter Protocol: what lldb-dap and debugpy have in common.

use std::path::{Path, PathBuf};
use std::time::Instant;

use serde_json::{Value, json};

use crate::backend::{Limits, Place, Placed, Stop};
use crate::dap::Adapter;
use crate::error::{Error, Result};
use crate::position::{LineIndex, Position};
use crate::trace::{Control, Ending, Frame, Passive, Pause, Scope, ScopeKind, Special, Variable};

/// How long a breakpoint may be pending.
const PENDING: std::time::Duration = std::time::Duration::from_millis(200);

/// A session whose adapter is ready for breakpoints; the program starts with the first control.
#[derive(Debug)]
pub(crate) struct DapSession {
    adapter: Adapter,
    source: PathBuf,
    limits: Limits,
    breakpoints: Vec<Wanted>,
    next: u64,
    /// What the adapter said that it can do.
    capabilities: Value,
    /// Whether composite values show their members only when asked.
    members: bool,
    /// Whether it pauses where something is thrown.
    catches: bool,
    /// The top frame of the last pause, with its own scopes: their references.
    frame: i64,
    /// Frames of the last pause, those of libraries included.
    depth: usize,
    scopes: Vec<Value>,
    thread: Option<i64>,
    output: Vec<String>,
    partial: String,
    talk: Vec<String>,
    exit: Option<i64>,
    ending: Option<Ending>,
}

/// A breakpoint as it is asked for.
#[derive(Debug)]
struct Wanted {
    id: u64,
    line: u32,
    condition: Option<String>,
    passive: Option<Passive>,
}

/// Pauses after which a program that has no breakpoints left is given up.
const MOST_SURPLUS: usize = 20;

impl DapSession {
    /// Performs the handshake up to where breakpoints can be set.
    pub(crate) fn launch(
        mut adapter: Adapter,
        adapter_name: &str,
        launch: &Value,
        source: &Path,
        members: bool,
        limits: &Limits,
    ) -> Result<Self> {
        let arguments = json!({
            "adapterID": adapter_name, "clientID": "twinrun", "pathFormat": "path",
            "linesStartAt1": true, "columnsStartAt1": true, "supportsRunInTerminalRequest": false,
        });
        let capabilities = adapter.call("initialize", &arguments)?;
        // Some answer `launch` only after `configurationDone`, some at once; a refusal comes instead of `initialized`.
        let request = adapter.send("launch", launch)?;
        adapter.event_or_refusal("initialized", "launch", request)?;
        Ok(DapSession {
            adapter,
            source: source.to_owned(),
            limits: limits.clone(),
            breakpoints: Vec::new(),
            next: 0,
            capabilities,
            members,
            catches: false,
            frame: 0,
            depth: 0,
            scopes: Vec::new(),
            thread: None,
            output: Vec::new(),
            partial: String::new(),
            talk: Vec::new(),
            exit: None,
            ending: None,
        })
    }

    /// Takes lines that begin so for the debugger's own.
    pub(crate) fn ignore(&mut self, beginnings: &[String]) {
        self.talk = beginnings.to_vec();
    }

    /// Starts the program, which the launch request asked to stop at its entry.
    pub(crate) fn hold(mut self) -> Result<Self> {
        self.adapter.call("configurationDone", &json!({}))?;
        let deadline = Instant::now() + self.limits.answer;
        loop {
            let event = self.adapter.event(deadline)?;
            match event["event"].as_str() {
                Some("stopped") => {
                    self.thread = Some(event["body"]["threadId"].as_i64().unwrap_or(1));
                    return Ok(self);
                }
                Some("terminated") => {
                    return Err(Error::Program("it ended before its entry was reached".to_owned()));
                }
                _ => {}
            }
        }
    }

    pub(crate) fn set_breakpoint(&mut self, at: Position, condition: Option<&str>) -> Result<Placed> {
        self.place(at, condition.map(str::to_owned), None)
    }

    /// A breakpoint that must never pause.
    pub(crate) fn set_passive(&mut self, at: Position, how: Passive) -> Result<Placed> {
        let offered = match how {
            Passive::Log => "supportsLogPoints",
            Passive::Hits => "supportsHitConditionalBreakpoints",
        };
        if self.capabilities[offered] != true {
            return Ok(Placed::Refused(Special::UNKNOWN.to_owned()));
        }
        self.place(at, None, Some(how))
    }

    fn place(&mut self, at: Position, condition: Option<String>, passive: Option<Passive>) -> Result<Placed> {
        if self.breakpoints.iter().any(|known| known.line == at.line) {
            return Ok(Placed::Refused("a breakpoint was asked for on this line already".to_owned()));
        }
        self.next += 1;
        let id = self.next;
        self.breakpoints.push(Wanted { id, line: at.line, condition, passive });
        let answers = self.send_breakpoints()?;
        let answer = self.bound(answers.last().cloned().unwrap_or_default())?;
        let line = answer["line"].as_u64().unwrap_or(u64::from(at.line)) as u32;
        if answer["verified"] == true {
            return Ok(Placed::At { id: id.to_string(), actual: Position::new(line, 0) });
        }
        self.breakpoints.pop();
        self.send_breakpoints()?;
        Ok(Placed::Refused(answer["message"].as_str().unwrap_or("not verified").to_owned()))
    }

    /// A breakpoint that is pending may be bound a moment later: then an event says so.
    fn bound(&mut self, answer: Value) -> Result<Value> {
        if answer["verified"] == true || answer["id"].is_null() {
            return Ok(answer);
        }
        let deadline = Instant::now() + PENDING;
        let mut others = Vec::new();
        let bound = loop {
            match self.adapter.event(deadline) {
                Ok(event) => {
                    let about = &event["body"]["breakpoint"];
                    if event["event"] == "breakpoint"
                        && about["id"] == answer["id"]
                        && about["verified"] == true
                    {
                        break about.clone();
                    }
                    others.push(event);
                }
                Err(Error::Silent(_)) => break answer,
                Err(other) => return Err(other),
            }
        };
        self.adapter.put_back(others);
        Ok(bound)
    }

    pub(crate) fn conditions(&self) -> bool {
        self.capabilities["supportsConditionalBreakpoints"] == true
    }

    /// Evaluates in the paused frame, or gives one of its variables a value.
    pub(crate) fn say(&mut self, special: &Special) -> Result<std::result::Result<String, String>> {
        let asked = match special {
            Special::Evaluate { expression } => {
                let arguments =
                    json!({ "expression": expression, "frameId": self.frame, "context": "watch" });
                self.adapter.call("evaluate", &arguments)
            }
            Special::Assign { name, value } if self.capabilities["supportsSetVariable"] == true => {
                let Some(scope) = self.scopes.first() else { return Ok(Err(Special::UNKNOWN.to_owned())) };
                let arguments = json!({ "variablesReference": scope, "name": name, "value": value });
                self.adapter.call("setVariable", &arguments)
            }
            Special::Look { frames, depth } => {
                self.limits.frames = *frames;
                self.limits.depth = *depth;
                return Ok(Ok("done".to_owned()));
            }
            Special::Exceptions { on } => {
                let known = self.capabilities["exceptionBreakpointFilters"].as_array();
                let known = known.map_or(&[][..], Vec::as_slice);
                // What everything thrown is called.
                const ALL: [&str; 4] = ["all", "raised", "cpp_throw", "throw"];
                let named =
                    |filter: &&Value| filter["filter"].as_str().is_some_and(|word| ALL.contains(&word));
                let Some(filter) = known.iter().find(named).map(|filter| filter["filter"].clone()) else {
                    return Ok(Err(Special::UNKNOWN.to_owned()));
                };
                self.catches = *on;
                let filters = if *on { json!([filter]) } else { json!([]) };
                self.adapter.call("setExceptionBreakpoints", &json!({ "filters": filters }))
            }
            _ => return Ok(Err(Special::UNKNOWN.to_owned())),
        };
        match asked {
            Ok(answer) => {
                Ok(Ok(answer["result"].as_str().or(answer["value"].as_str()).unwrap_or_default().to_owned()))
            }
            Err(Error::Refused { message, .. }) => Ok(Err(message)),
            Err(other) => Err(other),
        }
    }

    /// The lines where the adapter can break: what it says of each line, or where breakpoints go that are asked for on every line.
    pub(crate) fn places(&mut self, source: &str) -> Result<Vec<Place>> {
        let lines = LineIndex::new(source).lines();
        let own = json!({ "path": self.source });
        let mut found = Vec::new();
        if self.capabilities["supportsBreakpointLocationsRequest"] == true {
            let asked = json!({ "source": own, "line": 1, "endLine": lines });
            let answer = self.adapter.call("breakpointLocations", &asked)?;
            found.extend(
                answer["breakpoints"].as_array().into_iter().flatten().filter_map(|at| at["line"].as_u64()),
            );
        } else {
            let wanted = |line| Wanted { id: 0, line, condition: None, passive: None };
            self.breakpoints = (1..=lines).map(wanted).collect();
            let answers = self.send_breakpoints()?;
            let standing = answers.iter().filter(|answer| answer["verified"] == true);
            found.extend(standing.filter_map(|answer| answer["line"].as_u64()));
        }
        found.sort_unstable();
        found.dedup();
        let place = |line: u64| Place { at: Position::new(line as u32, 0), kind: String::new() };
        Ok(found.into_iter().map(place).collect())
    }

    pub(crate) fn remove_breakpoint(&mut self, id: &str) -> Result<()> {
        self.breakpoints.retain(|known| known.id.to_string() != id);
        self.send_breakpoints().map(|_| ())
    }

    pub(crate) fn resume(&mut self, control: Control) -> Result<Stop> {
        if let Some(ending) = &self.ending {
            return Ok(Stop::Ended(ending.clone()));
        }
        match self.thread {
            None => {
                self.thread = Some(0);
                self.adapter.call("configurationDone", &json!({}))?;
            }
            Some(thread) => {
                let command = match control {
                    Control::Continue => "continue",
                    Control::StepOut => "stepOut",
                    Control::StepOver => "next",
                    Control::StepInto => "stepIn",
                };
                let outermost = control == Control::StepOut && self.depth == 1;
                match self.adapter.call(command, &json!({ "threadId": thread })) {
                    // Nothing is left to step out to: what remains of the control is a continue.
                    Err(Error::Refused { .. }) if outermost => {
                        self.adapter.call("continue", &json!({ "threadId": thread }))?;
                    }
                    other => drop(other?),
                }
            }
        }
        self.wait(true)
    }

    /// Runs to the end without breakpoints.
    pub(crate) fn finish(&mut self) -> Result<(Vec<String>, Ending)> {
        if self.ending.is_none() {
            self.breakpoints.clear();
            self.send_breakpoints()?;
            if self.catches {
                self.say(&Special::Exceptions { on: false })?.ok();
            }
            let mut stop = self.resume(Control::Continue)?;
            let mut surplus = None;
            let mut times = 0;
            while let Stop::Paused(pause) = stop {
                times += 1;
                surplus = surplus.or(Some(pause.location).filter(|at| !self.asks_for_a_pause(*at)));
                if times > MOST_SURPLUS {
                    break;
                }
                stop = self.resume(Control::Continue)?;
            }
            if let Some(at) = surplus {
                let words = format!("a continue paused at {at}, where no breakpoint stands any more");
                self.ending = Some(Ending::Nonsense(words));
            }
        }
        let left = self.adapter.send("disconnect", &json!({ "terminateDebuggee": true }));
        // Some tell of the last output after the end.
        if let (Ok(left), true) = (left, self.output.is_empty() || !self.talk.is_empty()) {
            let _ = self.adapter.answer("disconnect", left);
            while let Ok(event) = self.adapter.event(Instant::now()) {
                if event["event"] == "output" && event["body"]["category"] == "stdout" {
                    self.take_output(event["body"]["output"].as_str().unwrap_or_default());
                }
            }
        }
        if !self.partial.is_empty() {
            self.output.push(std::mem::take(&mut self.partial));
        }
        Ok((std::mem::take(&mut self.output), self.ending.clone().unwrap_or(Ending::Finished)))
    }

    /// Whether the program itself asks for a pause at a line.
    fn asks_for_a_pause(&self, at: Position) -> bool {
        const WORDS: [&str; 4] = ["breakpoint", "Breakpoint", "debugger", "trap"];
        let text = std::fs::read_to_string(&self.source).unwrap_or_default();
        let index = LineIndex::new(&text);
        WORDS.iter().any(|word| index.line(at.line).contains(word))
    }

    /// Begins the top frame anew; none when the adapter cannot or refuses.
    pub(crate) fn restart(&mut self) -> Result<Option<Stop>> {
        if self.capabilities["supportsRestartFrame"] != true {
            return Ok(None);
        }
        match self.adapter.call("restartFrame", &json!({ "frameId": self.frame })) {
            Ok(_) => self.wait(true).map(Some),
            Err(Error::Refused { .. }) => Ok(None),
            Err(other) => Err(other),
        }
    }

    fn send_breakpoints(&mut self) -> Result<Vec<Value>> {
        let list: Vec<Value> = self
            .breakpoints
            .iter()
            .map(|wanted| {
                let mut entry = json!({ "line": wanted.line });
                if let Some(condition) = &wanted.condition {
                    entry["condition"] = json!(condition);
                }
                match wanted.passive {
                    Some(Passive::Log) => entry["logMessage"] = json!(Passive::MESSAGE),
                    Some(Passive::Hits) => entry["hitCondition"] = json!("1000000"),
                    None => {}
                }
                entry
            })
            .collect();
        let source = json!({ "path": self.source, "name": self.source.file_name().map(|name| name.to_string_lossy()) });
        let answer = self.adapter.call(
            "setBreakpoints",
            &json!({ "source": source, "breakpoints": list, "sourceModified": false }),
        )?;
        Ok(answer["breakpoints"].as_array().cloned().unwrap_or_default())
    }

    fn wait(&mut self, look: bool) -> Result<Stop> {
        let deadline = Instant::now() + self.limits.answer;
        loop {
            let event = self.adapter.event(deadline)?;
            let body = &event["body"];
            match event["event"].as_str() {
                Some("stopped") => {
                    let thread = body["threadId"].as_i64().unwrap_or(1);
                    self.thread = Some(thread);
                    let reason = body["reason"].as_str().unwrap_or_default();
                    if reason == "exception" && !self.catches {
                        // A signal or an exception that nobody catches: the end of what can be compared.
                        let text =
                            body["description"].as_str().or(body["text"].as_str()).unwrap_or("exception");
                        self.ending = Some(Ending::Threw(strip_addresses(text)));
                        return Ok(Stop::Ended(Ending::Threw(strip_addresses(text))));
                    }
                    if !look {
                        continue;
                    }
                    let printed = self.output.len();
                    match self.read_pause(thread, body)? {
                        Some(pause) => return Ok(Stop::Paused(Pause { printed: Some(printed), ..pause })),
                        // Outside the program: in its libraries or before its start.
                        None => drop(self.adapter.call("continue", &json!({ "threadId": thread }))?),
                    }
                }
                Some("output") if matches!(body["category"].as_str(), Some("stdout" | "stderr")) => {
                    self.take_output(body["output"].as_str().unwrap_or_default());
                }
                Some("exited") => self.exit = body["exitCode"].as_i64(),
                Some("terminated") => {
                    let ending = match self.exit {
                        None | Some(0) => Ending::Finished,
                        Some(code) => Ending::Exited(code as i32),
                    };
                    self.ending = Some(ending.clone());
                    return Ok(Stop::Ended(ending));
                }
                _ => {}
            }
        }
    }

    fn take_output(&mut self, text: &str) {
        self.partial.push_str(text);
        while let Some(end) = self.partial.find('\n') {
            let line: String = self.partial.drain(..=end).collect();
            // A logpoint's message is the debugger's own.
            if line.contains(Passive::MESSAGE) || self.talk.iter().any(|begin| line.starts_with(begin)) {
                continue;
            }
            if self.output.len() < self.limits.output_lines {
                self.output.push(line.trim_end().to_owned());
            }
        }
    }

    fn read_pause(&mut self, thread: i64, body: &Value) -> Result<Option<Pause>> {
        let stack =
            self.adapter.call("stackTrace", &json!({ "threadId": thread, "startFrame": 0, "levels": 50 }))?;
        self.depth = stack["stackFrames"].as_array().map_or(0, Vec::len);
        let mut frames = Vec::new();
        let ours = self.source.file_name().map(std::ffi::OsStr::to_owned);
        for frame in stack["stackFrames"].as_array().into_iter().flatten() {
            let path = frame["source"]["path"].as_str().map(Path::new).and_then(Path::file_name);
            if path != ours.as_deref() {
                continue;
            }
            let line = frame["line"].as_u64().unwrap_or(0) as u32;
            let function = frame["name"].as_str().unwrap_or_default();
            // lldb names its functions with their parameters and files with their lines.
            let function = function.split(['(', ' ']).next().unwrap_or_default().to_owned();
            let id = frame["id"].as_i64().unwrap_or(0);
            frames.push((id, Frame { function, location: Some(Position::new(line, 0)), scopes: Vec::new() }));
        }
        let top_is_ours = stack["stackFrames"][0]["source"]["path"]
            .as_str()
            .map(Path::new)
            .and_then(Path::file_name)
            .is_some_and(|name| Some(name) == ours.as_deref());
        let Some(location) = frames.first().and_then(|(_, frame)| frame.location).filter(|_| top_is_ours)
        else {
            return Ok(None);
        };
        self.frame = frames[0].0;
        self.scopes.clear();
        for (id, frame) in frames.iter_mut().take(self.limits.frames) {
            let scopes = self.adapter.call("scopes", &json!({ "frameId": *id }))?;
            for scope in scopes["scopes"].as_array().into_iter().flatten() {
                let word = scope["name"].as_str().unwrap_or_default();
                let hint = scope["presentationHint"].as_str();
                let kind = match hint {
                    Some("locals" | "arguments") => ScopeKind::Own,
                    _ if word.starts_with("Local") || word == "Arguments" => ScopeKind::Own,
                    _ if word.starts_with("Global") => ScopeKind::Global,
                    _ => continue,
                };
                if kind == ScopeKind::Own && *id == self.frame {
                    self.scopes.push(scope["variablesReference"].clone());
                }
                let label = scope["name"].as_str().unwrap_or_default().to_owned();
                let variables = self.read_variables(&scope["variablesReference"], self.limits.depth)?;
                frame.scopes.push(Scope { kind, label, variables });
            }
        }
        Ok(Some(Pause {
            location,
            reason: body["reason"].as_str().unwrap_or_default().to_owned(),
            at_breakpoint: body["reason"].as_str().is_some_and(|reason| reason.contains("breakpoint")),
            printed: None,
            frames: frames.into_iter().map(|(_, frame)| frame).collect(),
        }))
    }

    fn read_variables(&mut self, reference: &Value, depth: usize) -> Result<Vec<Variable>> {
        let answer = self.adapter.call("variables", &json!({ "variablesReference": reference }))?;
        let mut variables = Vec::new();
        for variable in answer["variables"].as_array().into_iter().flatten() {
            let name = variable["name"].as_str().unwrap_or_default();
            if name.starts_with("__") || name.ends_with(" variables") || name.starts_with("(return)") {
                continue;
            }
            let mut value = strip_addresses(variable["value"].as_str().unwrap_or_default());
            let inner = variable["variablesReference"].as_u64().unwrap_or(0);
            // Python's values are spelled out; C's composite ones show their members only when asked.
            if inner > 0 && depth > 0 && self.members {
                let parts = self.read_variables(&json!(inner), depth - 1)?;
                let parts: Vec<String> =
                    parts.into_iter().map(|part| format!("{}: {}", part.name, part.value)).collect();
                value = format!("{value} {{{}}}", parts.join(", "));
            }
            variables.push(Variable { name: name.to_owned(), value });
        }
        variables.sort_by(|one, two| one.name.cmp(&two.name));
        Ok(variables)
    }
}

/// Addresses differ from build to build.
fn strip_addresses(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    let mut rest = text;
    while let Some(at) = rest.find("0x") {
        let digits = rest[at + 2..].bytes().take_while(u8::is_ascii_hexdigit).count();
        out.push_str(&rest[..at]);
        out.push_str(if digits >= 5 { "0x…" } else { &rest[at..at + 2 + digits] });
        rest = &rest[at + 2 + digits..];
    }
    out.push_str(rest);
    out
}

/// Turns a lost connection and silence into endings.
pub(crate) fn ending_of(error: Error) -> Result<Ending> {
    match error {
        Error::Closed => Ok(Ending::Crashed("the adapter ended".to_owned())),
        Error::Silent(_) => Ok(Ending::Silent),
        other => Err(other),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn addresses_are_left_out_of_values() {
        assert_eq!(strip_addresses("<Foo at 0x7f12ab34cd> 0x1f"), "<Foo at 0x…> 0x1f");
    }
}
