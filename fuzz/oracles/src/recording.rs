//! Recordings of campaigns: any bytes are answered, and what replays is the same when recorded again.

use serde_json::Value;
use twinrun_campaign::{Event, Recorder, replay};

/// The bytes are a recording.
pub fn recording(data: &[u8]) {
    let mut events: Vec<Event> = Vec::new();
    let Ok(outcome) = replay::<Value>(data, |event| events.push(event.clone())) else { return };
    let mut recorder = Recorder::new(Vec::new());
    for event in &events {
        recorder.record(event).expect("memory can be written");
    }
    let again = recorder.into_inner();
    let mut events_again = Vec::new();
    let outcome_again =
        replay::<Value>(&again[..], |event| events_again.push(event.clone())).expect("it replays");
    assert_eq!(events, events_again);
    assert_eq!(outcome, outcome_again);
}
