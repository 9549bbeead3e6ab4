//! The V8 inspector of Node, any version since 8: one process serves many sessions, each in a context of its own.

use std::ops::Range;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::thread;
use std::time::{Duration, Instant};

use serde_json::json;

use crate::backend::{Backend, Capabilities, Limits, Place, Placed, Stop, Unreached};
use crate::cdp::Cdp;
use crate::error::{Error, Result};
use crate::position::Position;
use crate::process::Process;
use crate::program::Program;
use crate::trace::{Control, Ending, Special};
use crate::v8::V8;
use crate::websocket::WebSocket;

/// Keeps Node alive and offers contexts; a rejected promise of one session must not end the others.
const HOST: &str = "global.__vm = require('vm'); process.on('unhandledRejection', () => {}); \
                    process.on('uncaughtException', () => {}); global.__drain = () => new Promise(setImmediate); setInterval(() => {}, 1e8); \
                    setImmediate(() => { global.__ready = true; })";

/// How sessions are kept apart.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Isolation {
    /// One context for all sessions, until one of them leaves a trace in it.
    Reuse,
    /// A new context for each session.
    Context,
    /// A new process for each session.
    Process,
}

/// Node's inspector.
#[derive(Debug)]
pub struct Node {
    binary: PathBuf,
    name: String,
    isolation: Isolation,
    /// Whether it collects garbage at every breakpoint.
    collects: bool,
    /// Further arguments.
    flags: &'static [&'static str],
    limits: Limits,
    live: Option<Live>,
    sessions: u64,
    /// What never runs, of the programs asked for last.
    unreached: Unreached,
    leaks: u64,
}

#[derive(Debug)]
struct Live {
    v8: V8,
    process: Process,
    context: Option<(i64, Vec<String>)>,
    served: u64,
}

/// Sessions after which a process is replaced, so that what V8 keeps of old scripts stays small. Up to Node 11 it collects all
/// garbage at every breakpoint, which what is kept makes slow: there a process serves fewer.
const SESSIONS_A_PROCESS: (u64, u64) = (150, 12);

/// What such versions are told: marking beside the program is thrown away at the next breakpoint.
const COLLECTING: [&str; 2] = ["--single-threaded-gc", "--no-incremental-marking"];

impl Node {
    /// A Node binary as the debugger under test.
    ///
    /// # Errors
    /// When the binary does not start or does not tell its version.
    pub fn new(binary: &Path, isolation: Isolation, limits: Limits) -> Result<Self> {
        let start = |source| Error::Start { program: binary.to_owned(), source };
        let output = Command::new(binary).arg("--version").output().map_err(start)?;
        let version = String::from_utf8_lossy(&output.stdout).trim().to_owned();
        if !version.starts_with('v') {
            let why = format!("--version says {version:?}");
            return Err(Error::NoConnection { program: binary.to_owned(), why });
        }
        let major: Option<u32> = version[1..].split('.').next().and_then(|major| major.parse().ok());
        let collects = major.is_some_and(|major| major < 12);
        // Versions before 10 were not tried.
        let flags: &[&str] = if collects && major >= Some(10) { &COLLECTING } else { &[] };
        Ok(Node {
            binary: binary.to_owned(),
            collects,
            flags,
            name: format!("node {}", &version[1..]),
            isolation,
            limits,
            live: None,
            sessions: 0,
            unreached: Unreached::default(),
            leaks: 0,
        })
    }

    /// How often a session left something in a reused context.
    pub fn leaks(&self) -> u64 {
        self.leaks
    }

    fn start(&mut self) -> Result<&mut Live> {
        let mut command = Command::new(&self.binary);
        command.args(self.flags).args(["--inspect=127.0.0.1:0", "--random-seed=42", "-e", HOST]);
        command.env_remove("NODE_OPTIONS").env("TZ", "UTC");
        let mut process = Process::start(command)?;
        let limit = self.limits.answer;
        let (port, path) = process.wait_for_line(limit, |line| {
            let address = line.strip_prefix("Debugger listening on ws://127.0.0.1:")?;
            let (port, path) = address.split_once('/')?;
            Some((port.parse().ok()?, format!("/{path}")))
        })?;
        let socket = WebSocket::connect(port, &path, limit)?;
        let mut v8 = V8::new(Cdp::new(socket, self.limits.answer), self.limits.clone(), "__drain()")?;
        // The port opens before the host script has run, and V8 answers in the middle of it: only a task of its own, which runs once
        // the script has ended, says that it has.
        let deadline = Instant::now() + limit;
        let ready = json!({ "expression": "typeof __ready", "returnByValue": true });
        while v8.cdp.call("Runtime.evaluate", &ready)?["result"]["value"] != "boolean" {
            if Instant::now() > deadline {
                let why = "its host script did not run".to_owned();
                return Err(Error::NoConnection { program: self.binary.clone(), why });
            }
            thread::sleep(Duration::from_millis(5));
        }
        Ok(self.live.insert(Live { v8, process, context: None, served: 0 }))
    }

    /// Turns a lost connection and silence into endings, and gives the process up.
    fn ending_of(&mut self, error: Error) -> Result<Ending> {
        let ending = match error {
            Error::Closed => self.live.take().map_or(Ending::Finished, |live| {
                let Live { v8, mut process, .. } = live;
                drop(v8);
                process.ending()
            }),
            Error::Silent(_) => Ending::Silent,
            other => return Err(other),
        };
        self.live = None;
        Ok(ending)
    }
}

impl Live {
    fn new_context(&mut self) -> Result<i64> {
        self.v8.cdp.take_events();
        // The last two are held: what nobody holds may be collected before it is used.
        let make = "void (global.__contexts = [__vm.createContext(), (global.__contexts || [])[0]])";
        self.v8.cdp.call("Runtime.evaluate", &json!({ "expression": make }))?;
        self.v8
            .cdp
            .take_events()
            .iter()
            .rev()
            .find(|event| event["method"] == "Runtime.executionContextCreated")
            .and_then(|event| event["params"]["context"]["id"].as_i64())
            .ok_or_else(|| Error::Nonsense("no context was announced".to_owned()))
    }

    /// What a session can leave in a context: names on the global object and lexical names beside it.
    fn names(&mut self, context: i64) -> Result<Vec<String>> {
        let mut names: Vec<String> = self.v8.global_names(context)?.into_iter().collect();
        let lexical =
            self.v8.cdp.call("Runtime.globalLexicalScopeNames", &json!({ "executionContextId": context }))?;
        names.extend(lexical["names"].as_array().into_iter().flatten().map(ToString::to_string));
        Ok(names)
    }
}

impl Backend for Node {
    fn name(&self) -> &str {
        &self.name
    }

    fn capabilities(&self) -> Capabilities {
        Capabilities {
            columns: true,
            conditions: true,
            coverage: true,
            always: "true",
            never: "false",
            held: false,
            specials: true,
        }
    }

    fn open(&mut self, program: &Program) -> Result<()> {
        let most = if self.collects { SESSIONS_A_PROCESS.1 } else { SESSIONS_A_PROCESS.0 };
        let worn = self.live.as_ref().is_some_and(|live| live.served >= most);
        if worn || self.isolation == Isolation::Process {
            self.live = None;
        }
        if self.live.is_none() {
            self.start()?;
        }
        self.sessions += 1;
        let url = format!("session-{}.js", self.sessions);
        let live = self.live.as_mut().ok_or(Error::Closed)?;
        live.served += 1;
        let mut context = None;
        if self.isolation == Isolation::Reuse
            && let Some((used, names)) = live.context.take()
        {
            if live.names(used)? == names {
                context = Some((used, names));
            } else {
                self.leaks += 1;
            }
        }
        if context.is_none() {
            let id = live.new_context()?;
            let names = if self.isolation == Isolation::Reuse { live.names(id)? } else { Vec::new() };
            context = Some((id, names));
        }
        let id = context.as_ref().map_or(0, |(id, _)| *id);
        live.context = context;
        live.v8.load(&program.source, &url, id)
    }

    fn set_breakpoint(&mut self, at: Position, condition: Option<&str>) -> Result<Placed> {
        self.live.as_mut().ok_or(Error::Closed)?.v8.set_breakpoint(at, condition)
    }

    fn remove_breakpoint(&mut self, id: &str) -> Result<()> {
        self.live.as_mut().ok_or(Error::Closed)?.v8.remove_breakpoint(id)
    }

    fn resume(&mut self, control: Control) -> Result<Stop> {
        match self.live.as_mut().ok_or(Error::Closed)?.v8.resume(control) {
            Ok(stop) => Ok(stop),
            Err(error) => self.ending_of(error).map(Stop::Ended),
        }
    }

    fn say(&mut self, special: &Special) -> Result<std::result::Result<String, String>> {
        self.live.as_mut().ok_or(Error::Closed)?.v8.say(special)
    }

    fn set_by_url(&mut self, at: Position) -> Result<Placed> {
        self.live.as_mut().ok_or(Error::Closed)?.v8.set_by_url(at)
    }

    fn restart(&mut self) -> Result<Option<Stop>> {
        match self.live.as_mut().ok_or(Error::Closed)?.v8.restart() {
            Ok(stop) => Ok(stop),
            Err(error) => self.ending_of(error).map(|ending| Some(Stop::Ended(ending))),
        }
    }

    fn run_to(&mut self, at: Position) -> Result<Option<Stop>> {
        match self.live.as_mut().ok_or(Error::Closed)?.v8.run_to(at) {
            Ok(stop) => Ok(stop),
            Err(error) => self.ending_of(error).map(|ending| Some(Stop::Ended(ending))),
        }
    }

    fn finish(&mut self) -> Result<(Vec<String>, Ending)> {
        match self.live.as_mut().ok_or(Error::Closed)?.v8.finish() {
            Ok(end) => Ok(end),
            Err(error) => self.ending_of(error).map(|ending| (Vec::new(), ending)),
        }
    }

    fn places(&mut self, program: &Program) -> Result<Option<Vec<Place>>> {
        if self.live.is_none() {
            self.start()?;
        }
        self.sessions += 1;
        let url = format!("places-{}.js", self.sessions);
        let live = self.live.as_mut().ok_or(Error::Closed)?;
        let context = live.new_context()?;
        live.v8.places(&program.source, &url, context)
    }

    fn unreached(&mut self, program: &Program) -> Result<Vec<Range<usize>>> {
        if let Some(known) = self.unreached.known(program) {
            return Ok(known);
        }
        self.open(program)?;
        let found = self.live.as_mut().ok_or(Error::Closed)?.v8.unreached(&program.source)?;
        Ok(self.unreached.learn(program, found))
    }

    fn discard(&mut self) {
        self.live = None;
    }
}
