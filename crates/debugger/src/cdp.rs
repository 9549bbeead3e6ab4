//! The Chrome DevTools Protocol: numbered requests, replies in any order, events in between.

use std::collections::{BTreeMap, VecDeque};
use std::time::{Duration, Instant};

use serde_json::{Value, json};

use crate::error::{Error, Result};
use crate::websocket::WebSocket;

/// A connection to one target.
#[derive(Debug)]
pub(crate) struct Cdp {
    socket: WebSocket,
    limit: Duration,
    last: u64,
    replies: BTreeMap<u64, Value>,
    events: VecDeque<Value>,
}

/// What came first.
#[derive(Debug)]
pub(crate) enum Incoming {
    /// An event.
    Event(Value),
    /// The awaited reply: the result, or the debugger's words of refusal.
    Reply(std::result::Result<Value, String>),
}

impl Cdp {
    /// Speaks the protocol over an open connection; no wait is longer than `limit`.
    pub(crate) fn new(socket: WebSocket, limit: Duration) -> Self {
        Cdp { socket, limit, last: 0, replies: BTreeMap::new(), events: VecDeque::new() }
    }

    /// Sends a request without waiting and returns its number.
    ///
    /// # Errors
    /// When the connection is gone.
    pub(crate) fn send(&mut self, method: &str, parameters: &Value) -> Result<u64> {
        self.last += 1;
        let message = json!({ "id": self.last, "method": method, "params": parameters });
        self.socket.send(&message.to_string())?;
        Ok(self.last)
    }

    /// Sends a request and waits for its reply; a refusal is an error.
    ///
    /// # Errors
    /// When it is refused, or the connection fails.
    pub(crate) fn call(&mut self, method: &str, parameters: &Value) -> Result<Value> {
        let id = self.send(method, parameters)?;
        self.reply(id)?.map_err(|message| Error::Refused { method: method.to_owned(), message })
    }

    /// Waits for the reply to a request; events that come before are kept.
    ///
    /// # Errors
    /// When none comes, or the connection fails.
    pub(crate) fn reply(&mut self, id: u64) -> Result<std::result::Result<Value, String>> {
        let deadline = Instant::now() + self.limit;
        loop {
            if let Some(reply) = self.replies.remove(&id) {
                return Ok(outcome(reply));
            }
            self.read(deadline)?;
        }
    }

    /// Waits until the deadline for the next event or the reply to `id`, whichever came first.
    ///
    /// # Errors
    /// When neither comes, or the connection fails.
    pub(crate) fn event_or_reply(&mut self, id: u64, deadline: Instant) -> Result<Incoming> {
        loop {
            if let Some(event) = self.events.pop_front() {
                return Ok(Incoming::Event(event));
            }
            if let Some(reply) = self.replies.remove(&id) {
                return Ok(Incoming::Reply(outcome(reply)));
            }
            self.read(deadline)?;
        }
    }

    /// Drops replies that nobody waits for.
    pub(crate) fn forget_replies(&mut self) {
        self.replies.clear();
    }

    /// Takes the events that have arrived.
    pub(crate) fn take_events(&mut self) -> VecDeque<Value> {
        std::mem::take(&mut self.events)
    }

    fn read(&mut self, deadline: Instant) -> Result<()> {
        let text = self.socket.receive(deadline, self.limit)?;
        let message: Value = serde_json::from_str(&text)
            .map_err(|_| Error::Nonsense(text.chars().take(80).collect::<String>()))?;
        match message.get("id").and_then(Value::as_u64) {
            Some(id) => {
                self.replies.insert(id, message);
            }
            None if message.get("method").is_some() => self.events.push_back(message),
            None => return Err(Error::Nonsense(text.chars().take(80).collect())),
        }
        Ok(())
    }
}

fn outcome(mut reply: Value) -> std::result::Result<Value, String> {
    match reply.get("error") {
        Some(error) => Err(error["message"].as_str().unwrap_or("an error without words").to_owned()),
        None => Ok(reply["result"].take()),
    }
}
