//! Nanoseconds per group with nothing, coverage and the full trace recorded, on three kernels, with a trivial provider.
//!
//! `cargo bench -p twinrun-jit --bench groups [-- KERNEL]`

#[path = "../tests/support/mod.rs"]
mod support;

use std::time::Instant;

use support::{Uniform, reactor, sites};
use twinrun_base::Verdict;
use twinrun_jit::{Compiled, Config, Detail, with_stack};

fn main() {
    with_stack(measure);
}

fn measure() {
    let bytes = reactor("kernels.c");
    let sites = sites(&bytes, &["maxsub", "sort", "state", "comments"]);
    let none = Config { coverage: false, ..Config::default() };
    let configs = [
        ("none", none.clone()),
        ("coverage", Config { coverage: true, ..none.clone() }),
        ("counts", Config { counts: true, ..none.clone() }),
        ("trace", Config { trace: true, ..none }),
    ];
    let wanted: Vec<String> =
        std::env::args().skip(1).filter(|argument| !argument.starts_with('-')).collect();
    for kernel in ["reverse", "sort_reverse", "comments_prefix"] {
        if !wanted.is_empty() && !wanted.iter().any(|wanted| wanted == kernel) {
            continue;
        }
        let mut base = 0.0;
        for (name, config) in &configs {
            let compiled = Compiled::new(&bytes, &sites, config).expect("compiles");
            let relation = compiled.relation(kernel).expect("exists");
            let mut instance = compiled.instance().expect("starts");
            // The best of many short rounds: other work on the machine only adds time, and a short round fits between.
            let mut best = f64::MAX;
            for round in 0..1000 {
                let mut inputs = Uniform::new(round);
                let start = Instant::now();
                const GROUPS: u32 = 200;
                for _ in 0..GROUPS {
                    let verdict = instance.run_group(relation, &mut inputs, Detail::Verdict).expect("runs");
                    assert_eq!(verdict, Verdict::Holds);
                }
                best = best.min(start.elapsed().as_nanos() as f64 / f64::from(GROUPS));
            }
            if *name == "none" {
                base = best;
            }
            println!("{kernel:16} {name:9} {best:8.1} ns a group  {:5.2}x", best / base);
        }
    }
}
