//! Messages of strangers.

use serde_json::json;
use twinrun_cluster::{Bus, runtime};

use crate::support::{Scene, coordinated};

#[test]
fn hostile_messages_neither_end_a_worker_nor_change_an_answer() {
    let Some(scene) = Scene::new() else { return };
    let worker = scene.worker("a", 1);
    let hash = twinrun_campaign::remote::hash(b"contents");
    let sent = runtime().unwrap().block_on(async {
        let bus = Bus::open(&scene.config(), "stranger").await.unwrap();
        let queue = "twinrun.jobs.1f1.sandbox.any";
        let deep = "[".repeat(100_000);
        let texts = [
            "", "null", "{}", "[]", "\u{0}", "{\"format\":1}", deep.as_str(),
            r#"{"format":1,"kind":"probe","setting":"../../../etc/passwd","allowance":null,"id":"00","spec":{"inline":"{}"}}"#,
        ];
        for (number, text) in texts.iter().enumerate() {
            let subject = format!("{queue}.campaign.key{number}");
            bus.jetstream.publish(subject, text.to_string().into()).await.unwrap().await.unwrap();
            bus.client.publish("twinrun.control", text.to_string().into()).await.unwrap();
            bus.jetstream.publish(format!("$KV.twinrun-workers.evil{number}"), text.to_string().into()).await.unwrap().await.unwrap();
        }
        // Something else under the name of contents that jobs need.
        let mut wrong: &[u8] = b"something else";
        let contents = bus.jetstream.get_object_store("twinrun-contents").await.unwrap();
        contents.put(hash.as_str(), &mut wrong).await.unwrap();
        bus.client.flush().await.unwrap();
        texts.len() as u64
    });
    scene.until("all were refused", |status| {
        status.workers.iter().any(|it| it.worker == "a" && it.refused == sent)
    });
    // The same with answers: whatever stands under the keys of these jobs is no answer.
    let coordinator = scene.coordinate("one", "multiply:0..8,read:1..2");
    let mut expected: Vec<_> = (0..8).map(|n| json!(3 * n)).collect();
    expected.push(json!(9));
    assert_eq!(coordinated(coordinator), expected);
    drop(worker);
}

#[test]
fn what_is_no_answer_is_removed_and_its_job_runs() {
    let Some(scene) = Scene::new() else { return };
    let first = scene.worker("a", 1);
    let answers = coordinated(scene.coordinate("one", "multiply:0..4"));
    drop(first);
    let spoiled = runtime().unwrap().block_on(async {
        let bus = Bus::open(&scene.config(), "stranger").await.unwrap();
        let results = bus.jetstream.get_key_value("twinrun-results").await.unwrap();
        let keys: Vec<String> =
            futures_util::TryStreamExt::try_collect(results.keys().await.unwrap()).await.unwrap();
        let other = results.get(&keys[0]).await.unwrap().unwrap();
        // Nonsense, and the answer of another job.
        results.put(&keys[1], "nonsense".into()).await.unwrap();
        results.put(&keys[2], other).await.unwrap();
        keys.len()
    });
    assert_eq!(spoiled, 4);
    let _second = scene.worker("b", 1);
    assert_eq!(coordinated(scene.coordinate("two", "multiply:0..4")), answers);
}
