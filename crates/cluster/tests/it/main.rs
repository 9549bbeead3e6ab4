//! A cluster with a real server and real processes, on loopback. Processes are killed when something has happened, never after a
//! time, so that load changes nothing.

mod access;
mod chaos;
mod hostile;
mod support;

use serde_json::{Value, json};
use support::{Scene, coordinated};

#[test]
fn answers_come_back_in_the_order_of_the_jobs_whatever_their_size() {
    let Some(scene) = Scene::new() else { return };
    let _workers = [scene.worker("a", 2), scene.worker("b", 1)];
    let answers =
        coordinated(scene.coordinate("one", "multiply:0..40,large:7..9,read:1..2,panic:0..1,nonsense:0..1"));
    let mut expected: Vec<Value> = (0..40).map(|n| json!(3 * n)).collect();
    // Two results above the server's limit for one message.
    expected.extend([json!(300_000), json!(300_000), json!(9)]);
    assert_eq!(answers[..43], expected);
    assert!(answers[43].as_str().is_some_and(|it| it.contains("as it was told")), "{}", answers[43]);
    assert_eq!(answers[44], json!("there is no nonsense"));
    // Another coordinator finds everything in the bucket: no worker is asked.
    drop(_workers);
    assert_eq!(coordinated(scene.coordinate("two", "multiply:0..40,large:7..9")), answers[..42]);
}

#[test]
fn a_job_whose_process_dies_three_times_is_recorded_as_failed() {
    let Some(scene) = Scene::new() else { return };
    let _worker = scene.worker("a", 1);
    let answers = coordinated(scene.coordinate("one", "multiply:1..3,abort:0..2,multiply:3..5"));
    assert_eq!(
        (&answers[0], &answers[1], &answers[4], &answers[5]),
        (&json!(3), &json!(6), &json!(9), &json!(12))
    );
    for poisoned in &answers[2..4] {
        assert!(poisoned.as_str().is_some_and(|it| it.contains("died 3 times")), "{poisoned}");
    }
}

#[test]
fn a_worker_of_another_version_leaves_the_jobs_and_says_so() {
    let Some(scene) = Scene::new() else { return };
    let first = scene.coordinate("one", "multiply:0..5");
    scene.until("five jobs wait", |status| status.queues.iter().any(|queue| queue.waiting == 5));
    let said = scene.other_version("2");
    assert!(said.iter().any(|line| line.contains("5 jobs wait for another version")), "{said:?}");
    let _worker = scene.worker("a", 1);
    assert_eq!(coordinated(first), [0, 3, 6, 9, 12].map(|n| json!(n)));
}

#[test]
fn drained_workers_finish_what_they_run() {
    let Some(scene) = Scene::new() else { return };
    let mut worker = scene.worker("a", 1);
    let first = scene.coordinate("one", "wait:300..301,wait:301..302");
    scene.until("a job runs", |status| status.queues.iter().any(|queue| queue.running == 1));
    scene.drain();
    let said = worker.ended();
    assert!(said.contains("answered: 1"), "{said}");
    let _other = scene.worker("b", 1);
    assert_eq!(coordinated(first), [json!(300), json!(301)]);
}
