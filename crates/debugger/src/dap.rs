//! The Debug Adapter Protocol over a child's standard input and output.

use std::collections::VecDeque;
use std::io::{BufReader, Write as _};
use std::net::TcpStream;
use std::process::{ChildStdin, Command, Stdio};
use std::sync::mpsc::{Receiver, RecvTimeoutError, channel};
use std::thread;
use std::time::{Duration, Instant};

use serde_json::{Value, json};
use twinrun_base::cut;

use crate::error::{Error, Result};
use crate::process::{Born, SLICE, end_group, spawn};

/// The process of an adapter, ended with all that it started.
#[derive(Debug)]
pub(crate) struct Server(Born);

#[derive(Debug)]
enum Input {
    Pipe(ChildStdin),
    Socket(TcpStream),
}

/// A debug adapter with its debugged program.
#[derive(Debug)]
pub(crate) struct Adapter {
    /// Ended when the adapter is dropped.
    _server: Option<Server>,
    input: Input,
    messages: Receiver<Result<Value>>,
    events: VecDeque<Value>,
    last: u64,
    limit: Duration,
}

impl Adapter {
    /// Starts an adapter that speaks over its standard input and output.
    pub(crate) fn start(mut command: Command, limit: Duration) -> Result<Self> {
        command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::null());
        let mut child = spawn(command)?;
        let (input, output) = (child.child.stdin.take(), child.child.stdout.take());
        let server = Some(Server(child));
        let (Some(input), Some(output)) = (input, output) else { return Err(Error::Closed) };
        Ok(Self::speak(server, Input::Pipe(input), output, limit))
    }

    /// Starts an adapter that listens at an address.
    pub(crate) fn serve(mut command: Command) -> Result<Server> {
        command.stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null());
        spawn(command).map(Server)
    }

    /// Speaks over an open connection; the server behind it ends with the adapter.
    pub(crate) fn over(stream: TcpStream, server: Option<Server>, limit: Duration) -> Result<Self> {
        stream.set_nodelay(true).map_err(Error::io("set TCP_NODELAY"))?;
        let output = stream.try_clone().map_err(Error::io("read from the adapter"))?;
        Ok(Self::speak(server, Input::Socket(stream), output, limit))
    }

    fn speak(
        server: Option<Server>,
        input: Input,
        output: impl std::io::Read + Send + 'static,
        limit: Duration,
    ) -> Self {
        let (sender, messages) = channel();
        thread::spawn(move || {
            let mut reader = BufReader::new(output);
            while let Some(message) = read_message(&mut reader) {
                let stop = message.is_err();
                if sender.send(message).is_err() || stop {
                    break;
                }
            }
        });
        Adapter { _server: server, input, messages, events: VecDeque::new(), last: 0, limit }
    }

    /// Sends a request and returns its number.
    pub(crate) fn send(&mut self, command: &str, arguments: &Value) -> Result<u64> {
        self.last += 1;
        let body = json!({ "seq": self.last, "type": "request", "command": command, "arguments": arguments });
        self.write(&body)?;
        Ok(self.last)
    }

    fn write(&mut self, body: &Value) -> Result<()> {
        let body = body.to_string();
        let message = format!("Content-Length: {}\r\n\r\n{body}", body.len());
        match &mut self.input {
            Input::Pipe(pipe) => pipe.write_all(message.as_bytes()).and_then(|()| pipe.flush()),
            Input::Socket(stream) => stream.write_all(message.as_bytes()),
        }
        .map_err(|_| Error::Closed)
    }

    /// Sends a request and waits for its answer.
    pub(crate) fn call(&mut self, command: &str, arguments: &Value) -> Result<Value> {
        let request = self.send(command, arguments)?;
        self.answer(command, request)
    }

    /// Waits for the answer to a request; events are kept.
    pub(crate) fn answer(&mut self, command: &str, request: u64) -> Result<Value> {
        let deadline = Instant::now() + self.limit;
        loop {
            let mut message = self.receive(deadline)?;
            match message["type"].as_str() {
                Some("event") => self.events.push_back(message),
                Some("response") if message["request_seq"] == request => {
                    if message["success"] == true {
                        return Ok(message["body"].take());
                    }
                    return Err(refusal(command, &message));
                }
                Some("response") => {}
                Some("request") => self.refuse(&message)?,
                _ => return Err(Error::Nonsense(message.to_string().chars().take(80).collect())),
            }
        }
    }

    /// Puts events back that were taken out of their turn.
    pub(crate) fn put_back(&mut self, events: Vec<Value>) {
        for event in events.into_iter().rev() {
            self.events.push_front(event);
        }
    }

    /// Waits for the next event.
    pub(crate) fn event(&mut self, deadline: Instant) -> Result<Value> {
        loop {
            if let Some(event) = self.events.pop_front() {
                return Ok(event);
            }
            let message = self.receive(deadline)?;
            match message["type"].as_str() {
                Some("event") => return Ok(message),
                Some("request") => self.refuse(&message)?,
                _ => {}
            }
        }
    }

    /// Waits for the event of a name, or for the refusal of a request without which it cannot come; other events are kept.
    pub(crate) fn event_or_refusal(&mut self, name: &str, command: &str, request: u64) -> Result<Value> {
        let deadline = Instant::now() + self.limit;
        let mut others = VecDeque::new();
        loop {
            let event = match self.events.pop_front() {
                Some(event) => event,
                None => self.receive(deadline)?,
            };
            if event["type"] == "response" && event["request_seq"] == request && event["success"] != true {
                return Err(refusal(command, &event));
            }
            if event["type"] == "request" {
                self.refuse(&event)?;
            }
            if event["type"] != "event" {
                continue;
            }
            if event["event"] == name {
                others.extend(std::mem::take(&mut self.events));
                self.events = others;
                return Ok(event);
            }
            others.push_back(event);
        }
    }

    /// Adapters may ask for a terminal; there is none.
    fn refuse(&mut self, request: &Value) -> Result<()> {
        self.last += 1;
        let body = json!({
            "seq": self.last, "type": "response", "request_seq": request["seq"], "command": request["command"],
            "success": false, "message": "not supported",
        });
        self.write(&body)
    }

    fn receive(&mut self, deadline: Instant) -> Result<Value> {
        loop {
            let left = deadline.saturating_duration_since(Instant::now());
            match self.messages.recv_timeout(left.min(SLICE)) {
                Ok(message) => return message,
                Err(RecvTimeoutError::Timeout) if cut::is_requested() => return Err(Error::Cut),
                Err(RecvTimeoutError::Timeout) if left > SLICE => {}
                Err(RecvTimeoutError::Timeout) => return Err(Error::Silent(self.limit.as_millis() as u64)),
                Err(RecvTimeoutError::Disconnected) => return Err(Error::Closed),
            }
        }
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        end_group(&mut self.0);
    }
}

/// What an adapter says when it refuses.
fn refusal(command: &str, message: &Value) -> Error {
    let words = message["body"]["error"]["format"].as_str().or(message["message"].as_str());
    Error::Refused { method: command.to_owned(), message: words.unwrap_or("no reason given").to_owned() }
}

/// The next message; none at the end of the stream.
fn read_message(reader: &mut impl BufReadExact) -> Option<Result<Value>> {
    let mut length = None;
    loop {
        let mut line = String::new();
        match reader.read_line(&mut line) {
            Ok(0) | Err(_) => return None,
            Ok(_) => {}
        }
        let line = line.trim_end();
        if line.is_empty() {
            break;
        }
        match line.split_once(':') {
            Some((name, value)) if name.eq_ignore_ascii_case("content-length") => {
                length = value.trim().parse().ok();
            }
            Some(_) => {}
            None => return Some(Err(Error::Nonsense(line.chars().take(80).collect()))),
        }
    }
    let Some(length) = length.filter(|length: &usize| *length < 256 << 20) else {
        return Some(Err(Error::Nonsense("a message without a length".to_owned())));
    };
    let mut body = vec![0; length];
    if reader.read_exact(&mut body).is_err() {
        return None;
    }
    Some(
        serde_json::from_slice(&body)
            .map_err(|_| Error::Nonsense(String::from_utf8_lossy(&body).chars().take(80).collect())),
    )
}

/// Buffered reading of lines and of exact lengths.
trait BufReadExact: std::io::BufRead {}
impl<T: std::io::BufRead> BufReadExact for T {}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn messages_are_framed_by_their_length() {
        let mut bytes = &b"Content-Length: 7\r\n\r\n{\"a\":1}Content-Length: 2\r\nX: y\r\n\r\n{}"[..];
        assert_eq!(read_message(&mut bytes).unwrap().unwrap(), json!({"a": 1}));
        assert_eq!(read_message(&mut bytes).unwrap().unwrap(), json!({}));
        assert!(read_message(&mut bytes).is_none());
    }

    #[test]
    fn what_is_no_message_is_nonsense() {
        for bytes in [&b"hello there\n"[..], b"X: 1\r\n\r\n{}", b"Content-Length: 3\r\n\r\nnot"] {
            let mut bytes = bytes;
            assert!(matches!(read_message(&mut bytes), Some(Err(Error::Nonsense(_)))));
        }
    }
}
