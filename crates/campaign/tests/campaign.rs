//! How a campaign behaves, seen from its caller.

use std::fs;
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::{Duration, Instant};

use serde::{Deserialize, Serialize};
use twinrun_base::{Cut, cut};
use twinrun_campaign::{
    Campaign, Config, Context, Entry, Error, Event, Halt, Job, Recorder, Stop, What, replay,
};

#[derive(Clone, Serialize, Deserialize)]
struct Task {
    n: u64,
    #[serde(skip)]
    hidden: u64,
}

impl Job for Task {
    fn label(&self) -> String {
        format!("task {}", self.n)
    }
}

fn tasks(n: u64) -> Vec<Task> {
    (0..n).map(|n| Task { n, hidden: 7 }).collect()
}

fn workers(workers: usize) -> Config {
    Config { workers, ..Config::default() }
}

/// Runs `work` on 20 tasks with 4 workers, and gives the entries and the events.
fn check(
    campaign: &mut Campaign,
    config: &Config,
    work: impl Fn(&Task, &Context<'_>) -> Result<f64, Halt> + Sync,
) -> (Vec<Entry<f64>>, Option<Stop>, Vec<Event>) {
    let mut events = Vec::new();
    let outcome = campaign.run(&tasks(20), config, work, |event| events.push(event.clone())).unwrap();
    (outcome.entries, outcome.stopped, events)
}

#[test]
fn results_come_in_the_order_of_the_jobs_whatever_the_scheduling() {
    let mut campaign = Campaign::in_memory("order").unwrap();
    // Later jobs wait for nobody, the first waits for the last.
    let last = AtomicUsize::new(0);
    let (entries, stopped, _) = check(&mut campaign, &workers(4), |job, _| {
        while job.n == 0 && last.load(Ordering::Relaxed) == 0 {
            std::thread::yield_now();
        }
        last.fetch_max((job.n == 19).into(), Ordering::Relaxed);
        Ok(job.n as f64 / 3.0)
    });
    assert_eq!(entries, (0..20).map(|n| Entry::Finished(f64::from(n) / 3.0)).collect::<Vec<_>>());
    assert_eq!(stopped, None);
}

#[test]
fn a_job_that_panics_or_fails_is_a_recorded_failure_and_the_others_run() {
    let mut campaign = Campaign::in_memory("failures").unwrap();
    let work = |job: &Task, _: &Context<'_>| match job.n {
        3 => panic!("three is too much"),
        4 => Err(Halt::from("x".parse::<u64>().unwrap_err())),
        5 => Ok(f64::NAN),
        n => Ok(n as f64),
    };
    let (entries, ..) = check(&mut campaign, &workers(4), work);
    let failed = |job: usize| match &entries[job] {
        Entry::Failed(message) => message.clone(),
        other => panic!("{other:?}"),
    };
    assert!(failed(3).contains("campaign.rs") && failed(3).contains("three is too much"));
    assert_eq!(failed(4), "invalid digit found in string");
    assert!(failed(5).contains("cannot be read back"), "{}", failed(5));
    assert_eq!(entries.iter().filter(|entry| matches!(entry, Entry::Finished(_))).count(), 17);

    let (again, ..) = check(&mut campaign, &workers(4), |_, _| panic!("everything is recorded"));
    assert_eq!(again, entries);

    let ran = Mutex::new(Vec::new());
    let retry = Config { retry_failed: true, ..workers(2) };
    let (retried, ..) = check(&mut campaign, &retry, |job, _| {
        ran.lock().unwrap().push(job.n);
        Ok(100.0)
    });
    let mut ran = ran.into_inner().unwrap();
    ran.sort_unstable();
    assert_eq!(ran, [3, 4, 5]);
    assert_eq!((&retried[2], &retried[3]), (&Entry::Finished(2.0), &Entry::Finished(100.0)));
}

#[test]
fn a_rerun_runs_only_what_is_new() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("journal.db");
    let count = AtomicUsize::new(0);
    let run = |name: &str, jobs: u64| {
        let before = count.load(Ordering::Relaxed);
        let work = |job: &Task, _: &Context<'_>| {
            count.fetch_add(1, Ordering::Relaxed);
            Ok(job.n)
        };
        let mut campaign = Campaign::open(&path, name).unwrap();
        let outcome = campaign.run(&tasks(jobs), &workers(3), work, |_| ()).unwrap();
        assert!(outcome.finished().map(|(_, n)| *n).eq(0..jobs));
        count.load(Ordering::Relaxed) - before
    };
    assert_eq!(run("first", 50), 50);
    assert_eq!(run("first", 50), 0);
    assert_eq!(run("first", 60), 10);
    assert_eq!(run("second", 20), 20, "campaigns in one journal do not mix");
    assert_eq!(run("first", 10), 0);
}

#[test]
fn equal_jobs_run_once_and_what_is_not_serialised_reaches_nothing() {
    let count = AtomicUsize::new(0);
    let jobs: Vec<Task> = (0..30).map(|n| Task { n: n % 3, hidden: n }).collect();
    let mut campaign = Campaign::in_memory("equal").unwrap();
    let work = |job: &Task, _: &Context<'_>| {
        count.fetch_add(1, Ordering::Relaxed);
        Ok((job.n, job.hidden))
    };
    let outcome = campaign.run(&jobs, &workers(4), work, |_| ()).unwrap();
    assert_eq!(count.into_inner(), 3);
    assert!(outcome.finished().map(|(_, result)| *result).eq((0..30).map(|n| (n % 3, 0))));
}

#[test]
fn a_stop_hands_out_nothing_more_and_says_what_is_open() {
    let mut campaign = Campaign::in_memory("stop").unwrap();
    let config = workers(1);
    let cut = Cut::default();
    let stopped = cut.clone();
    let stopping = |job: &Task, context: &Context<'_>| {
        if job.n == 5 {
            stopped.signal();
            assert!(cut::is_requested());
            assert!(context.stopping());
            return Err(Halt::Interrupted);
        }
        Ok(1.0)
    };
    let (entries, stopped, events) = cut::within(Some(cut), || check(&mut campaign, &config, stopping));
    assert_eq!(stopped, Some(Stop::Cancelled));
    assert_eq!(entries.iter().filter(|entry| **entry == Entry::Open).count(), 15);
    assert!(events.iter().any(|event| matches!(event.what, What::Interrupted { job: 5, .. })));
    let last = What::Ended { finished: 5, failed: 0, open: 15, stop: Some(Stop::Cancelled) };
    assert_eq!(events.last().unwrap().what, last);

    let (entries, stopped, _) = check(&mut campaign, &workers(4), |_, _| Ok(1.0));
    assert_eq!((entries, stopped), (vec![Entry::Finished(1.0); 20], None));
}

#[test]
fn a_deadline_in_the_past_runs_nothing_and_one_after_the_end_is_no_stop() {
    let mut campaign = Campaign::in_memory("deadline").unwrap();
    let at = |deadline| Config { deadline: Some(deadline), ..workers(2) };
    let (entries, stopped, _) = check(&mut campaign, &at(Instant::now()), |_, _| panic!("too late"));
    assert_eq!((entries, stopped), (vec![Entry::Open; 20], Some(Stop::Deadline)));
    let later = at(Instant::now() + Duration::from_secs(3600));
    assert_eq!(check(&mut campaign, &later, |_, _| Ok(1.0)).1, None);
    assert_eq!(check(&mut campaign, &at(Instant::now()), |_, _| Ok(1.0)).1, None, "all is recorded");
}

#[test]
fn events_of_a_job_come_in_order_between_the_first_and_the_last() {
    let mut campaign = Campaign::in_memory("events").unwrap();
    let (_, _, events) = check(&mut campaign, &workers(4), |job, context| {
        context.progress(job.n, Some(20), "half way");
        context.progress(job.n, Some(20), "left out: too soon after the last");
        Ok(0.0)
    });
    assert!(matches!(&events[0].what, What::Began { jobs: 20, workers: 4, .. }));
    assert!(matches!(
        events.last().unwrap().what,
        What::Ended { finished: 20, failed: 0, open: 0, stop: None }
    ));
    assert!(events.is_sorted_by_key(|event| event.at_ms));
    for wanted in 0..20 {
        let story: Vec<&str> = events
            .iter()
            .filter_map(|event| match &event.what {
                What::Started { job, .. } if *job == wanted => Some("started"),
                What::Progress { job, note, .. } if *job == wanted => Some(note),
                What::Finished { job, recorded: false, .. } if *job == wanted => Some("finished"),
                _ => None,
            })
            .collect();
        assert_eq!(story, ["started", "half way", "finished"]);
    }
}

#[test]
fn a_recording_replays_to_the_same_events_and_outcome() {
    let mut campaign = Campaign::in_memory("recording").unwrap();
    let work = |job: &Task, _: &Context<'_>| match job.n {
        7 => panic!("\u{1b}[31mhostile\n\0"),
        n => Ok(n as f64 * 0.1),
    };
    let mut recorder = Recorder::new(Vec::new());
    let mut events = Vec::new();
    let outcome = campaign
        .run(&tasks(20), &workers(2), work, |event| {
            recorder.record(event).unwrap();
            events.push(event.clone());
        })
        .unwrap();
    let mut recording = recorder.into_inner();
    let mut replayed = Vec::new();
    assert_eq!(replay::<f64>(&recording[..], |event| replayed.push(event.clone())).unwrap(), outcome);
    assert_eq!(replayed, events);

    // Killed while writing the last line: only that line is missing.
    recording.truncate(recording.len() - 5);
    assert_eq!(replay::<f64>(&recording[..], |_| ()).unwrap().entries, outcome.entries);
    let boast = br#"{"at_ms":0,"event":"began","campaign":"x","jobs":999999999999999,"workers":1}"#;
    assert!(matches!(
        replay::<f64>(&[boast, &b"\n"[..]].concat()[..], |_| ()),
        Err(Error::Recording { line: 1, .. })
    ));
    assert!(matches!(replay::<f64>(&b"{\"at_ms\":1}\n"[..], |_| ()), Err(Error::Recording { line: 1, .. })));
}

#[test]
fn a_panic_of_the_listener_ends_the_campaign_and_keeps_the_journal_usable() {
    let mut campaign = Campaign::in_memory("listener").unwrap();
    let listener = std::panic::AssertUnwindSafe(|| {
        campaign.run(
            &tasks(2000),
            &workers(2),
            |job, _| Ok(job.n),
            |event| {
                assert!(!matches!(event.what, What::Finished { .. }), "the listener fails");
            },
        )
    });
    assert!(std::panic::catch_unwind(listener).is_err());
    assert!(!campaign.recorded().unwrap().is_empty());
    let outcome = campaign.run(&tasks(2000), &workers(2), |job, _| Ok(job.n), |_| ()).unwrap();
    assert!(outcome.is_complete());
}

#[test]
fn a_journal_is_held_by_one_campaign_at_a_time() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("journal.db");
    let first = Campaign::open(&path, "first").unwrap();
    assert!(
        matches!(Campaign::open(&path, "second"), Err(Error::Locked { holder, .. }) if holder.campaign == "first")
    );
    drop(first);
    Campaign::open(&path, "second").unwrap();
}

#[test]
fn a_file_that_is_no_journal_is_refused_and_left_alone() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("notes.txt");
    let text = "my notes, which nobody may overwrite ".repeat(100);
    fs::write(&path, &text).unwrap();
    assert!(matches!(Campaign::open(&path, "x"), Err(Error::NotAJournal { .. })));
    assert_eq!(fs::read_to_string(&path).unwrap(), text);

    let path = folder.path().join("other.db");
    let other = rusqlite::Connection::open(&path).unwrap();
    other.execute_batch("CREATE TABLE songs (title TEXT)").unwrap();
    drop(other);
    assert!(matches!(Campaign::open(&path, "x"), Err(Error::NotAJournal { .. })));
}

#[test]
fn another_schema_version_is_refused() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("journal.db");
    drop(Campaign::open(&path, "x").unwrap());
    rusqlite::Connection::open(&path).unwrap().pragma_update(None, "user_version", 99).unwrap();
    match Campaign::open(&path, "x") {
        Err(Error::Version { found: 99, expected: 1, .. }) => {}
        other => panic!("{:?}", other.err()),
    }
}

#[test]
fn a_folder_that_cannot_be_written_is_a_clear_error() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("file");
    fs::write(&file, "").unwrap();
    for path in [file.join("journal.db"), "/proc/journal.db".into(), "/proc/no/such/journal.db".into()] {
        let message = Campaign::open(&path, "x").err().expect("it cannot be written").to_string();
        assert!(message.contains("choose a folder that can be written to"), "{message}");
    }
}

#[test]
fn a_recorded_result_of_another_type_is_an_error_and_stays() {
    let mut campaign = Campaign::in_memory("types").unwrap();
    campaign.run(&tasks(3), &workers(1), |job, _| Ok(job.n), |_| ()).unwrap();
    let error = campaign.run(&tasks(3), &workers(1), |_, _| Ok(String::new()), |_| ()).unwrap_err();
    assert!(matches!(error, Error::Result { index: 0, .. }), "{error}");
    assert!(campaign.run(&tasks(3), &workers(1), |job, _| Ok(job.n), |_| ()).unwrap().is_complete());
}
