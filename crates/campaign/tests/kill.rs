//! What survives when the process of a campaign is killed, or its disk is full.

use std::collections::BTreeSet;
use std::fs;
use std::os::unix::process::ExitStatusExt;
use std::path::PathBuf;
use std::process::{Child, Command, Output, Stdio};
use std::thread::sleep;
use std::time::Duration;

use tempfile::TempDir;
use twinrun_campaign::{Campaign, Error, JobId};

const HELPER: &str = env!("CARGO_BIN_EXE_twinrun-campaign-helper");
const WORKERS: usize = 3;

struct Place {
    folder: TempDir,
    jobs: usize,
}

impl Place {
    fn new(jobs: usize) -> Self {
        Self { folder: tempfile::tempdir().unwrap(), jobs }
    }

    fn journal(&self) -> PathBuf {
        self.folder.path().join("results/journal.db")
    }

    fn helper(&self, park: usize) -> Command {
        let mut command = Command::new(HELPER);
        command.args(self.args(park)).stdout(Stdio::piped()).stderr(Stdio::piped());
        command
    }

    fn args(&self, park: usize) -> [String; 5] {
        let text = |path: PathBuf| path.into_os_string().into_string().unwrap();
        let log = text(self.folder.path().join("log"));
        [text(self.journal()), log, self.jobs.to_string(), WORKERS.to_string(), park.to_string()]
    }

    fn to_the_end(&self) -> Output {
        let output = self.helper(usize::MAX).output().unwrap();
        assert!(output.status.success(), "{output:?}");
        output
    }

    /// The lines of the log that were written whole; the last one may still be on its way.
    fn log(&self) -> Vec<String> {
        let text = fs::read_to_string(self.folder.path().join("log")).unwrap_or_default();
        let whole = text.rfind('\n').map_or("", |end| &text[..end]);
        whole.lines().map(String::from).collect()
    }

    fn recorded(&self) -> BTreeSet<JobId> {
        Campaign::open(self.journal(), "chains").unwrap().recorded().unwrap().into_iter().collect()
    }
}

/// The ids after `word` in the lines of a log, without lines that a kill cut short.
fn ids<'a>(lines: &'a [String], word: &'a str) -> impl Iterator<Item = JobId> + 'a {
    lines.iter().filter_map(move |line| line.strip_prefix(word)?.trim().parse().ok())
}

fn wait_for(child: &mut Child, mut reached: impl FnMut() -> bool) {
    while !reached() {
        assert!(child.try_wait().unwrap().is_none(), "the helper ended before it was killed");
        sleep(Duration::from_micros(100));
    }
}

/// splitmix64
fn random(state: &mut u64) -> u64 {
    *state = state.wrapping_add(0x9e37_79b9_7f4a_7c15);
    let mixed = (*state ^ (*state >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    let mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    mixed ^ (mixed >> 31)
}

#[test]
fn a_campaign_killed_fifty_times_ends_like_an_undisturbed_one() {
    let undisturbed = Place::new(2000).to_the_end();
    assert!(undisturbed.stdout.len() > 1000, "the jobs find nothing");

    let place = Place::new(2000);
    let mut state = 1;
    let mut recorded = BTreeSet::new();
    let mut lines_before = 0;
    for kill in 0..50 {
        // Wait for a number of starts, then a moment more: any point of a job or of a commit may be hit.
        let starts = random(&mut state) % 25;
        let moment = Duration::from_micros(random(&mut state) % 2000);
        let mut child = place.helper(starts as usize + 14).spawn().unwrap();
        wait_for(&mut child, || {
            let log = place.log();
            starts == 0 || ids(&log[lines_before..], "start").count() as u64 >= starts
        });
        sleep(moment);
        child.kill().unwrap();
        assert_eq!(child.wait().unwrap().signal(), Some(9), "kill {kill}");

        let log = place.log();
        let recorded_now = place.recorded();
        for id in ids(&log[lines_before..], "start") {
            assert!(!recorded.contains(&id), "{id} ran again although it was recorded, kill {kill}");
        }
        for id in ids(&log, "done") {
            assert!(recorded_now.contains(&id), "{id} was told as recorded and is lost, kill {kill}");
        }
        assert!(recorded.is_subset(&recorded_now), "kill {kill}");
        let started = ids(&log[lines_before..], "start").count();
        let settled = recorded_now.len() - recorded.len();
        assert!(started - settled <= WORKERS, "only running jobs are lost: {started} {settled}, kill {kill}");
        recorded = recorded_now;
        lines_before = log.len();
    }
    assert!((1..2000).contains(&recorded.len()), "the kills came before the end: {}", recorded.len());

    let resumed = place.to_the_end();
    let log = place.log();
    assert!(ids(&log[lines_before..], "start").all(|id| !recorded.contains(&id)));
    assert_eq!(ids(&log, "start").collect::<BTreeSet<_>>().len(), 2000);
    assert_eq!(place.recorded().len(), 2000);
    assert_eq!(String::from_utf8(resumed.stdout), String::from_utf8(undisturbed.stdout));

    let lines_before = log.len();
    place.to_the_end();
    assert_eq!(ids(&place.log()[lines_before..], "start").count(), 0, "a complete campaign runs nothing");
}

#[test]
fn the_lock_names_its_holder_and_ends_with_it() {
    let place = Place::new(10);
    let mut child = place.helper(0).spawn().unwrap();
    wait_for(&mut child, || place.log().contains(&"open".to_string()));
    match Campaign::open(place.journal(), "other") {
        Err(error @ Error::Locked { .. }) => {
            let holder = format!("in use by process {} (campaign \"chains\")", child.id());
            assert!(error.to_string().contains(&holder), "{error}");
        }
        other => panic!("{:?}", other.err()),
    }
    child.kill().unwrap();
    child.wait().unwrap();
    Campaign::open(place.journal(), "other").unwrap();
    place.to_the_end();
}

#[test]
fn a_full_disk_is_a_clear_error_and_what_was_recorded_stays() {
    let undisturbed = Place::new(300).to_the_end();
    let place = Place::new(300);
    // No file may grow beyond 128 KiB: for the journal, that is a disk without room.
    let limited = Command::new("sh")
        .args(["-c", "trap '' XFSZ; ulimit -f 256; exec \"$@\"", "sh", HELPER])
        .args(place.args(usize::MAX))
        .output()
        .unwrap();
    let message = String::from_utf8_lossy(&limited.stderr);
    assert_eq!(limited.status.code(), Some(3), "{limited:?}");
    assert!(message.contains("cannot write the journal") && message.contains("run again"), "{message}");

    let recorded = place.recorded();
    let log = place.log();
    assert!(!recorded.is_empty() && recorded.len() < 300);
    assert!(ids(&log, "done").all(|id| recorded.contains(&id)));

    let lines_before = log.len();
    assert_eq!(place.to_the_end().stdout, undisturbed.stdout);
    assert!(ids(&place.log()[lines_before..], "start").all(|id| !recorded.contains(&id)));
}
