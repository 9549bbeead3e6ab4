//! The end from outside: Ctrl-C, SIGTERM, `--time`. It only cuts; what an answer is never depends on it otherwise.
//!
//! A cut belongs to a thread and what it calls, because everything that may take long has to ask for it: engines between two slices
//! of work, solvers while they wait, searches before the next step. Handing it through every signature would put it into all of them.
//! Whoever starts threads hands it on ([`current`], [`within`]).

use std::cell::RefCell;
use std::sync::Arc;
use std::sync::atomic::{AtomicU8, AtomicU64, Ordering};
use std::time::{Duration, Instant};

use serde::{Deserialize, Serialize};

/// What made an end.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Cause {
    /// The time of `--time` is over.
    Time,
    /// Ctrl-C or SIGTERM.
    Signal,
}

impl std::fmt::Display for Cause {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(match self {
            Cause::Time => "the time given was over",
            Cause::Signal => "it was interrupted",
        })
    }
}

/// A cut that may come. Clones are one and the same.
#[derive(Clone, Debug)]
pub struct Cut(Arc<Inner>);

#[derive(Debug)]
struct Inner {
    /// 0: not yet; 1: time; 2: signal. Once set it stays, so that all hear the same cause.
    cause: AtomicU8,
    began: Instant,
    /// Milliseconds from `began` to the deadline; `u64::MAX`: none.
    limit: AtomicU64,
    /// One more that cuts this too.
    parent: Option<Cut>,
}

impl Default for Cut {
    fn default() -> Cut {
        Cut::new(None)
    }
}

impl Cut {
    /// A cut that comes after this time at the latest.
    pub fn new(time: Option<Duration>) -> Cut {
        Cut::made(time, None)
    }

    /// A cut of one's own that comes with this one at the latest.
    #[must_use]
    pub fn child(&self, deadline: Option<Instant>) -> Cut {
        let time = deadline.map(|deadline| deadline.saturating_duration_since(Instant::now()));
        Cut::made(time, Some(self.clone()))
    }

    fn made(time: Option<Duration>, parent: Option<Cut>) -> Cut {
        let cut =
            Inner { cause: AtomicU8::new(0), began: Instant::now(), limit: AtomicU64::new(u64::MAX), parent };
        let cut = Cut(Arc::new(cut));
        if let Some(time) = time {
            cut.limit_to(time);
        }
        cut
    }

    /// From now on it comes this long after it was made.
    pub fn limit_to(&self, time: Duration) {
        self.0.limit.store(u64::try_from(time.as_millis()).unwrap_or(u64::MAX), Ordering::Relaxed);
    }

    /// Time that does not count, such as that of an external compiler.
    pub fn extend(&self, time: Duration) {
        let limit = self.0.limit.load(Ordering::Relaxed);
        if limit != u64::MAX {
            self.0.limit.store(limit.saturating_add(time.as_millis() as u64), Ordering::Relaxed);
        }
    }

    /// Cuts now.
    pub fn signal(&self) {
        let _ = self.0.cause.compare_exchange(0, 2, Ordering::Relaxed, Ordering::Relaxed);
    }

    /// Why it is over, if it is.
    pub fn cause(&self) -> Option<Cause> {
        match self.0.cause.load(Ordering::Relaxed) {
            1 => return Some(Cause::Time),
            2 => return Some(Cause::Signal),
            _ => {}
        }
        if let Some(cause) = self.0.parent.as_ref().and_then(Cut::cause) {
            return Some(cause);
        }
        let limit = self.0.limit.load(Ordering::Relaxed);
        if limit != u64::MAX && self.0.began.elapsed() >= Duration::from_millis(limit) {
            let _ = self.0.cause.compare_exchange(0, 1, Ordering::Relaxed, Ordering::Relaxed);
            return self.cause();
        }
        None
    }
}

thread_local! {
    static CURRENT: RefCell<Option<Cut>> = const { RefCell::new(None) };
}

/// The cut of this thread.
pub fn current() -> Option<Cut> {
    CURRENT.with_borrow(Clone::clone)
}

/// Why everything on this thread should come to its end, if it should. Costs less than a microsecond.
pub fn requested() -> Option<Cause> {
    CURRENT.with_borrow(|cut| cut.as_ref().and_then(Cut::cause))
}

/// Whether everything on this thread should come to its end.
pub fn is_requested() -> bool {
    requested().is_some()
}

/// Runs something under a cut; afterwards the thread has the cut that it had before.
pub fn within<T>(cut: Option<Cut>, action: impl FnOnce() -> T) -> T {
    struct Back(Option<Cut>);
    impl Drop for Back {
        fn drop(&mut self) {
            let before = self.0.take();
            CURRENT.with_borrow_mut(|current| *current = before);
        }
    }
    let _back = Back(CURRENT.with_borrow_mut(|current| std::mem::replace(current, cut)));
    action()
}

/// Runs something whose time does not count, such as an external compiler.
pub fn uncounted<T>(action: impl FnOnce() -> T) -> T {
    let began = Instant::now();
    let done = action();
    if let Some(cut) = current() {
        cut.extend(began.elapsed());
    }
    done
}

/// Runs something that cannot be stopped on a thread of its own, and waits for it or for a cut; then it goes on unheard.
///
/// The thread has the stack that parsers and compilers may need.
pub fn waiting<T: Send + 'static>(action: impl FnOnce() -> T + Send + 'static) -> Option<T> {
    const LOOK: Duration = Duration::from_millis(20);
    let (sender, receiver) = std::sync::mpsc::channel();
    let send = move || {
        // Nobody listens any more after a cut.
        let _ = sender.send(action());
    };
    std::thread::Builder::new().stack_size(64 << 20).spawn(send).ok()?;
    loop {
        match receiver.recv_timeout(LOOK) {
            Ok(done) => return Some(done),
            Err(std::sync::mpsc::RecvTimeoutError::Timeout) if !is_requested() => {}
            Err(_) => return None,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_cut_reaches_what_runs_under_it_and_nothing_else() {
        let cut = Cut::default();
        assert_eq!(requested(), None);
        within(Some(cut.clone()), || {
            assert_eq!(requested(), None);
            cut.signal();
            assert_eq!(requested(), Some(Cause::Signal));
            assert_eq!(std::thread::spawn(requested).join().ok(), Some(None));
        });
        assert_eq!(requested(), None);
    }

    #[test]
    fn the_first_cause_stays() {
        let cut = Cut::new(Some(Duration::ZERO));
        assert_eq!(cut.cause(), Some(Cause::Time));
        cut.signal();
        assert_eq!(cut.cause(), Some(Cause::Time));
    }

    #[test]
    fn a_child_ends_with_its_parent_but_not_the_other_way_round() {
        let parent = Cut::default();
        let child = parent.child(Some(Instant::now()));
        assert_eq!((child.cause(), parent.cause()), (Some(Cause::Time), None));
        let other = parent.child(None);
        parent.signal();
        assert_eq!(other.cause(), Some(Cause::Signal));
    }

    #[test]
    fn time_that_does_not_count_is_given_back() {
        let cut = Cut::new(Some(Duration::ZERO));
        cut.extend(Duration::from_secs(3600));
        assert_eq!(cut.cause(), None);
    }
}
