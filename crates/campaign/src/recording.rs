//! A recording: the events of a run as JSON lines, and their replay through the same path.

use std::io::{BufRead, Write};

use serde::de::DeserializeOwned;

use crate::error::Error;
use crate::event::{Event, What};
use crate::ledger::{Ledger, Outcome};

/// A recording that claims more jobs is damaged, and its claim is not worth the memory.
const MOST_JOBS: usize = 10_000_000;

/// Writes events, one JSON object a line.
pub struct Recorder<W> {
    writer: W,
}

impl<W: Write> Recorder<W> {
    /// A recorder that writes to `writer`.
    pub fn new(writer: W) -> Self {
        Self { writer }
    }

    /// Writes one event, in one piece.
    pub fn record(&mut self, event: &Event) -> std::io::Result<()> {
        let mut line = serde_json::to_vec(event)?;
        line.push(b'\n');
        self.writer.write_all(&line)
    }

    /// Gives the writer back.
    pub fn into_inner(self) -> W {
        self.writer
    }
}

/// Sends the events of a recording to `on_event`, and gives the outcome that the run gave.
///
/// A last line that was cut off (the recording process was killed) is left out.
pub fn replay<R: DeserializeOwned>(
    mut recording: impl BufRead,
    mut on_event: impl FnMut(&Event),
) -> Result<Outcome<R>, Error> {
    let mut ledger = Ledger::default();
    let mut text = Vec::new();
    for line in 1.. {
        text.clear();
        let refuse = |reason: String| Error::Recording { line, reason };
        recording.read_until(b'\n', &mut text).map_err(|error| refuse(error.to_string()))?;
        if text.pop() != Some(b'\n') {
            break;
        }
        let event: Event = serde_json::from_slice(&text).map_err(|error| refuse(error.to_string()))?;
        if matches!(event.what, What::Began { jobs, .. } if jobs > MOST_JOBS) {
            return Err(refuse(format!("it claims more than {MOST_JOBS} jobs")));
        }
        ledger.apply(&event);
        on_event(&event);
    }
    ledger.outcome()
}
