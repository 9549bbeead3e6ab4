//! One connection: reads a request, answers it, and takes what the client still sends, never waiting for it.

use std::io::{self, ErrorKind, Read, Write};
use std::net::{Shutdown, TcpStream};
use std::sync::Arc;
use std::time::{Duration, Instant};

use crate::request::{Refusal, parse_head};
use crate::response::Response;
use crate::server::Handler;

/// How long a client may take to say what it wants, and then to take the answer.
const PATIENCE: Duration = Duration::from_secs(10);
/// How long what a client sends after the answer is taken, so that the answer is not lost to a reset.
const REST: Duration = Duration::from_secs(1);

/// A client.
pub(crate) struct Connection {
    stream: TcpStream,
    state: State,
    until: Instant,
}

enum State {
    /// What came so far.
    Asking(Vec<u8>),
    /// The head of the answer, its body, and how many bytes of both were sent.
    Answering { head: Vec<u8>, body: Arc<[u8]>, sent: usize },
    /// All is sent.
    Ending,
}

impl Connection {
    pub(crate) fn new(stream: TcpStream, now: Instant) -> io::Result<Connection> {
        stream.set_nonblocking(true)?;
        Ok(Connection { stream, state: State::Asking(Vec::new()), until: now + PATIENCE })
    }

    pub(crate) fn stream(&self) -> &TcpStream {
        &self.stream
    }

    /// When it is given up.
    pub(crate) fn until(&self) -> Instant {
        self.until
    }

    /// It has said nothing.
    pub(crate) fn is_idle(&self) -> bool {
        matches!(&self.state, State::Asking(head) if head.is_empty())
    }

    pub(crate) fn is_answering(&self) -> bool {
        matches!(self.state, State::Answering { .. })
    }

    /// Answers without reading: there are too many.
    pub(crate) fn refuse(&mut self) {
        let full = Response::with("503 Service Unavailable", "Too many readers at once: try again.\n");
        self.answer(&full, false);
    }

    /// Does what can be done without waiting; whether there is more to do.
    pub(crate) fn advance(&mut self, handler: Handler<'_>, now: Instant) -> io::Result<bool> {
        loop {
            let step = match &mut self.state {
                State::Asking(_) => self.ask(handler, now),
                State::Answering { .. } => self.send(now),
                State::Ending => self.stream.read(&mut [0; 1024]).map(|read| read > 0),
            };
            match step {
                Ok(true) => {}
                Ok(false) => return Ok(false),
                Err(error) if error.kind() == ErrorKind::WouldBlock => return Ok(true),
                Err(error) if error.kind() == ErrorKind::Interrupted => {}
                Err(error) => return Err(error),
            }
        }
    }

    fn ask(&mut self, handler: Handler<'_>, now: Instant) -> io::Result<bool> {
        let State::Asking(head) = &mut self.state else { return Ok(true) };
        let mut piece = [0; 1024];
        let read = self.stream.read(&mut piece)?;
        head.extend_from_slice(&piece[..read]);
        let asked = match parse_head(head) {
            Some(asked) => asked,
            None if read == 0 && head.is_empty() => return Ok(false),
            None if read == 0 => Err(Refusal::Malformed),
            None => return Ok(true),
        };
        let head = asked.as_ref().is_ok_and(|request| request.head);
        let response = match asked {
            Ok(request) => handler(&request),
            Err(refusal) => refusal.response(),
        };
        self.answer(&response, head);
        self.until = now + PATIENCE;
        Ok(true)
    }

    fn answer(&mut self, response: &Response, only_head: bool) {
        let body = if only_head { Arc::from([]) } else { Arc::clone(&response.body) };
        self.state = State::Answering { head: response.head(), body, sent: 0 };
    }

    fn send(&mut self, now: Instant) -> io::Result<bool> {
        let State::Answering { head, body, sent } = &mut self.state else { return Ok(true) };
        let rest = if *sent < head.len() { &head[*sent..] } else { &body[*sent - head.len()..] };
        if !rest.is_empty() {
            *sent += self.stream.write(rest)?;
            return Ok(true);
        }
        self.stream.shutdown(Shutdown::Write)?;
        self.state = State::Ending;
        self.until = now + REST;
        Ok(true)
    }
}
