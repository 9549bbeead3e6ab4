//! Ends from outside. Ctrl-C, SIGTERM and `--time` cut ([`twinrun_base::cut`]), so that what was found is kept and reported; a second
//! Ctrl-C ends at once, and so does what cannot be stopped in time.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread;
use std::time::{Duration, Instant};

use twinrun_base::{Cause, Cut, Exit, cut};

use crate::options::{Common, Format};

/// How long after a cut the command may still report.
const REPORTING: Duration = Duration::from_millis(1200);

/// Lets signals cut this command, and the time if one is given; it counts from the start of the process, but for external compilers.
pub(crate) fn begin(command: &'static str, time: Option<Duration>, common: &Common) {
    let cut = cut::current().unwrap_or_default();
    if let Some(time) = time {
        cut.limit_to(time);
    }
    let signalled = cut.clone();
    handle(move || signalled.signal());
    let common = common.clone();
    let watch = move || {
        while cut.cause().is_none() {
            thread::sleep(Duration::from_millis(50));
        }
        thread::sleep(REPORTING);
        give_up(command, &cut, &common);
    };
    if let Err(error) = thread::Builder::new().spawn(watch) {
        eprintln!("warning: nothing watches over the time: {error}");
    }
}

/// A flag that the first Ctrl-C (or SIGTERM) sets, for commands that wait rather than search.
pub(crate) fn flag() -> Arc<AtomicBool> {
    let flag = Arc::new(AtomicBool::new(false));
    let seen = Arc::clone(&flag);
    handle(move || seen.store(true, Ordering::Relaxed));
    flag
}

fn handle(first: impl Fn() + Send + 'static) {
    let mut since: Option<Instant> = None;
    let set = ctrlc::set_handler(move || {
        if since.is_some() {
            std::process::exit(130);
        }
        since = Some(Instant::now());
        first();
        eprintln!("\nstopping: what was found so far is reported (Ctrl-C again ends at once)");
    });
    if let Err(error) = set {
        eprintln!("warning: Ctrl-C will end without a report: {error}");
    }
}

/// The command is in something that nothing can stop. What it found stands in its journal and among the saved cases; here stands only
/// that it was cut.
fn give_up(command: &str, cut: &Cut, common: &Common) {
    let cause = cut.cause().unwrap_or(Cause::Time);
    let words = format!("cut: {cause}, and what was being done could not be stopped in time");
    eprintln!("{words}");
    if common.format == Format::Json {
        let report = serde_json::json!({
            "command": command,
            "version": env!("CARGO_PKG_VERSION"),
            "cut": cause,
            "notices": [words],
        });
        let text = serde_json::to_string_pretty(&report).unwrap_or_default() + "\n";
        // There is nobody left to hear of an error.
        let _ = crate::output::text(&text, common);
    }
    std::process::exit(Exit::Inconclusive as i32);
}
