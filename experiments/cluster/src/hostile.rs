//! Poison and strangers: jobs that end their process, and messages that are not what they should be.

use std::path::Path;
use std::time::{Duration, Instant};

use serde::{Deserialize, Serialize};
use serde_json::{Value, json};
use twinrun_base::Rng;
use twinrun_campaign::remote::hash;
use twinrun_cluster::message::{Assignment, Order, Reply, Sign, Text};
use twinrun_cluster::names::{Class, FORMAT};
use twinrun_cluster::status::status;
use twinrun_cluster::{Bus, runtime};

use crate::probe::{Probe, What, answer, config, coordinate};
use crate::scene::{LEASE, Scene};

/// What was contained.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
pub(crate) struct Contained {
    pub(crate) poison: u64,
    pub(crate) poison_contained: u64,
    pub(crate) messages: u64,
    pub(crate) crashes: u64,
    /// Files that appeared outside the worker's folder.
    pub(crate) escapes: u64,
}

/// Poison among good jobs: all good ones are answered, all others recorded as failed, and the worker lives.
pub(crate) fn poison(folder: &Path, each: u64) -> Result<Contained, String> {
    let _ = std::fs::remove_dir_all(folder);
    let scene = Scene::new(folder, "poison")?;
    let mut worker = scene.worker("w", 2)?;
    let mut probes = Vec::new();
    for number in 0..each {
        for what in [What::Abort, What::Exit, What::Overflow, What::Segfault, What::Killed] {
            probes.push(Probe { what, number });
            probes.push(Probe { what: What::Spin(1000), number: number << 8 | probes.len() as u64 });
        }
    }
    let config = config(&scene.url(), &scene.cluster, LEASE);
    let found = coordinate(config, &folder.join("journal"), json!({}), &probes)?;
    let mut contained = Contained { crashes: u64::from(!worker.alive()), ..Contained::default() };
    for (probe, found) in probes.iter().zip(&found) {
        let failed = found.as_str().is_some_and(|it| it.contains("died 3 times"));
        match probe.what {
            What::Spin(_) => contained.crashes += u64::from(*found != answer(probe)),
            _ => {
                contained.poison += 1;
                contained.poison_contained += u64::from(failed);
            }
        }
    }
    Ok(contained)
}

/// Messages of strangers while good jobs run.
pub(crate) fn strangers(folder: &Path, count: u64) -> Result<Contained, String> {
    let _ = std::fs::remove_dir_all(folder);
    let scene = Scene::new(folder, "strangers")?;
    let outside = || std::fs::read_dir(folder).map_or(0, |entries| entries.flatten().count());
    let mut worker = scene.worker("w", 2)?;
    let config = config(&scene.url(), &scene.cluster, LEASE);
    let mut contained = Contained { messages: count, ..Contained::default() };
    let probes: Vec<Probe> = (0..200).map(|number| Probe { what: What::Spin(10_000), number }).collect();
    coordinate(config.clone(), &folder.join("first"), json!({}), &probes[..20])?;
    let before = outside();
    let text = |error: twinrun_cluster::Error| error.to_string();
    runtime().map_err(text)?.block_on(async {
        let bus = Bus::open(&config, "stranger").await.map_err(text)?;
        let mut rng = Rng::new(18);
        for number in 0..count {
            send(&bus, &mut rng, number, &probes).await;
        }
        let _ = bus.client.flush().await;
        Ok::<_, String>(())
    })?;
    // A worker that still answers has survived; what was queued before is worked off in order.
    let found = coordinate(config.clone(), &folder.join("second"), json!({}), &probes)?;
    let wrong = probes.iter().zip(&found).filter(|(probe, found)| **found != answer(probe)).count() as u64;
    let began = Instant::now();
    while began.elapsed() < Duration::from_secs(30) {
        let waiting = runtime().map_err(text)?.block_on(status(&config)).map_err(text)?;
        if waiting.queues.iter().all(|queue| queue.waiting == 0) {
            break;
        }
        std::thread::sleep(Duration::from_millis(200));
    }
    contained.crashes = wrong + u64::from(!worker.alive());
    // The second journal with its two companions is the coordinator's own.
    let own = std::fs::read_dir(folder).map_or(0, |entries| {
        entries.flatten().filter(|it| it.file_name().to_string_lossy().starts_with("second")).count()
    });
    contained.escapes = (outside() - own).saturating_sub(before) as u64;
    Ok(contained)
}

/// One message: a good one of some kind, changed in some way, to the right or another place.
async fn send(bus: &Bus, rng: &mut Rng, number: u64, probes: &[Probe]) {
    let setting = hash(b"{}");
    let spec = json!({ "what": "nothing", "number": number }).to_string();
    let id = hash(spec.as_bytes());
    let (campaign, key) = match id.parse() {
        Ok(id) => (bus.names.campaign_of("probe", &setting), bus.names.key("probe", &setting, id)),
        Err(_) => return,
    };
    let job = bus.names.job(Class::Sandbox, "any", &campaign, &key);
    // The key of a job that somebody will want.
    let wanted = twinrun_campaign::JobId::of(&probes[rng.below(probes.len() as u64) as usize]);
    let Ok(wanted) = wanted.map(|id| bus.names.key("probe", &setting, id)) else { return };
    let results = format!("$KV.{}.{wanted}", bus.names.results());
    let (subject, good): (String, Value) = match number % 6 {
        0 | 1 => {
            let Ok(id) = id.parse() else { return };
            let assignment = Assignment {
                format: FORMAT,
                kind: "probe".to_owned(),
                setting: if rng.below(3) == 0 { hash(&number.to_le_bytes()) } else { setting },
                allowance: Value::Null,
                id,
                spec: if rng.below(4) == 0 { Text::Apart(id_text(rng)) } else { Text::Inline(spec) },
            };
            (job, json!(assignment))
        }
        2 => {
            let reply = Reply::new(&wanted, "stranger", 1, Ok(Text::Inline("\"stranger\"".to_owned())));
            (results, json!(reply))
        }
        3 => {
            let sign =
                Sign::Progress { key: wanted, done: u64::MAX, total: Some(0), note: "\u{1b}[2J".repeat(50) };
            (bus.names.events(&campaign), json!(sign))
        }
        4 => (bus.names.control(), json!(Order::Drain { worker: Some(format!("../{number}")) })),
        _ => {
            let presence =
                json!({ "worker": format!("../../{number}"), "host": "\u{7}", "process": -1, "version": 3 });
            (format!("$KV.{}.w{number}", bus.names.workers()), presence)
        }
    };
    let payload = change(rng, good);
    // A well-formed order to all workers is obeyed, whoever gives it: that is what users and permissions are for.
    if matches!(serde_json::from_slice(&payload), Ok(Order::Drain { worker: None })) {
        return;
    }
    let _ = bus.client.publish(subject, payload.into()).await;
    if number.is_multiple_of(25) {
        // Contents that are not what their name says, and links that lead in circles.
        if let Ok(store) = bus.jetstream.get_object_store(bus.names.contents()).await {
            let mut wrong: &[u8] = b"something else";
            let _ = store.put(hash(&number.to_le_bytes()).as_str(), &mut wrong).await;
        }
    }
}

fn id_text(rng: &mut Rng) -> String {
    match rng.below(3) {
        0 => "../../../../tmp/escaped".to_owned(),
        1 => "/etc/passwd".to_owned(),
        _ => hash(&rng.bits().to_le_bytes()),
    }
}

/// Changes a message: as text, as bytes, or in one of its values.
fn change(rng: &mut Rng, good: Value) -> Vec<u8> {
    let mut value = good;
    if rng.below(2) == 0
        && let Some(fields) = value.as_object_mut()
        && !fields.is_empty()
    {
        let place = rng.below(fields.len() as u64) as usize;
        if let Some(field) = fields.values_mut().nth(place) {
            *field = match rng.below(8) {
                0 => Value::Null,
                1 => json!(-1),
                2 => json!(u64::MAX),
                3 => json!("../../../../tmp/escaped"),
                4 => json!("x".repeat(100_000)),
                5 => json!([[[[]]]]),
                6 => json!({ "inline": "\u{0}" }),
                _ => json!(1e308),
            };
        }
    }
    let mut bytes = value.to_string().into_bytes();
    match rng.below(6) {
        0 => bytes.truncate(rng.below(bytes.len() as u64 + 1) as usize),
        1 => {
            for _ in 0..1 + rng.below(8) {
                let place = rng.below(bytes.len() as u64) as usize;
                bytes[place] = rng.bits() as u8;
            }
        }
        2 => bytes.extend(std::iter::repeat_n(b'[', 50_000)),
        3 => bytes = (0..rng.below(4000)).map(|_| rng.bits() as u8).collect(),
        _ => {}
    }
    bytes
}
