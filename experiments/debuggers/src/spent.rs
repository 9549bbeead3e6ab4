//! Processor time of this process and of everything that it started, also what is not waited for yet.

/// A moment from which time is counted.
pub(crate) struct Spent(f64);

impl Spent {
    pub(crate) fn begin() -> Self {
        Spent(total())
    }

    /// Processor seconds since.
    pub(crate) fn seconds(&self) -> f64 {
        total() - self.0
    }
}

/// Parent, and ticks of its own with those of the children that it waited for.
fn stat(process: u32) -> Option<(u32, f64)> {
    let text = std::fs::read_to_string(format!("/proc/{process}/stat")).ok()?;
    let rest: Vec<&str> = text.rsplit_once(')')?.1.split_whitespace().collect();
    let ticks = |at: usize| rest.get(at).and_then(|word| word.parse::<f64>().ok()).unwrap_or(0.0);
    Some((rest.get(1)?.parse().ok()?, ticks(11) + ticks(12) + ticks(13) + ticks(14)))
}

fn total() -> f64 {
    let names = std::fs::read_dir("/proc").into_iter().flatten().flatten();
    let processes: Vec<u32> = names.filter_map(|name| name.file_name().to_str()?.parse().ok()).collect();
    let known: Vec<(u32, u32, f64)> = processes
        .into_iter()
        .filter_map(|process| stat(process).map(|(parent, ticks)| (process, parent, ticks)))
        .collect();
    let mut ours = vec![std::process::id()];
    let mut at = 0;
    let mut ticks = 0.0;
    while at < ours.len() {
        let process = ours[at];
        ticks += known.iter().find(|(number, _, _)| *number == process).map_or(0.0, |(_, _, ticks)| *ticks);
        ours.extend(known.iter().filter(|(_, parent, _)| *parent == process).map(|(number, _, _)| *number));
        at += 1;
    }
    // The kernel counts in hundredths of a second.
    ticks / 100.0
}
