//! Drives an oracle with a bounded number of seeded inputs: fresh bytes, and mutations of a corpus.

use twinrun_base::Rng;

/// Feeds `cases` inputs to the oracle. The same seed feeds the same inputs.
///
/// A panic of the oracle passes through; the number of the case that caused it is printed before.
pub fn drive(oracle: fn(&[u8]), corpus: &[&[u8]], cases: u64, seed: u64) {
    corpus.iter().for_each(|whole| oracle(whole));
    for case in 0..cases {
        let input = input(corpus, &mut Rng::fork(seed, case));
        let told = Told { case, seed };
        oracle(&input);
        std::mem::forget(told);
    }
}

/// Says which case it was when an oracle unwinds.
struct Told {
    case: u64,
    seed: u64,
}

impl Drop for Told {
    fn drop(&mut self) {
        eprintln!("the oracle does not hold on case {} of seed {}", self.case, self.seed);
    }
}

fn input(corpus: &[&[u8]], rng: &mut Rng) -> Vec<u8> {
    if corpus.is_empty() || rng.one_in(8) {
        return bytes(rng, 2048);
    }
    let mut input = corpus[rng.below(corpus.len() as u64) as usize].to_vec();
    for _ in 0..1 + rng.below(6) {
        let at = rng.below(input.len() as u64 + 1) as usize;
        match rng.below(6) {
            0 => input.truncate(at),
            1 => drop(input.splice(at..at, bytes(rng, 8))),
            2 => {
                let end = (at + rng.below(32) as usize).min(input.len());
                input.drain(at..end);
            }
            3 => {
                let other = corpus[rng.below(corpus.len() as u64) as usize];
                let from = rng.below(other.len() as u64 + 1) as usize;
                let to = (from + rng.below(64) as usize).min(other.len());
                drop(input.splice(at..at, other[from..to].iter().copied()));
            }
            _ if at < input.len() => input[at] ^= 1 << rng.below(8),
            _ => {}
        }
    }
    input
}

fn bytes(rng: &mut Rng, most: u64) -> Vec<u8> {
    (0..rng.below(most)).map(|_| rng.bits() as u8).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    #[should_panic(expected = "found it")]
    fn a_fault_near_the_corpus_is_found() {
        drive(
            |input| assert!(!input.starts_with(b"ab") || input.len() != 3, "found it"),
            &[b"abcdefgh"],
            10_000,
            1,
        );
    }
}
