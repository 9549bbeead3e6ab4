//! The spectrum: which groups touched which site, stored by site so that counting is a population count.

use crate::formulas::Counts;

/// Groups × sites, one bit each.
#[derive(Clone, Debug, Default)]
pub struct Spectrum {
    groups: usize,
    /// For each site one bit a group.
    columns: Vec<Vec<u64>>,
    /// One bit a group: violated.
    violated: Vec<u64>,
}

impl Spectrum {
    /// An empty spectrum over so many sites.
    pub fn new(sites: usize) -> Spectrum {
        Spectrum { groups: 0, columns: vec![Vec::new(); sites], violated: Vec::new() }
    }

    /// A spectrum that is already stored by site: for each site one bit a group, and one bit a violated group.
    pub fn of_columns(groups: usize, columns: Vec<Vec<u64>>, violated: Vec<u64>) -> Spectrum {
        Spectrum { groups, columns, violated }
    }

    /// Adds a group: the sites of its metamorphic slice, and whether it is violated.
    pub fn add(&mut self, slice: impl IntoIterator<Item = usize>, violated: bool) {
        let (word, bit) = (self.groups / 64, self.groups % 64);
        for site in slice {
            let column = &mut self.columns[site];
            if column.len() <= word {
                column.resize(word + 1, 0);
            }
            column[word] |= 1 << bit;
        }
        if self.violated.len() <= word {
            self.violated.push(0);
        }
        self.violated[word] |= u64::from(violated) << bit;
        self.groups += 1;
    }

    /// The number of groups.
    pub fn groups(&self) -> usize {
        self.groups
    }

    /// The number of sites.
    pub fn sites(&self) -> usize {
        self.columns.len()
    }

    /// The number of violated groups.
    pub fn violations(&self) -> usize {
        self.violated.iter().map(|word| word.count_ones() as usize).sum()
    }

    /// The counts of every site.
    pub fn counts(&self) -> Vec<Counts> {
        let failing = self.violations() as u64;
        let passing = self.groups as u64 - failing;
        self.columns
            .iter()
            .map(|column| {
                let (mut ef, mut touched) = (0u64, 0u64);
                for (word, violated) in column.iter().zip(&self.violated) {
                    ef += u64::from((word & violated).count_ones());
                    touched += u64::from(word.count_ones());
                }
                let ep = touched - ef;
                Counts { ef: ef as f64, ep: ep as f64, nf: (failing - ef) as f64, np: (passing - ep) as f64 }
            })
            .collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn counts_are_those_of_a_plain_count() {
        let mut rng = twinrun_base::Rng::new(3);
        let (sites, groups) = (37, 200);
        let mut spectrum = Spectrum::new(sites);
        let mut plain = vec![[0u32; 4]; sites];
        for _ in 0..groups {
            let violated = rng.one_in(3);
            let slice: Vec<bool> = (0..sites).map(|_| rng.one_in(2)).collect();
            spectrum.add((0..sites).filter(|site| slice[*site]), violated);
            for (counts, touched) in plain.iter_mut().zip(slice) {
                counts[usize::from(!violated) + 2 * usize::from(!touched)] += 1;
            }
        }
        for (counts, [ef, ep, nf, np]) in spectrum.counts().iter().zip(plain) {
            let expected = Counts { ef: ef.into(), ep: ep.into(), nf: nf.into(), np: np.into() };
            assert_eq!(*counts, expected);
        }
    }
}
