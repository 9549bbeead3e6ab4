//! Progress of a campaign, fed by its events: a bar on a terminal, a line now and then elsewhere.
//!
//! Rate and time left come from the times in the events, so a replayed recording shows what the run showed.

use std::collections::BTreeMap;
use std::io::Write;

use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};
use twinrun_campaign::{Event, Stop, What};

use crate::inert::{inert, shorten};
use crate::style::{count, thousands};

/// The bar counts in thousandths of a job.
const PARTS: f64 = 1000.0;

/// Shows how far a campaign is.
pub struct Progress {
    sink: Sink,
    campaign: String,
    jobs: usize,
    settled: usize,
    /// Settled in this run: recorded results say nothing about the rate.
    live: usize,
    failed: usize,
    /// Running jobs: how far each is, and what it says.
    running: BTreeMap<usize, (f64, String)>,
}

enum Sink {
    Bar(ProgressBar),
    Lines { writer: Box<dyn Write + Send>, every_ms: u64, last_ms: u64 },
}

impl Progress {
    /// A bar on standard error, which should be a terminal.
    pub fn bar(color: bool) -> Self {
        Self::bar_on(ProgressDrawTarget::stderr(), color)
    }

    /// A bar on any target.
    pub fn bar_on(target: ProgressDrawTarget, color: bool) -> Self {
        let bar = ProgressBar::with_draw_target(Some(0), target);
        let template =
            if color { "{prefix} [{bar:25.cyan/dim}] {wide_msg}" } else { "{prefix} [{bar:25}] {wide_msg}" };
        let style = ProgressStyle::with_template(template).unwrap_or_else(|_| ProgressStyle::default_bar());
        bar.set_style(style.progress_chars("=> "));
        Self::with(Sink::Bar(bar))
    }

    /// A plain line every `every_ms` milliseconds, and one at the end: for logs.
    pub fn lines(writer: impl Write + Send + 'static, every_ms: u64) -> Self {
        Self::with(Sink::Lines { writer: Box::new(writer), every_ms, last_ms: 0 })
    }

    /// Takes note of an event.
    pub fn event(&mut self, event: &Event) {
        match &event.what {
            What::Began { campaign, jobs, .. } => {
                self.campaign = shorten(&inert(campaign), 40);
                self.jobs = *jobs;
                (self.settled, self.live, self.failed) = (0, 0, 0);
                self.running.clear();
                if let Sink::Bar(bar) = &self.sink {
                    bar.set_length((*jobs as f64 * PARTS) as u64);
                    bar.set_prefix(self.campaign.clone());
                }
            }
            What::Started { job, label, .. } => {
                self.running.insert(*job, (0.0, inert(label)));
            }
            What::Progress { job, done, total, note } => {
                let fraction =
                    total.filter(|total| *total > 0).map_or(0.0, |it| (*done as f64 / it as f64).min(1.0));
                self.running.insert(*job, (fraction, inert(note)));
            }
            What::Finished { job, recorded, .. } => self.settle(*job, *recorded, false),
            What::Failed { job, recorded, .. } => self.settle(*job, *recorded, true),
            What::Interrupted { job, .. } => {
                self.running.remove(job);
            }
            What::Ended { open, stop, .. } => return self.end(event.at_ms, *open, *stop),
        }
        self.show(event.at_ms);
    }

    /// Runs `print` while the bar is out of the way.
    pub fn suspend<T>(&self, print: impl FnOnce() -> T) -> T {
        match &self.sink {
            Sink::Bar(bar) => bar.suspend(print),
            Sink::Lines { .. } => print(),
        }
    }

    fn with(sink: Sink) -> Self {
        let (campaign, running) = (String::new(), BTreeMap::new());
        Self { sink, campaign, jobs: 0, settled: 0, live: 0, failed: 0, running }
    }

    fn settle(&mut self, job: usize, recorded: bool, failed: bool) {
        self.running.remove(&job);
        self.settled += 1;
        self.live += usize::from(!recorded);
        self.failed += usize::from(failed);
    }

    fn show(&mut self, at_ms: u64) {
        let text = self.text(at_ms);
        let underway: f64 = self.running.values().map(|(fraction, _)| fraction).sum();
        match &mut self.sink {
            Sink::Bar(bar) => {
                bar.set_position(((self.settled as f64 + underway) * PARTS) as u64);
                let note = self.running.values().next_back().map_or("", |(_, note)| note.as_str());
                bar.set_message(if note.is_empty() { text } else { format!("{text}  {note}") });
            }
            Sink::Lines { writer, every_ms, last_ms } => {
                if at_ms.saturating_sub(*last_ms) >= *every_ms {
                    *last_ms = at_ms;
                    // Progress that nobody can read is no reason to stop.
                    let _ = writeln!(writer, "{}: {text}", self.campaign);
                }
            }
        }
    }

    /// `120/2,000 jobs, 35/s, 54 s left, 3 failed`.
    fn text(&self, at_ms: u64) -> String {
        let underway: f64 = self.running.values().map(|(fraction, _)| fraction).sum();
        let mut parts =
            vec![format!("{}/{} jobs", thousands(self.settled as u64), thousands(self.jobs as u64))];
        let rate = (self.live as f64 + underway) / (at_ms as f64 / 1000.0);
        if rate.is_finite() && rate > 0.0 {
            parts.push(match rate {
                10.0.. => format!("{}/s", thousands(rate as u64)),
                1.0.. => format!("{rate:.1}/s"),
                _ => format!("{:.1}/min", 60.0 * rate),
            });
            parts.push(format!(
                "{} left",
                seconds((self.jobs as f64 - self.settled as f64 - underway) / rate)
            ));
        }
        if self.failed > 0 {
            parts.push(format!("{} failed", thousands(self.failed as u64)));
        }
        parts.join(", ")
    }

    fn end(&mut self, at_ms: u64, open: usize, stop: Option<Stop>) {
        match &mut self.sink {
            Sink::Bar(bar) => bar.finish_and_clear(),
            Sink::Lines { writer, .. } => {
                let mut text = format!(
                    "{} in {}",
                    count(self.settled as u64, "job", "jobs"),
                    seconds(at_ms as f64 / 1e3)
                );
                if self.failed > 0 {
                    text = format!("{text}, {} failed", thousands(self.failed as u64));
                }
                if open > 0 {
                    let why = match stop {
                        Some(Stop::Cancelled) => " (cancelled)",
                        Some(Stop::Deadline) => " (out of time)",
                        None => "",
                    };
                    text = format!("{text}, {} open{why}", thousands(open as u64));
                }
                let _ = writeln!(writer, "{}: {text}", self.campaign);
            }
        }
    }
}

/// `54 s`, `3 min 20 s`, `2 h 5 min`.
fn seconds(seconds: f64) -> String {
    let whole = seconds.max(0.0).round() as u64;
    match whole {
        0..60 => format!("{whole} s"),
        60..3600 => format!("{} min {} s", whole / 60, whole % 60),
        _ => format!("{} h {} min", whole / 3600, whole / 60 % 60),
    }
}

#[cfg(test)]
mod tests {
    use std::sync::{Arc, Mutex};

    use indicatif::InMemoryTerm;
    use twinrun_campaign::{Campaign, Config, Job, JobId};

    use super::*;

    #[derive(serde::Serialize, serde::Deserialize)]
    struct Nothing(usize);

    impl Job for Nothing {
        fn label(&self) -> String {
            format!("job\u{1b} {}", self.0)
        }
    }

    #[derive(Clone, Default)]
    struct Shared(Arc<Mutex<Vec<u8>>>);

    impl Write for Shared {
        fn write(&mut self, bytes: &[u8]) -> std::io::Result<usize> {
            self.0.lock().unwrap().write(bytes)
        }

        fn flush(&mut self) -> std::io::Result<()> {
            Ok(())
        }
    }

    /// Two of ten jobs are recorded; then one finishes every second, the last one fails.
    fn story() -> Vec<Event> {
        let id = JobId::of(&Nothing(0)).unwrap();
        let event = |at_ms, what| Event { at_ms, what };
        let finished = |job, recorded| What::Finished { job, id, elapsed_ms: 0, result: ().into(), recorded };
        let mut events = vec![
            event(0, What::Began { campaign: "mutants".into(), jobs: 10, workers: 1 }),
            event(0, finished(0, true)),
            event(0, finished(1, true)),
        ];
        for job in 2..10 {
            let second = 1000 * (job as u64 - 2);
            events
                .push(event(second, What::Started { job, id, label: format!("job\u{1b} {job}"), worker: 0 }));
            let half = What::Progress { job, done: 1, total: Some(2), note: "half".into() };
            events.push(event(second + 500, half));
            events.push(event(
                second + 1000,
                match job {
                    9 => What::Failed { job, id, elapsed_ms: 0, message: "no".into(), recorded: false },
                    _ => finished(job, false),
                },
            ));
        }
        events.push(event(8000, What::Ended { finished: 9, failed: 1, open: 0, stop: None }));
        events
    }

    #[test]
    fn without_a_terminal_there_is_a_line_now_and_then() {
        let shared = Shared::default();
        let mut progress = Progress::lines(shared.clone(), 2500);
        story().iter().for_each(|event| progress.event(event));
        let text = String::from_utf8(shared.0.lock().unwrap().clone()).unwrap();
        assert_eq!(
            text,
            "mutants: 4/10 jobs, 1.0/s, 6 s left\n\
             mutants: 7/10 jobs, 1.0/s, 3 s left\n\
             mutants: 9/10 jobs, 1.0/s, 1 s left\n\
             mutants: 10 jobs in 8 s, 1 failed\n"
        );
    }

    #[test]
    fn on_a_terminal_there_is_a_bar_that_goes_away() {
        let terminal = InMemoryTerm::new(5, 100);
        let target = ProgressDrawTarget::term_like_with_hz(Box::new(terminal.clone()), 255);
        let mut progress = Progress::bar_on(target, false);
        let story = story();
        let (last, others) = story.split_last().unwrap();
        for event in &others[..10] {
            progress.event(event);
        }
        progress.suspend(|| ());
        let shown = terminal.contents();
        assert!(shown.starts_with("mutants [=========") && shown.contains("4/10 jobs, 1.0/s"), "{shown:?}");
        assert!(!shown.contains('\u{1b}'));
        progress.event(last);
        assert_eq!(terminal.contents(), "");
    }

    #[test]
    fn a_real_campaign_can_be_watched() {
        let shared = Shared::default();
        let mut progress = Progress::lines(shared.clone(), 0);
        let jobs: Vec<Nothing> = (0..5).map(Nothing).collect();
        let mut campaign = Campaign::in_memory("real").unwrap();
        campaign.run(&jobs, &Config::default(), |job, _| Ok(job.0), |event| progress.event(event)).unwrap();
        let text = String::from_utf8(shared.0.lock().unwrap().clone()).unwrap();
        assert!(
            text.contains("real: 5/5 jobs") && text.lines().last().unwrap().starts_with("real: 5 jobs in ")
        );
    }

    #[test]
    fn times_are_readable() {
        assert_eq!([0.4, 59.0, 200.0, 7500.0].map(seconds), ["0 s", "59 s", "3 min 20 s", "2 h 5 min"]);
    }
}
