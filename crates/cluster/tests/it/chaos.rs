//! Kills.

use serde_json::json;

use crate::support::{Scene, coordinated};

#[test]
fn kills_of_workers_coordinator_and_server_lose_nothing() {
    let Some(scene) = Scene::new() else { return };
    let jobs = "wait:1..30,multiply:0..60";
    let mut expected: Vec<_> = (1..30).map(|n| json!(n)).collect();
    expected.extend((0..60).map(|n| json!(3 * n)));
    let mut first = scene.worker("a", 2);
    let mut second = scene.worker("b", 2);
    let mut coordinator = scene.coordinate("one", jobs);

    let results = |at_least: u64| scene.until("results are recorded", |status| status.results >= at_least);
    results(5);
    first.kill();
    results(10);
    // The server, with its storage kept, and the other worker at once.
    {
        let mut server = scene.server.lock().unwrap();
        server.kill().unwrap();
        second.kill();
        server.restart().unwrap();
    }
    let _third = scene.worker("c", 2);
    results(20);
    coordinator.kill();
    // From its journal and the bucket.
    let mut again = scene.coordinate("one", jobs);
    results(40);
    again.kill();
    let _fourth = scene.worker("d", 1);
    assert_eq!(coordinated(scene.coordinate("one", jobs)), expected);
    assert_eq!(scene.status().unwrap().results, expected.len() as u64);
}

#[test]
fn who_comes_before_the_server_waits_for_it() {
    let Some(scene) = Scene::new() else { return };
    scene.server.lock().unwrap().kill().unwrap();
    let (_worker, coordinator) = (scene.worker("a", 2), scene.coordinate("one", "multiply:0..9"));
    // Both have found nobody by then, as a rule; where they have not yet, they find the server at once.
    std::thread::sleep(std::time::Duration::from_millis(300));
    scene.server.lock().unwrap().restart().unwrap();
    assert_eq!(coordinated(coordinator), (0..9).map(|n| json!(3 * n)).collect::<Vec<_>>());
}

#[test]
fn two_coordinators_of_one_campaign_share_its_results() {
    let Some(scene) = Scene::new() else { return };
    let both = [scene.coordinate("one", "wait:1..40"), scene.coordinate("two", "wait:1..40")];
    let _worker = scene.worker("a", 2);
    let expected: Vec<_> = (1..40).map(|n| json!(n)).collect();
    for coordinator in both {
        assert_eq!(coordinated(coordinator), expected);
    }
    assert_eq!(scene.status().unwrap().results, 39);
}
