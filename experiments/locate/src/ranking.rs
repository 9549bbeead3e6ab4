//! Ranking a large spectrum.

use twinrun_base::Rng;
use twinrun_localize::formulas::FORMULAS;
use twinrun_localize::ranking::Ranking;
use twinrun_localize::spectrum::Spectrum;
use twinrun_results::cpu_seconds;

pub(crate) struct Ranked {
    /// CPU seconds of each formula.
    pub(crate) seconds: Vec<(&'static str, f64)>,
    /// The most memory that the process ever had.
    pub(crate) peak_mib: f64,
}

impl Ranked {
    pub(crate) fn slowest(&self) -> f64 {
        self.seconds.iter().map(|(_, seconds)| *seconds).fold(0.0, f64::max)
    }
}

pub(crate) fn measure(groups: usize, sites: usize) -> Ranked {
    let mut rng = Rng::new(4);
    let words = groups.div_ceil(64);
    let mut word = move || rng.bits();
    let columns: Vec<Vec<u64>> = (0..sites).map(|_| (0..words).map(|_| word()).collect()).collect();
    let violated: Vec<u64> = (0..words).map(|_| word() & word() & word()).collect();
    let spectrum = Spectrum::of_columns(groups, columns, violated);
    let mut seconds = Vec::new();
    for formula in FORMULAS {
        let began = cpu_seconds();
        let ranking = Ranking::new(&spectrum.counts(), formula);
        assert_eq!(ranking.order.len(), sites, "every site is ranked");
        seconds.push((formula.name, cpu_seconds() - began));
    }
    Ranked { seconds, peak_mib: peak_mib() }
}

fn peak_mib() -> f64 {
    // SAFETY: `rusage` is plain data for which all-zero is valid, and the call only writes into it.
    let usage = unsafe {
        let mut usage: libc::rusage = std::mem::zeroed();
        libc::getrusage(libc::RUSAGE_SELF, &raw mut usage);
        usage
    };
    usage.ru_maxrss as f64 / 1024.0
}
