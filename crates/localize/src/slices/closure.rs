//! The closure of dependence backwards from some events.

use twinrun_interp::observers::dependence::{Dependence, Event};

/// Marks every event that the starting ones depend on, themselves included; events for which `leave_out` is true are neither marked nor followed.
pub fn backwards(dependence: &Dependence, starts: &[Event], leave_out: impl Fn(Event) -> bool) -> Vec<bool> {
    let mut marked = vec![false; dependence.len()];
    let mut open: Vec<Event> = starts.to_vec();
    while let Some(event) = open.pop() {
        if event == 0 || marked[event as usize] || leave_out(event) {
            continue;
        }
        marked[event as usize] = true;
        open.extend_from_slice(dependence.data(event));
        open.push(dependence.event(event).control);
        open.extend(dependence.potential(event));
    }
    marked
}
