//! Timers with a virtual clock, for contexts that have none and for programs whose real timers would race.
//!
//! The functions that a program sees are native ones (`push` bound to a log), so that no step can enter code of ours; the
//! callbacks are called by the inspector itself, so that no frame of ours stands below them.

use serde_json::{Value, json};

use crate::cdp::Cdp;
use crate::error::{Error, Result};
use crate::v8::GROUP;

/// The names that a context gains.
const NAMES: [&str; 7] = [
    "setTimeout",
    "setInterval",
    "setImmediate",
    "clearTimeout",
    "clearInterval",
    "clearImmediate",
    "queueMicrotask",
];

/// Callbacks after which a program with timers counts as ended.
const MOST_CALLS: usize = 500;

const INSTALL: &str = "(() => {
  const log = [], define = (name, value) =>
    Object.defineProperty(this, name, { value, writable: true, configurable: true, enumerable: false });
  for (const name of ['setTimeout', 'setInterval', 'setImmediate', 'clearTimeout', 'clearInterval', 'clearImmediate'])
    define(name, Array.prototype.push.bind(log, '\\u0000' + name));
  define('queueMicrotask', Promise.prototype.then.bind(Promise.resolve()));
  return log;
})()";

/// The timers of one session.
#[derive(Debug)]
pub(crate) struct Timers {
    log: String,
    read: usize,
    now: f64,
    calls: usize,
    waiting: Vec<Timer>,
}

#[derive(Debug)]
struct Timer {
    id: f64,
    due: f64,
    every: Option<f64>,
    callback: String,
    arguments: Vec<Value>,
}

impl Timers {
    /// Whether a program mentions any of them.
    pub(crate) fn wanted(source: &str) -> bool {
        NAMES.iter().any(|name| source.contains(name))
    }

    /// Gives the functions to a context.
    pub(crate) fn install(cdp: &mut Cdp, context: i64) -> Result<Self> {
        let log = cdp.call(
            "Runtime.evaluate",
            &json!({ "expression": INSTALL, "contextId": context, "objectGroup": GROUP }),
        )?;
        let log = log["result"]["objectId"]
            .as_str()
            .ok_or_else(|| Error::Nonsense("no timer log".to_owned()))?
            .to_owned();
        Ok(Timers { log, read: 0, now: 0.0, calls: 0, waiting: Vec::new() })
    }

    /// Starts the callback that is due next; gives its request, or none when nothing waits.
    pub(crate) fn run_next(&mut self, cdp: &mut Cdp) -> Result<Option<u64>> {
        self.read_log(cdp)?;
        self.calls += 1;
        let next = (0..self.waiting.len()).min_by(|&one, &two| {
            let key = |at: usize| (self.waiting[at].due, self.waiting[at].id);
            key(one).partial_cmp(&key(two)).unwrap_or(std::cmp::Ordering::Equal)
        });
        let Some(next) = next.filter(|_| self.calls <= MOST_CALLS) else { return Ok(None) };
        let timer = &mut self.waiting[next];
        self.now = timer.due;
        let mut arguments = vec![json!({})];
        arguments.extend(timer.arguments.iter().cloned());
        let request = cdp.send(
            "Runtime.callFunctionOn",
            &json!({
                "objectId": timer.callback,
                "functionDeclaration": "Function.prototype.call",
                "arguments": arguments,
            }),
        )?;
        match timer.every {
            Some(every) => timer.due += every,
            None => drop(self.waiting.remove(next)),
        }
        Ok(Some(request))
    }

    fn read_log(&mut self, cdp: &mut Cdp) -> Result<()> {
        let properties =
            cdp.call("Runtime.getProperties", &json!({ "objectId": self.log, "ownProperties": true }))?;
        let mut items: Vec<(usize, &Value)> = properties["result"]
            .as_array()
            .into_iter()
            .flatten()
            .filter_map(|property| Some((property["name"].as_str()?.parse().ok()?, &property["value"])))
            .collect();
        items.sort_by_key(|(index, _)| *index);
        let is_mark = |value: &Value| value["value"].as_str().is_some_and(|text| text.starts_with('\0'));
        let mut at = self.read;
        while at < items.len() {
            let mark = items[at].1["value"].as_str().unwrap_or_default().trim_start_matches('\0').to_owned();
            let end = (at + 1..items.len()).find(|&index| is_mark(items[index].1)).unwrap_or(items.len());
            let call: Vec<&Value> = items[at + 1..end].iter().map(|(_, value)| *value).collect();
            self.note(&mark, &call, end as f64);
            at = end;
        }
        self.read = at;
        Ok(())
    }

    fn note(&mut self, name: &str, call: &[&Value], id: f64) {
        if name.starts_with("clear") {
            let cleared = call.first().and_then(|value| value["value"].as_f64());
            self.waiting.retain(|timer| Some(timer.id) != cleared);
            return;
        }
        let Some(callback) = call.first().filter(|value| value["type"] == "function") else { return };
        let immediate = name == "setImmediate";
        let delay = if immediate {
            0.0
        } else {
            call.get(1).and_then(|value| value["value"].as_f64()).unwrap_or(1.0)
        };
        let delay = if immediate { 0.0 } else { delay.max(1.0) };
        let arguments = call.iter().skip(if immediate { 1 } else { 2 });
        self.waiting.push(Timer {
            id,
            due: self.now + delay,
            every: (name == "setInterval").then_some(delay),
            callback: callback["objectId"].as_str().unwrap_or_default().to_owned(),
            arguments: arguments
                .map(|value| match value["objectId"].as_str() {
                    Some(object) => json!({ "objectId": object }),
                    None => json!({ "value": value["value"] }),
                })
                .collect(),
        });
    }
}
