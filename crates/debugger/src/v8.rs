//! One debugging session with V8 over the Chrome DevTools Protocol, in a context that the backend provides.

use std::collections::BTreeSet;
use std::ops::Range;
use std::time::Instant;

use serde_json::{Value, json};

use crate::backend::{Limits, Place, Placed, Stop};
use crate::cdp::{Cdp, Incoming};
use crate::error::{Error, Result};
use crate::position::Position;
use crate::remote_object::{console_line, exception_line, render};
use crate::timers::Timers;
use crate::trace::{Control, Ending, Special};
use crate::v8_pause;

/// A connection with V8 and the session that runs over it.
#[derive(Debug)]
pub(crate) struct V8 {
    pub(crate) cdp: Cdp,
    pub(crate) limits: Limits,
    /// An expression of the host's own context: a promise that is kept when no microtask is left.
    drain: &'static str,
    session: Option<Session>,
}

#[derive(Debug)]
struct Session {
    script: String,
    context: i64,
    /// The request that runs program code; its reply means that this code returned.
    running: Option<u64>,
    started: bool,
    /// The last control was a step: it may outlive the program and pause in whatever runs next.
    stepped: bool,
    breakpoints: Vec<String>,
    /// Whether program code that returned may have left microtasks.
    microtasks: bool,
    drained: bool,
    timers: Option<Timers>,
    output: Vec<String>,
    threw: Option<String>,
    ending: Option<Ending>,
    /// It pauses where something is thrown.
    catches: bool,
    /// How much of a pause is read.
    limits: Limits,
    /// It stands in a page, which tells of its exceptions by events.
    in_page: bool,
    /// A function that gives the program's own part of the global object: the whole has up to a thousand names.
    globals: String,
    /// The address of the script; empty for one that has none.
    url: String,
    /// The top frame of the last pause, as V8 described it.
    frame: Value,
}

/// The name under which we hold objects of a session.
pub(crate) const GROUP: &str = "session";

/// Gives a function of no effect that copies what was added to the global object since; it holds what it needs, for a
/// program may change any built-in.
const GLOBALS: &str = "(() => {
  const { ownKeys, getOwnPropertyDescriptor, defineProperty } = Reflect, target = this;
  const known = { __proto__: null };
  ownKeys(target).forEach(name => { known[name] = true; });
  return () => {
    const found = { __proto__: null }, names = ownKeys(target);
    for (let at = 0; at < names.length; at++)
      if (!(names[at] in known)) defineProperty(found, names[at], getOwnPropertyDescriptor(target, names[at]));
    return found;
  };
})()";

impl V8 {
    /// Enables debugging.
    pub(crate) fn new(mut cdp: Cdp, limits: Limits, drain: &'static str) -> Result<Self> {
        cdp.call("Runtime.enable", &json!({}))?;
        cdp.call("Debugger.enable", &json!({}))?;
        Ok(V8 { cdp, limits, drain, session: None })
    }

    /// Compiles a program in a context without running it.
    pub(crate) fn load(&mut self, source: &str, url: &str, context: i64) -> Result<()> {
        // Both requests first, then both replies: every way over the wire costs as much as the work at its end.
        let timers = self.timers(source, context)?;
        let globals = self.ask_for_globals(context)?;
        let compiled = self.cdp.send(
            "Runtime.compileScript",
            &json!({ "expression": source, "sourceURL": url, "persistScript": true, "executionContextId": context }),
        )?;
        let globals = self.globals(globals)?;
        let refused = |message| Error::Refused { method: "Runtime.compileScript".to_owned(), message };
        let compiled = self.cdp.reply(compiled)?.map_err(refused)?;
        if let Some(details) = compiled.get("exceptionDetails") {
            return Err(Error::Program(exception_line(details)));
        }
        let script = text(&compiled, "scriptId")?;
        self.cdp.take_events();
        self.begin(source, script, context, timers, globals);
        if let Some(session) = &mut self.session {
            url.clone_into(&mut session.url);
        }
        Ok(())
    }

    /// Puts a program into the page as a script element and holds it before its first statement.
    pub(crate) fn load_in_page(&mut self, source: &str, context: i64) -> Result<()> {
        let timers = self.timers(source, context)?;
        let globals = self.ask_for_globals(context)?;
        let globals = self.globals(globals)?;
        let hold = json!({ "instrumentation": "beforeScriptExecution" });
        let hold = self.cdp.call("Debugger.setInstrumentationBreakpoint", &hold)?;
        let hold = text(&hold, "breakpointId")?;
        self.cdp.take_events();
        let append = format!(
            "{{ const script = document.createElement('script'); script.text = {}; void document.head.appendChild(script); }}",
            Value::from(source)
        );
        let request =
            self.cdp.send("Runtime.evaluate", &json!({ "expression": append, "contextId": context }))?;
        let deadline = Instant::now() + self.limits.answer;
        let mut refused = None;
        let script = loop {
            match self.cdp.event_or_reply(request, deadline)? {
                Incoming::Event(event) => match event["method"].as_str() {
                    Some("Debugger.paused") => {
                        // Our own code is held as well; the page's stands on top of it.
                        let frames = event["params"]["callFrames"].as_array().map_or(&[][..], Vec::as_slice);
                        if let [top, _, ..] = frames {
                            break Some(text(&top["location"], "scriptId")?);
                        }
                        self.cdp.send("Debugger.resume", &json!({}))?;
                    }
                    Some("Runtime.exceptionThrown") => {
                        refused = Some(exception_line(&event["params"]["exceptionDetails"]));
                    }
                    _ => {}
                },
                Incoming::Reply(_) => break None,
            }
        };
        self.cdp.call("Debugger.removeBreakpoint", &json!({ "breakpointId": hold }))?;
        let Some(script) = script else {
            return Err(Error::Program(refused.unwrap_or_else(|| "the page did not run it".to_owned())));
        };
        self.cdp.take_events();
        self.begin(source, script, context, timers, globals);
        if let Some(session) = &mut self.session {
            session.running = Some(request);
            session.in_page = true;
        }
        Ok(())
    }

    /// The timers that a program needs in its context before it comes into it.
    fn timers(&mut self, source: &str, context: i64) -> Result<Option<Timers>> {
        Timers::wanted(source).then(|| Timers::install(&mut self.cdp, context)).transpose()
    }

    /// Asks for the function that gives a program's own part of the global object.
    fn ask_for_globals(&mut self, context: i64) -> Result<u64> {
        let parameters = json!({ "expression": GLOBALS, "contextId": context, "objectGroup": GROUP });
        self.cdp.send("Runtime.evaluate", &parameters)
    }

    fn globals(&mut self, request: u64) -> Result<String> {
        let refused = |message| Error::Refused { method: "Runtime.evaluate".to_owned(), message };
        let made = self.cdp.reply(request)?.map_err(refused)?;
        text(&made["result"], "objectId")
    }

    fn begin(&mut self, source: &str, script: String, context: i64, timers: Option<Timers>, globals: String) {
        self.session = Some(Session {
            script,
            context,
            running: None,
            started: false,
            stepped: false,
            breakpoints: Vec::new(),
            microtasks: ["Promise", "async", "queueMicrotask"].iter().any(|word| source.contains(word)),
            drained: false,
            timers,
            output: Vec::new(),
            threw: None,
            ending: None,
            catches: false,
            limits: self.limits.clone(),
            in_page: false,
            globals,
            url: String::new(),
            frame: Value::Null,
        });
    }

    pub(crate) fn set_breakpoint(&mut self, at: Position, condition: Option<&str>) -> Result<Placed> {
        let session = self.session.as_mut().ok_or(Error::Closed)?;
        let mut parameters = json!({
            "location": { "scriptId": session.script, "lineNumber": at.line - 1, "columnNumber": at.column }
        });
        if let Some(condition) = condition {
            parameters["condition"] = json!(condition);
        }
        let id = self.cdp.send("Debugger.setBreakpoint", &parameters)?;
        match self.cdp.reply(id)? {
            Ok(reply) => {
                let id = text(&reply, "breakpointId")?;
                session.breakpoints.push(id.clone());
                Ok(Placed::At { id, actual: position(&reply["actualLocation"])? })
            }
            Err(words) => Ok(Placed::Refused(words)),
        }
    }

    /// The same by the script's address.
    pub(crate) fn set_by_url(&mut self, at: Position) -> Result<Placed> {
        let session = self.session.as_mut().ok_or(Error::Closed)?;
        if session.url.is_empty() {
            return Ok(Placed::Refused(Special::UNKNOWN.to_owned()));
        }
        let parameters = json!({ "url": session.url, "lineNumber": at.line - 1, "columnNumber": at.column });
        let id = self.cdp.send("Debugger.setBreakpointByUrl", &parameters)?;
        match self.cdp.reply(id)? {
            Ok(reply) => {
                let id = text(&reply, "breakpointId")?;
                session.breakpoints.push(id.clone());
                match reply["locations"].as_array().and_then(|all| all.first()) {
                    Some(location) => Ok(Placed::At { id, actual: position(location)? }),
                    None => Ok(Placed::Refused("it stands nowhere".to_owned())),
                }
            }
            Err(words) => Ok(Placed::Refused(words)),
        }
    }

    /// Evaluates in the paused frame, or gives one of its variables a value.
    pub(crate) fn say(&mut self, special: &Special) -> Result<std::result::Result<String, String>> {
        let session = self.session.as_ref().ok_or(Error::Closed)?;
        let frame = &session.frame["callFrameId"];
        match special {
            Special::Evaluate { expression } => {
                let asked = json!({ "callFrameId": frame, "expression": expression, "objectGroup": GROUP });
                let request = self.cdp.send("Debugger.evaluateOnCallFrame", &asked)?;
                Ok(self.cdp.reply(request)?.map(|reply| match reply.get("exceptionDetails") {
                    Some(details) => exception_line(details),
                    None => render(&reply["result"]),
                }))
            }
            Special::Assign { name, value } => {
                let own = |scope: &Value| {
                    matches!(scope["type"].as_str(), Some("local" | "block" | "closure" | "catch"))
                };
                let chain = session.frame["scopeChain"].as_array().map_or(&[][..], Vec::as_slice);
                // The innermost scope of its kind that has the name.
                let scopes: Vec<(usize, Value)> = chain
                    .iter()
                    .enumerate()
                    .filter(|(_, scope)| own(scope))
                    .map(|(number, scope)| (number, scope["object"]["objectId"].clone()))
                    .collect();
                let value: Value = match serde_json::from_str(value) {
                    Ok(value) => value,
                    Err(_) => return Ok(Err(Special::UNKNOWN.to_owned())),
                };
                for (number, object) in scopes {
                    let listed = self.cdp.call(
                        "Runtime.getProperties",
                        &json!({ "objectId": object, "ownProperties": true }),
                    )?;
                    let has = |property: &Value| property["name"] == name.as_str();
                    if listed["result"].as_array().is_some_and(|all| all.iter().any(has)) {
                        let frame = self.session.as_ref().ok_or(Error::Closed)?.frame["callFrameId"].clone();
                        let asked = json!({
                            "scopeNumber": number, "variableName": name, "newValue": { "value": value },
                            "callFrameId": frame,
                        });
                        let request = self.cdp.send("Debugger.setVariableValue", &asked)?;
                        return Ok(self.cdp.reply(request)?.map(|_| "done".to_owned()));
                    }
                }
                Ok(Err(Special::UNKNOWN.to_owned()))
            }
            Special::Look { frames, depth } => {
                if let Some(session) = &mut self.session {
                    session.limits.frames = *frames;
                    session.limits.depth = *depth;
                }
                Ok(Ok("done".to_owned()))
            }
            Special::Exceptions { on } => {
                let state = if *on { "all" } else { "none" };
                let request = self.cdp.send("Debugger.setPauseOnExceptions", &json!({ "state": state }))?;
                if let Some(session) = &mut self.session {
                    session.catches = *on;
                }
                Ok(self.cdp.reply(request)?.map(|_| "done".to_owned()))
            }
            _ => Ok(Err(Special::UNKNOWN.to_owned())),
        }
    }

    /// Begins the top frame anew; none when V8 cannot or refuses.
    pub(crate) fn restart(&mut self) -> Result<Option<Stop>> {
        let session = self.session.as_mut().ok_or(Error::Closed)?;
        // Older versions know no mode and answer without one.
        let asked = json!({ "callFrameId": session.frame["callFrameId"], "mode": "StepInto" });
        let request = self.cdp.send("Debugger.restartFrame", &asked)?;
        match self.cdp.reply(request)? {
            Ok(_) => self.wait(true).map(Some),
            Err(_) => Ok(None),
        }
    }

    /// Runs on until a place.
    pub(crate) fn run_to(&mut self, at: Position) -> Result<Option<Stop>> {
        let session = self.session.as_mut().ok_or(Error::Closed)?;
        let location =
            json!({ "scriptId": session.script, "lineNumber": at.line - 1, "columnNumber": at.column });
        let request = self.cdp.send("Debugger.continueToLocation", &json!({ "location": location }))?;
        session.stepped = false;
        match self.cdp.reply(request)? {
            Ok(_) => self.wait(true).map(Some),
            Err(_) => Ok(None),
        }
    }

    pub(crate) fn remove_breakpoint(&mut self, id: &str) -> Result<()> {
        self.cdp.call("Debugger.removeBreakpoint", &json!({ "breakpointId": id }))?;
        if let Some(session) = &mut self.session {
            session.breakpoints.retain(|known| known != id);
        }
        Ok(())
    }

    pub(crate) fn resume(&mut self, control: Control) -> Result<Stop> {
        let session = self.session.as_mut().ok_or(Error::Closed)?;
        if let Some(ending) = &session.ending {
            return Ok(Stop::Ended(ending.clone()));
        }
        session.stepped = control != Control::Continue;
        if session.started {
            let method = match control {
                Control::Continue => "Debugger.resume",
                Control::StepOut => "Debugger.stepOut",
                Control::StepOver => "Debugger.stepOver",
                Control::StepInto => "Debugger.stepInto",
            };
            self.cdp.send(method, &json!({}))?;
        } else if session.running.is_some() {
            // A page holds the program before its first statement.
            session.started = true;
            self.cdp.send("Debugger.resume", &json!({}))?;
        } else {
            session.started = true;
            let parameters = json!({ "scriptId": session.script, "executionContextId": session.context });
            session.running = Some(self.cdp.send("Runtime.runScript", &parameters)?);
        }
        self.wait(true)
    }

    /// Runs to the end with all breakpoints inactive and clears what the session left in the debugger.
    pub(crate) fn finish(&mut self) -> Result<(Vec<String>, Ending)> {
        let session = self.session.as_ref().ok_or(Error::Closed)?;
        if session.ending.is_none() {
            // The order of requests is kept, so that their replies need no waiting for.
            self.cdp.send("Debugger.setBreakpointsActive", &json!({ "active": false }))?;
            if session.started {
                self.cdp.send("Debugger.resume", &json!({}))?;
                while let Stop::Paused(_) = self.wait(false)? {
                    self.cdp.send("Debugger.resume", &json!({}))?;
                }
            } else {
                self.resume(Control::Continue)?;
            }
            self.cdp.send("Debugger.setBreakpointsActive", &json!({ "active": true }))?;
        }
        let session = self.session.take().ok_or(Error::Closed)?;
        if session.stepped {
            self.end_stepping()?;
        }
        for id in &session.breakpoints {
            self.cdp.send("Debugger.removeBreakpoint", &json!({ "breakpointId": id }))?;
        }
        if session.catches {
            self.cdp.send("Debugger.setPauseOnExceptions", &json!({ "state": "none" }))?;
        }
        // What we hold of the program would keep its context alive, and V8 looks through all that lives.
        self.cdp.call("Runtime.releaseObjectGroup", &json!({ "objectGroup": GROUP }))?;
        self.cdp.forget_replies();
        Ok((session.output, session.ending.unwrap_or(Ending::Finished)))
    }

    /// Where V8 can break in a text: asked of a script of its own, which never runs, so that no session is touched.
    pub(crate) fn places(&mut self, source: &str, url: &str, context: i64) -> Result<Option<Vec<Place>>> {
        let compiled = self.cdp.call(
            "Runtime.compileScript",
            &json!({ "expression": source, "sourceURL": url, "persistScript": true, "executionContextId": context }),
        )?;
        if let Some(details) = compiled.get("exceptionDetails") {
            return Err(Error::Program(exception_line(details)));
        }
        let script = text(&compiled, "scriptId")?;
        let start = json!({ "scriptId": script, "lineNumber": 0, "columnNumber": 0 });
        let asked = json!({ "start": start, "restrictToFunction": false });
        let request = self.cdp.send("Debugger.getPossibleBreakpoints", &asked)?;
        let Ok(answer) = self.cdp.reply(request)? else { return Ok(None) };
        self.cdp.take_events();
        let list = answer["locations"].as_array().map_or(&[][..], Vec::as_slice);
        let place = |location: &Value| -> Result<Place> {
            let kind = location["type"].as_str().unwrap_or_default().to_owned();
            Ok(Place { at: position(location)?, kind })
        };
        let mut places: Vec<Place> = list.iter().map(place).collect::<Result<_>>()?;
        places.sort();
        Ok(Some(places))
    }

    /// Runs the loaded program under block coverage and gives the innermost ranges that never ran.
    pub(crate) fn unreached(&mut self, source: &str) -> Result<Vec<Range<usize>>> {
        let script = self.session.as_ref().ok_or(Error::Closed)?.script.clone();
        self.cdp.call("Profiler.enable", &json!({}))?;
        self.cdp.call("Profiler.startPreciseCoverage", &json!({ "callCount": true, "detailed": true }))?;
        self.finish()?;
        let coverage = self.cdp.call("Profiler.takePreciseCoverage", &json!({}))?;
        self.cdp.call("Profiler.stopPreciseCoverage", &json!({}))?;
        self.cdp.call("Profiler.disable", &json!({}))?;
        let offsets = Utf16Offsets::new(source);
        let mut ranges = Vec::new();
        for result in coverage["result"].as_array().into_iter().flatten() {
            if result["scriptId"] != script.as_str() {
                continue;
            }
            for range in result["functions"]
                .as_array()
                .into_iter()
                .flatten()
                .flat_map(|function| function["ranges"].as_array().into_iter().flatten())
            {
                if range["count"] == 0 {
                    let offset = |key: &str| range[key].as_u64().map(|at| offsets.byte(at as usize));
                    if let (Some(start), Some(end)) = (offset("startOffset"), offset("endOffset")) {
                        ranges.push(start..end);
                    }
                }
            }
        }
        Ok(ranges)
    }

    /// Waits until the program pauses in its own code or ends.
    fn wait(&mut self, look: bool) -> Result<Stop> {
        let deadline = Instant::now() + self.limits.answer;
        loop {
            let session = self.session.as_mut().ok_or(Error::Closed)?;
            let Some(running) = session.running else {
                return Ok(Stop::Ended(session.ending.clone().unwrap_or(Ending::Finished)));
            };
            match self.cdp.event_or_reply(running, deadline)? {
                Incoming::Event(event) => match event["method"].as_str() {
                    Some("Debugger.paused") => {
                        let here = event["params"]["callFrames"][0]["location"]["scriptId"]
                            == session.script.as_str();
                        if !here {
                            // Code of our own or of the host: no pause of the program.
                            self.cdp.send("Debugger.resume", &json!({}))?;
                        } else if look {
                            let look = v8_pause::Look {
                                script: &session.script,
                                globals: &session.globals,
                                limits: &session.limits,
                            };
                            session.frame = event["params"]["callFrames"][0].clone();
                            let mut pause = v8_pause::read(&mut self.cdp, &event["params"], &look)?;
                            pause.printed = Some(session.output.len());
                            return Ok(Stop::Paused(pause));
                        } else {
                            self.cdp.send("Debugger.resume", &json!({}))?;
                        }
                    }
                    Some("Runtime.consoleAPICalled") if session.output.len() < self.limits.output_lines => {
                        session.output.push(console_line(&event["params"]));
                    }
                    Some("Runtime.exceptionThrown") if session.in_page => {
                        let details = &event["params"]["exceptionDetails"];
                        // A promise that nobody caught ends no program.
                        if !details["text"].as_str().is_some_and(|text| text.contains("(in promise)")) {
                            let line = exception_line(details);
                            session.threw.get_or_insert(line);
                        }
                    }
                    Some("Inspector.targetCrashed" | "Inspector.detached") => return Err(Error::Closed),
                    // The host's own context goes when the process exits; it then waits for us to leave.
                    Some("Runtime.executionContextDestroyed")
                        if !session.in_page && event["params"]["executionContextId"] == 1 =>
                    {
                        return Err(Error::Closed);
                    }
                    _ => {}
                },
                Incoming::Reply(reply) => {
                    session.running = None;
                    match reply {
                        Ok(reply) if reply.get("exceptionDetails").is_some() => {
                            let line = exception_line(&reply["exceptionDetails"]);
                            session.threw.get_or_insert(line);
                        }
                        Ok(_) => {}
                        Err(words) => {
                            return Err(Error::Refused {
                                method: "Runtime.runScript".to_owned(),
                                message: words,
                            });
                        }
                    }
                    self.next_task()?;
                }
            }
        }
    }

    /// After program code returned: the microtasks it left, then its timers, in order; when none is left, the end.
    fn next_task(&mut self) -> Result<()> {
        let session = self.session.as_mut().ok_or(Error::Closed)?;
        if session.microtasks && !session.drained {
            session.drained = true;
            let parameters = json!({ "expression": self.drain, "awaitPromise": true });
            session.running = Some(self.cdp.send("Runtime.evaluate", &parameters)?);
            return Ok(());
        }
        session.drained = false;
        if let Some(timers) = &mut session.timers
            && session.threw.is_none()
            && let Some(request) = timers.run_next(&mut self.cdp)?
        {
            session.running = Some(request);
            return Ok(());
        }
        session.ending = Some(session.threw.take().map_or(Ending::Finished, Ending::Threw));
        Ok(())
    }

    /// Runs a trifle for a pending step to end in, so that the next session does not meet it.
    fn end_stepping(&mut self) -> Result<()> {
        let deadline = Instant::now() + self.limits.answer;
        let request = self.cdp.send("Runtime.evaluate", &json!({ "expression": "0" }))?;
        loop {
            match self.cdp.event_or_reply(request, deadline)? {
                Incoming::Reply(_) => return Ok(()),
                Incoming::Event(event) if event["method"] == "Debugger.paused" => {
                    self.cdp.send("Debugger.resume", &json!({}))?;
                }
                Incoming::Event(_) => {}
            }
        }
    }

    pub(crate) fn global_names(&mut self, context: i64) -> Result<BTreeSet<String>> {
        let this =
            self.cdp.call("Runtime.evaluate", &json!({ "expression": "this", "contextId": context }))?;
        let properties = self.cdp.call(
            "Runtime.getProperties",
            &json!({ "objectId": this["result"]["objectId"], "ownProperties": true }),
        )?;
        Ok(properties["result"]
            .as_array()
            .into_iter()
            .flatten()
            .filter_map(|property| property["name"].as_str().map(str::to_owned))
            .collect())
    }
}

/// A location of the protocol (lines from 0) as a position.
pub(crate) fn position(location: &Value) -> Result<Position> {
    match (location["lineNumber"].as_u64(), location["columnNumber"].as_u64()) {
        (Some(line), column) => Ok(Position::new(line as u32 + 1, column.unwrap_or(0) as u32)),
        _ => Err(Error::Nonsense(format!("a location without a line: {location}"))),
    }
}

fn text(value: &Value, key: &str) -> Result<String> {
    value[key].as_str().map(str::to_owned).ok_or_else(|| Error::Nonsense(format!("an answer without {key}")))
}

/// Byte offsets of UTF-16 offsets, for coverage counts in UTF-16 units.
struct Utf16Offsets(Vec<usize>);

impl Utf16Offsets {
    fn new(source: &str) -> Self {
        let mut offsets = Vec::with_capacity(source.len() + 1);
        for (at, character) in source.char_indices() {
            offsets.extend(std::iter::repeat_n(at, character.len_utf16()));
        }
        offsets.push(source.len());
        Utf16Offsets(offsets)
    }

    fn byte(&self, utf16: usize) -> usize {
        self.0.get(utf16).copied().unwrap_or(self.0[self.0.len() - 1])
    }
}
