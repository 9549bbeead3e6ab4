//! Processor time: ours, that of our processes, and what others use of the machine meanwhile.

use std::time::Instant;

use crate::scene::cpu_seconds;

/// The machine over a stretch of time.
pub(crate) struct Stretch {
    began: Instant,
    machine: f64,
}

impl Stretch {
    pub(crate) fn begin() -> Stretch {
        Stretch { began: Instant::now(), machine: machine_seconds() }
    }

    pub(crate) fn seconds(&self) -> f64 {
        self.began.elapsed().as_secs_f64()
    }

    /// The share of all cores that others used, when `ours` seconds of processor time were ours.
    pub(crate) fn others(&self, ours: f64) -> f64 {
        let cores = std::thread::available_parallelism().map_or(1, usize::from) as f64;
        let all = cores * self.seconds().max(1e-3);
        ((machine_seconds() - self.machine - ours) / all).clamp(0.0, 1.0)
    }
}

/// Processor time of this process with all its threads.
pub(crate) fn own_seconds() -> f64 {
    used(libc::RUSAGE_SELF)
}

/// Processor time of the processes that this one has started and waited for.
pub(crate) fn waited_seconds() -> f64 {
    used(libc::RUSAGE_CHILDREN)
}

fn used(whose: libc::c_int) -> f64 {
    // SAFETY: plain numbers, for which zero is a value.
    let mut usage: libc::rusage = unsafe { std::mem::zeroed() };
    // SAFETY: the structure outlives the call, which only writes to it.
    unsafe { libc::getrusage(whose, &raw mut usage) };
    let seconds = |time: libc::timeval| time.tv_sec as f64 + time.tv_usec as f64 / 1e6;
    seconds(usage.ru_utime) + seconds(usage.ru_stime)
}

/// Processor time of the children of a process.
pub(crate) fn family_seconds(parent: u32) -> f64 {
    let entries = std::fs::read_dir("/proc").into_iter().flatten().flatten();
    let processes = entries.filter_map(|entry| entry.file_name().to_str()?.parse::<u32>().ok());
    processes.filter(|process| parent_of(*process) == Some(parent)).map(cpu_seconds).sum()
}

fn parent_of(process: u32) -> Option<u32> {
    let stat = std::fs::read_to_string(format!("/proc/{process}/stat")).ok()?;
    stat.rsplit(')').next()?.split_whitespace().nth(1)?.parse().ok()
}

/// Processor time that was used on the machine since it started, by anybody.
fn machine_seconds() -> f64 {
    let stat = std::fs::read_to_string("/proc/stat").unwrap_or_default();
    let first = stat.lines().next().unwrap_or_default();
    let ticks: Vec<f64> = first.split_whitespace().skip(1).filter_map(|it| it.parse().ok()).collect();
    // user, nice, system, idle, iowait, irq, softirq, steal: all but idle and iowait.
    let busy: f64 =
        ticks.iter().take(8).enumerate().filter(|(place, _)| !matches!(place, 3 | 4)).map(|it| it.1).sum();
    busy / 100.0
}

/// The middle one; of two, the lower.
pub(crate) fn median(values: impl IntoIterator<Item = f64>) -> f64 {
    let mut values: Vec<f64> = values.into_iter().collect();
    values.sort_by(f64::total_cmp);
    values.get(values.len().saturating_sub(1) / 2).copied().unwrap_or(0.0)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_median_is_one_of_the_values() {
        let check = |values: &[f64], expect: f64| assert_eq!(median(values.iter().copied()), expect);
        check(&[3.0, 1.0, 2.0], 2.0);
        check(&[4.0, 1.0, 2.0, 3.0], 2.0);
        check(&[], 0.0);
    }
}
