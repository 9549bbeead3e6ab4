//! Ctrl-C: the first one asks for the end, so that what was found is kept and reported; the second one ends at once.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

/// A flag that the first Ctrl-C (or SIGTERM) sets.
pub(crate) fn flag() -> Arc<AtomicBool> {
    let flag = Arc::new(AtomicBool::new(false));
    let seen = Arc::clone(&flag);
    let set = ctrlc::set_handler(move || {
        if seen.swap(true, Ordering::Relaxed) {
            std::process::exit(130);
        }
        eprintln!("\nstopping: what was found so far is reported (Ctrl-C again ends at once)");
    });
    if let Err(error) = set {
        eprintln!("warning: Ctrl-C will end without a report: {error}");
    }
    flag
}
