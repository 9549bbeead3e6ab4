//! Turns a panic of a job into a message with its place, without writing over the progress on the terminal.

use std::cell::RefCell;
use std::panic::{AssertUnwindSafe, catch_unwind, set_hook, take_hook};
use std::sync::Once;

thread_local! {
    /// `Some` while this thread runs a job; the hook leaves the message here.
    static MESSAGE: RefCell<Option<String>> = const { RefCell::new(None) };
}

/// Runs `work`; a panic inside it becomes its message and place.
///
/// # Errors
/// When `work` panics.
pub fn catch<T>(work: impl FnOnce() -> T) -> Result<T, String> {
    static HOOK: Once = Once::new();
    HOOK.call_once(install);
    MESSAGE.with_borrow_mut(|message| *message = Some(String::new()));
    // Whatever the job shared with others stays behind its own synchronisation; its result is dropped.
    let result = catch_unwind(AssertUnwindSafe(work));
    let message = MESSAGE.take().unwrap_or_default();
    result.map_err(|_| message)
}

/// Keeps the hook that was there for all panics outside jobs.
fn install() {
    let previous = take_hook();
    set_hook(Box::new(move |info| {
        let ours = MESSAGE.with_borrow_mut(|message| match message {
            Some(message) => {
                let text = info.payload_as_str().unwrap_or("panicked with a value that is no text");
                *message = match info.location() {
                    Some(place) => format!("panicked at {}:{}: {text}", place.file(), place.line()),
                    None => format!("panicked: {text}"),
                };
                true
            }
            None => false,
        });
        if !ours {
            previous(info);
        }
    }));
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_panic_becomes_its_message_and_place() {
        assert_eq!(catch(|| 7), Ok(7));
        let message = catch(|| {
            if true {
                panic!("seven {}", "dwarfs")
            }
        })
        .unwrap_err();
        assert!(message.contains("seven dwarfs") && message.contains("panics.rs"), "{message}");
        assert!(MESSAGE.with_borrow(Option::is_none));
    }
}
