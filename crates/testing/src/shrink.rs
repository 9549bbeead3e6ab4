//! Shrinking: from a failing case to one in which nothing can be left out or made smaller without losing the failure.
//!
//! The relation itself derives the follow-up, so source and follow-up shrink together. A candidate is accepted when the group
//! ends the same way (verdict and place) and what was really drawn is smaller by [`measure`]; so the search ends.

mod measure;
mod passes;

use twinrun_base::Case;

use crate::executor::{Ending, ExecuteError, Executor};
use crate::replay::Replay;

pub use measure::{Measure, measure};

/// A minimal failing case.
#[derive(Clone, Debug)]
pub struct Shrunk {
    /// The case.
    pub case: Case,
    /// How many smaller cases were found on the way.
    pub steps: u64,
    /// How many groups were run.
    pub groups: u64,
    /// The budget ran out before a local minimum was reached.
    pub stopped: bool,
}

/// Shrinks a case that ends as `ending`, running at most `most_groups` groups; `stop` is asked now and then.
///
/// # Errors
/// When the executor cannot answer.
pub fn shrink(
    executor: &mut dyn Executor,
    case: &Case,
    ending: Ending,
    most_groups: u64,
    stop: &dyn Fn() -> bool,
) -> Result<Shrunk, ExecuteError> {
    let mut shrinker = Shrinker {
        executor,
        replay: Replay::default(),
        best: case.clone(),
        size: measure(case),
        ending,
        steps: 0,
        groups: 0,
        most_groups,
        stop,
        error: None,
    };
    loop {
        let before = shrinker.steps;
        passes::all(&mut shrinker);
        if shrinker.steps == before || shrinker.exhausted() {
            break;
        }
    }
    let stopped = shrinker.exhausted();
    let Shrinker { best, steps, groups, error, .. } = shrinker;
    match error {
        Some(error) => Err(error),
        None => Ok(Shrunk { case: best, steps, groups, stopped }),
    }
}

/// The state of one shrinking.
struct Shrinker<'a> {
    executor: &'a mut dyn Executor,
    replay: Replay,
    best: Case,
    size: Measure,
    ending: Ending,
    steps: u64,
    groups: u64,
    most_groups: u64,
    stop: &'a dyn Fn() -> bool,
    error: Option<ExecuteError>,
}

impl Shrinker<'_> {
    /// Nothing more should be tried.
    fn exhausted(&self) -> bool {
        self.groups >= self.most_groups || self.error.is_some() || (self.groups % 64 == 63 && (self.stop)())
    }

    /// Accepts `candidate` when it fails the same way and is smaller; says whether it did.
    fn attempt(&mut self, candidate: &Case) -> bool {
        if self.exhausted() || measure(candidate) >= self.size {
            return false;
        }
        self.groups += 1;
        self.replay.begin(candidate);
        match self.executor.run_watched(&mut self.replay) {
            Ok(ending) if ending == self.ending => {
                let drawn = self.replay.drawn();
                let size = measure(&drawn);
                let smaller = size < self.size;
                if smaller {
                    self.best = drawn;
                    self.size = size;
                    self.steps += 1;
                }
                smaller
            }
            Ok(_) => false,
            Err(error) => {
                self.error = Some(error);
                false
            }
        }
    }

    /// Attempts the best case with one change.
    fn attempt_change(&mut self, change: impl FnOnce(&mut Case)) -> bool {
        let mut candidate = self.best.clone();
        change(&mut candidate);
        self.attempt(&candidate)
    }
}

#[cfg(test)]
mod tests {
    use twinrun_base::{Inputs, IntKind, OpSpec, Shape, Value, Verdict};

    use super::*;
    use crate::executor::Explained;

    /// A relation written as a closure: true means violated.
    struct Closure<F>(F);

    impl<F: FnMut(&mut dyn Inputs) -> bool> Executor for Closure<F> {
        fn run(&mut self, inputs: &mut dyn Inputs) -> Result<Ending, ExecuteError> {
            let verdict = if (self.0)(inputs) { Verdict::Violated } else { Verdict::Holds };
            Ok(Ending { verdict, place: 0 })
        }
        fn touched(&self) -> &[u64] {
            &[]
        }
        fn explain(&mut self, _: &Case) -> Result<Explained, ExecuteError> {
            Err(ExecuteError::new("not needed here"))
        }
    }

    fn check(seed: u64, relation: impl FnMut(&mut dyn Inputs) -> bool, expected: &str) {
        let mut executor = Closure(relation);
        let mut generator = crate::generate::Generator::new(twinrun_base::Rng::new(seed), &[]);
        let ending = Ending { verdict: Verdict::Violated, place: 0 };
        for _ in 0..10_000 {
            generator.begin(&[]);
            if executor.run(&mut generator).unwrap() == ending {
                let shrunk = shrink(&mut executor, &generator.case(), ending, 20_000, &|| false).unwrap();
                assert_eq!(shrunk.case.to_string(), expected);
                assert!(!shrunk.stopped);
                return;
            }
        }
        panic!("no violation was drawn");
    }

    fn array(inputs: &mut dyn Inputs) -> Vec<i64> {
        let n = inputs.int("n", IntKind::Length, 1, 9);
        let mut items = Vec::new();
        inputs.ints("a", IntKind::I32, Shape::Array(n as u32), -1000, 1000, &mut items);
        items
    }

    #[test]
    fn an_element_in_the_middle_is_found_and_minimal() {
        for seed in 0..5 {
            check(seed, |inputs| array(inputs).iter().any(|x| *x > 17), "n = 1, a = [18]");
        }
    }

    #[test]
    fn a_fault_that_needs_a_difference_keeps_it() {
        // Two neighbours that differ by more than 5, the first one larger.
        for seed in 0..5 {
            check(seed, |inputs| array(inputs).windows(2).any(|w| w[0] - w[1] > 5), "n = 2, a = [6, 0]");
        }
    }

    #[test]
    fn maxsub_without_its_reset_shrinks_to_three_small_elements() {
        fn maxsub(items: &[i64]) -> i64 {
            let (mut best, mut sum) = (0, 0);
            for item in items {
                sum += item;
                best = best.max(sum);
            }
            best
        }
        for seed in 0..10 {
            let relation = |inputs: &mut dyn Inputs| {
                let items = array(inputs);
                let reversed: Vec<i64> = items.iter().rev().copied().collect();
                maxsub(&items) != maxsub(&reversed)
            };
            let mut executor = Closure(relation);
            let mut generator = crate::generate::Generator::new(twinrun_base::Rng::new(seed), &[]);
            let ending = Ending { verdict: Verdict::Violated, place: 0 };
            loop {
                generator.begin(&[]);
                if executor.run(&mut generator).unwrap() == ending {
                    break;
                }
            }
            let shrunk = shrink(&mut executor, &generator.case(), ending, 20_000, &|| false).unwrap();
            let Some(Value::Ints(items)) = shrunk.case.get("a") else { panic!() };
            assert!(items.len() <= 3 && items.iter().all(|x| x.abs() <= 3), "{}", shrunk.case);
        }
    }

    #[test]
    fn text_operations_floats_and_permutations_shrink() {
        let text = |inputs: &mut dyn Inputs| {
            let mut out = Vec::new();
            inputs.text("t", 0, 8, b"abc", &mut out);
            out.contains(&b'c')
        };
        check(1, text, "t = \"c\"");
        let ops = |inputs: &mut dyn Inputs| {
            let mut out = Vec::new();
            inputs.ops("ops", 9, &OpSpec::parse("pop; push 0..50").unwrap(), &mut out);
            out.iter().filter(|op| op.op == 1 && op.arguments[0] >= 3).count() >= 2
        };
        check(1, ops, "ops = [push(3), push(3)]");
        check(1, |inputs| inputs.float("x", -1e9, 1e9) > 2.5, "x = 3.0");
        let permutation = |inputs: &mut dyn Inputs| {
            let mut out = Vec::new();
            inputs.permutation("p", 4, &mut out);
            out[0] != 0
        };
        check(1, permutation, "p = [1, 0, 2, 3]");
    }

    #[test]
    fn rows_and_columns_of_a_matrix_are_removed() {
        let matrix = |inputs: &mut dyn Inputs| {
            let rows = inputs.int("rows", IntKind::Length, 1, 5) as u32;
            let columns = inputs.int("columns", IntKind::Length, 1, 5) as u32;
            let mut out = Vec::new();
            inputs.ints("m", IntKind::I32, Shape::Matrix(rows, columns), 0, 99, &mut out);
            (0..rows as usize)
                .any(|r| out[r * columns as usize..(r + 1) * columns as usize].iter().sum::<i64>() > 50)
        };
        check(1, matrix, "rows = 1, columns = 1, m = [[51]]");
    }
}
