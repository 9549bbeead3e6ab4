//! Saved cases: any bytes are answered; a case that is read survives, and whatever it says, its replay answers within the declared ranges.

use twinrun_base::{Domain, Inputs, Value};
use twinrun_testing::replay::{Replay, fits};
use twinrun_testing::saved::SavedCase;

/// The bytes are the file of a saved case.
pub fn saved(data: &[u8]) {
    let Ok(saved) = serde_json::from_slice::<SavedCase>(data) else { return };
    let text = serde_json::to_string(&saved).expect("a case can be written");
    let again: SavedCase = serde_json::from_str(&text).expect("what was written can be read");
    assert_eq!(text, serde_json::to_string(&again).expect("a case can be written"));
    let mut replay = Replay::default();
    replay.begin(&saved.case);
    for input in &saved.case.inputs {
        // A relation never declares a range that is empty; a file may say anything.
        if !declared(&input.domain) {
            continue;
        }
        let value = ask(&mut replay, &input.name, &input.domain);
        assert!(fits(&input.domain, &value), "{:?} does not fit {:?}", value, input.domain);
    }
}

fn declared(domain: &Domain) -> bool {
    match domain {
        Domain::Int { lo, hi, .. } => lo <= hi,
        Domain::Ints { lo, hi, shape, .. } => lo <= hi && shape.count() < 1000,
        Domain::Float { lo, hi } => lo <= hi && lo.is_finite() && hi.is_finite(),
        Domain::Floats { lo, hi, shape } => {
            lo <= hi && lo.is_finite() && hi.is_finite() && shape.count() < 1000
        }
        Domain::Text { min, max, .. } => min <= max && *max < 1000,
        Domain::Permutation { n } => *n < 1000,
        Domain::Ops { max, specs } => *max < 1000 && !specs.is_empty(),
    }
}

fn ask(replay: &mut Replay, name: &str, domain: &Domain) -> Value {
    let (mut ints, mut floats, mut bytes, mut ops) = (Vec::new(), Vec::new(), Vec::new(), Vec::new());
    match domain {
        Domain::Int { kind, lo, hi } => Value::Int(replay.int(name, *kind, *lo, *hi)),
        Domain::Float { lo, hi } => Value::Float(replay.float(name, *lo, *hi)),
        Domain::Ints { kind, shape, lo, hi } => {
            replay.ints(name, *kind, *shape, *lo, *hi, &mut ints);
            Value::Ints(ints)
        }
        Domain::Floats { shape, lo, hi } => {
            replay.floats(name, *shape, *lo, *hi, &mut floats);
            Value::Floats(floats)
        }
        Domain::Text { min, max, alphabet } => {
            replay.text(name, *min, *max, alphabet, &mut bytes);
            Value::Bytes(bytes)
        }
        Domain::Permutation { n } => {
            replay.permutation(name, *n, &mut ints);
            Value::Ints(ints)
        }
        Domain::Ops { max, specs } => {
            replay.ops(name, *max, specs, &mut ops);
            Value::Ops(ops)
        }
    }
}
