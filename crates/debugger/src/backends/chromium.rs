//! The V8 inspector of Chromium, headless: one browser, a tab for each backend, a new page for each session.

use std::io::{Read as _, Write as _};
use std::net::TcpStream;
use std::ops::Range;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};

use serde_json::{Value, json};

use crate::backend::{Backend, Capabilities, Limits, Place, Placed, Stop, Unreached};
use crate::cdp::{Cdp, Incoming};
use crate::error::{Error, Result};
use crate::position::Position;
use crate::process::Process;
use crate::program::Program;
use crate::trace::{Control, Ending, Special};
use crate::v8::V8;
use crate::websocket::WebSocket;

/// A message to the page itself comes after all its microtasks; timers may be the session's own.
const DRAIN: &str = "new Promise(done => { const channel = new MessageChannel(); \
                     channel.port1.onmessage = () => done(); channel.port2.postMessage(0); })";

/// Chromium.
#[derive(Debug)]
pub struct Chromium {
    binary: PathBuf,
    profiles: PathBuf,
    name: String,
    limits: Limits,
    browser: Option<Arc<Mutex<Browser>>>,
    tab: Option<V8>,
    /// The browser's name for the tab.
    target: String,
    sessions: u64,
    /// What never runs, of the programs asked for last.
    unreached: Unreached,
}

#[derive(Debug)]
struct Browser {
    process: Process,
    port: u16,
}

impl Chromium {
    /// A Chromium binary as the debugger under test, with a folder for its profiles.
    ///
    /// # Errors
    /// When the binary does not start or does not tell its version.
    pub fn new(binary: &Path, profiles: &Path, limits: Limits) -> Result<Self> {
        let start = |source| Error::Start { program: binary.to_owned(), source };
        let output = Command::new(binary).arg("--version").output().map_err(start)?;
        let text = String::from_utf8_lossy(&output.stdout).into_owned();
        let version =
            text.split_whitespace().find(|word| word.starts_with(|first: char| first.is_ascii_digit()));
        let Some(version) = version else {
            return Err(Error::NoConnection {
                program: binary.to_owned(),
                why: format!("--version says {text:?}"),
            });
        };
        Ok(Chromium {
            binary: binary.to_owned(),
            profiles: profiles.to_owned(),
            name: format!("chromium {version}"),
            limits,
            browser: None,
            tab: None,
            target: String::new(),
            sessions: 0,
            unreached: Unreached::default(),
        })
    }

    /// Another tab of the same browser, as a backend of its own.
    ///
    /// # Errors
    /// When the browser does not start.
    pub fn another_tab(&mut self) -> Result<Self> {
        let browser = self.browser()?;
        Ok(Chromium {
            binary: self.binary.clone(),
            profiles: self.profiles.clone(),
            name: self.name.clone(),
            limits: self.limits.clone(),
            browser: Some(browser),
            tab: None,
            target: String::new(),
            sessions: 0,
            unreached: Unreached::default(),
        })
    }

    fn browser(&mut self) -> Result<Arc<Mutex<Browser>>> {
        if let Some(browser) = &self.browser {
            return Ok(Arc::clone(browser));
        }
        // A profile of its own for each browser: they lock theirs.
        let number = (0..).find(|number| !self.profiles.join(number.to_string()).exists()).unwrap_or(0);
        let profile = self.profiles.join(number.to_string());
        std::fs::create_dir_all(&profile).map_err(Error::io("make a profile"))?;
        let mut command = Command::new(&self.binary);
        command
            .args([
                "--headless",
                "--no-sandbox",
                "--disable-gpu",
                "--disable-quic",
                "--no-first-run",
                "--disable-extensions",
            ])
            .args([
                "--disable-background-networking",
                "--disable-component-update",
                "--disable-sync",
                "--disable-dev-shm-usage",
            ])
            .args(["--remote-debugging-port=0", "--js-flags=--random-seed=42", "about:blank"])
            .arg(format!("--user-data-dir={}", profile.display()))
            .env("TZ", "UTC");
        let mut process = Process::start(command)?;
        let port = process.wait_for_line(self.limits.answer.max(Duration::from_secs(60)), |line| {
            line.strip_prefix("DevTools listening on ws://127.0.0.1:")?.split('/').next()?.parse().ok()
        })?;
        let browser = Arc::new(Mutex::new(Browser { process, port }));
        self.browser = Some(Arc::clone(&browser));
        Ok(browser)
    }

    fn tab(&mut self) -> Result<&mut V8> {
        if self.tab.is_none() {
            let port = self.browser()?.lock().map_err(|_| Error::Closed)?.port;
            let target: Value =
                serde_json::from_str(&put(port, "/json/new?about:blank", self.limits.answer)?)
                    .map_err(|_| Error::Nonsense("no target".to_owned()))?;
            self.target = target["id"].as_str().unwrap_or_default().to_owned();
            let path = target["webSocketDebuggerUrl"]
                .as_str()
                .and_then(|url| url.splitn(4, '/').nth(3))
                .ok_or_else(|| Error::Nonsense("a target without an address".to_owned()))?;
            let socket = WebSocket::connect(port, &format!("/{path}"), self.limits.answer)?;
            let mut v8 = V8::new(Cdp::new(socket, self.limits.answer), self.limits.clone(), DRAIN)?;
            v8.cdp.call("Page.enable", &json!({}))?;
            self.tab = Some(v8);
        }
        self.tab.as_mut().ok_or(Error::Closed)
    }

    fn ending_of(&mut self, error: Error) -> Result<Ending> {
        let ending = match error {
            Error::Closed => Ending::Crashed("the tab was closed".to_owned()),
            Error::Silent(_) => Ending::Silent,
            other => return Err(other),
        };
        self.close_tab();
        Ok(ending)
    }

    /// Closes the tab, so that a browser does not fill up with those that were given up.
    fn close_tab(&mut self) {
        self.tab = None;
        let target = std::mem::take(&mut self.target);
        let port = self.browser.as_ref().and_then(|browser| browser.lock().ok().map(|browser| browser.port));
        if let (Some(port), false) = (port, target.is_empty()) {
            // A tab that crashed is gone already.
            let _ = put(port, &format!("/json/close/{target}"), Duration::from_secs(5));
        }
    }
}

/// Opens an empty page in the tab and gives its context.
fn new_page(v8: &mut V8, limit: Duration) -> Result<i64> {
    v8.cdp.take_events();
    let request = v8.cdp.send("Page.navigate", &json!({ "url": "about:blank" }))?;
    let deadline = Instant::now() + limit;
    let mut context = None;
    let mut loaded = false;
    loop {
        match v8.cdp.event_or_reply(request, deadline)? {
            Incoming::Event(event) => match event["method"].as_str() {
                Some("Runtime.executionContextCreated") => {
                    context = event["params"]["context"]["id"].as_i64();
                }
                Some("Page.loadEventFired") => loaded = true,
                Some("Inspector.targetCrashed") => return Err(Error::Closed),
                _ => {}
            },
            Incoming::Reply(_) => {}
        }
        if let (Some(context), true) = (context, loaded) {
            return Ok(context);
        }
    }
}

/// One HTTP request to the browser's list of targets.
fn put(port: u16, path: &str, limit: Duration) -> Result<String> {
    let address = std::net::SocketAddr::from(([127, 0, 0, 1], port));
    let mut stream =
        TcpStream::connect_timeout(&address, limit).map_err(Error::io("connect to the browser"))?;
    stream.set_read_timeout(Some(limit)).map_err(Error::io("set a time limit"))?;
    write!(
        stream,
        "PUT {path} HTTP/1.1\r\nHost: 127.0.0.1:{port}\r\nConnection: close\r\nContent-Length: 0\r\n\r\n"
    )
    .map_err(Error::io("ask the browser"))?;
    let mut bytes = Vec::new();
    let mut chunk = [0; 4096];
    loop {
        let count = stream.read(&mut chunk).map_err(Error::io("read from the browser"))?;
        bytes.extend_from_slice(&chunk[..count]);
        let text = String::from_utf8_lossy(&bytes);
        if let Some((_, body)) = text.split_once("\r\n\r\n")
            && (count == 0 || serde_json::from_str::<Value>(body).is_ok())
        {
            return Ok(body.to_owned());
        }
        if count == 0 {
            return Err(Error::Closed);
        }
    }
}

impl Drop for Chromium {
    fn drop(&mut self) {
        self.close_tab();
    }
}

impl Backend for Chromium {
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
            held: true,
            specials: true,
        }
    }

    fn open(&mut self, program: &Program) -> Result<()> {
        let limit = self.limits.answer;
        let v8 = self.tab()?;
        let context = new_page(v8, limit)?;
        v8.load_in_page(&program.source, context)
    }

    fn set_breakpoint(&mut self, at: Position, condition: Option<&str>) -> Result<Placed> {
        self.tab.as_mut().ok_or(Error::Closed)?.set_breakpoint(at, condition)
    }

    fn remove_breakpoint(&mut self, id: &str) -> Result<()> {
        self.tab.as_mut().ok_or(Error::Closed)?.remove_breakpoint(id)
    }

    fn resume(&mut self, control: Control) -> Result<Stop> {
        match self.tab.as_mut().ok_or(Error::Closed)?.resume(control) {
            Ok(stop) => Ok(stop),
            Err(error) => self.ending_of(error).map(Stop::Ended),
        }
    }

    fn say(&mut self, special: &Special) -> Result<std::result::Result<String, String>> {
        self.tab.as_mut().ok_or(Error::Closed)?.say(special)
    }

    fn set_by_url(&mut self, at: Position) -> Result<Placed> {
        self.tab.as_mut().ok_or(Error::Closed)?.set_by_url(at)
    }

    fn restart(&mut self) -> Result<Option<Stop>> {
        match self.tab.as_mut().ok_or(Error::Closed)?.restart() {
            Ok(stop) => Ok(stop),
            Err(error) => self.ending_of(error).map(|ending| Some(Stop::Ended(ending))),
        }
    }

    fn run_to(&mut self, at: Position) -> Result<Option<Stop>> {
        match self.tab.as_mut().ok_or(Error::Closed)?.run_to(at) {
            Ok(stop) => Ok(stop),
            Err(error) => self.ending_of(error).map(|ending| Some(Stop::Ended(ending))),
        }
    }

    fn finish(&mut self) -> Result<(Vec<String>, Ending)> {
        match self.tab.as_mut().ok_or(Error::Closed)?.finish() {
            Ok(end) => Ok(end),
            Err(error) => self.ending_of(error).map(|ending| (Vec::new(), ending)),
        }
    }

    fn places(&mut self, program: &Program) -> Result<Option<Vec<Place>>> {
        self.sessions += 1;
        let url = format!("places-{}.js", self.sessions);
        let limit = self.limits.answer;
        let v8 = self.tab()?;
        let context = new_page(v8, limit)?;
        v8.places(&program.source, &url, context)
    }

    fn unreached(&mut self, program: &Program) -> Result<Vec<Range<usize>>> {
        if let Some(known) = self.unreached.known(program) {
            return Ok(known);
        }
        // Counting has to begin before the program is compiled, so this one is no script of the page.
        self.sessions += 1;
        let url = format!("session-{}.js", self.sessions);
        let limit = self.limits.answer;
        let v8 = self.tab()?;
        let context = new_page(v8, limit)?;
        v8.load(&program.source, &url, context)?;
        let found = v8.unreached(&program.source)?;
        Ok(self.unreached.learn(program, found))
    }

    /// A fresh tab; the renderer of an empty page is a process of its own.
    fn discard(&mut self) {
        self.close_tab();
        let gone = self.browser.as_ref().is_some_and(|browser| {
            browser.lock().map_or(true, |mut browser| browser.process.ended(Duration::ZERO).is_some())
        });
        if gone {
            self.browser = None;
        }
    }
}
