//! Groups on real C code: verdicts, observations, restored state, limits.

mod support;

use support::{Uniform, build, reactor, sites};
use twinrun_base::{CrashKind, Limits, Operator, Value, Verdict};
use twinrun_jit::{Compiled, Config, Detail, Instance};

fn compile(name: &str, user: &[&str], config: &Config) -> Compiled {
    let bytes = reactor(name);
    Compiled::new(&bytes, &sites(&bytes, user), config).expect("compiles")
}

fn run(instance: &mut Instance, relation: &str, seed: u64) -> Verdict {
    let relation = instance.compiled().relation(relation).expect("exists");
    instance.run_group(relation, &mut Uniform::new(seed), Detail::Full).expect("an answer")
}

#[test]
fn a_relation_that_holds_holds_and_a_fault_violates_it() {
    let compiled = compile("kernels.c", &["maxsub", "maxsub_bad"], &Config::default());
    let mut instance = compiled.instance().unwrap();
    let mut violated = 0;
    for seed in 0..200 {
        assert_eq!(run(&mut instance, "reverse", seed), Verdict::Holds);
        let verdict = run(&mut instance, "reverse_bad", seed);
        let observation = instance.observation();
        assert_eq!(observation.runs().len(), 2);
        let [source, follow_up] = [0, 1].map(|run| &observation.runs()[run].run);
        if verdict == Verdict::Violated {
            violated += 1;
            let check = observation.check.as_ref().unwrap();
            assert_eq!((check.operator, &check.text[..]), (Operator::Eq, "source == follow_up"));
            assert_ne!(check.left, check.right);
            assert_eq!(source.outputs, [("best".to_owned(), check.left.clone())]);
            assert_eq!(follow_up.outputs, [("best".to_owned(), check.right.clone())]);
            let (Value::Ints(a), Value::Ints(b)) = (&source.given[0].1, &follow_up.given[0].1) else {
                panic!()
            };
            assert!(a.iter().eq(b.iter().rev()));
        }
    }
    assert!(violated > 20, "{violated}");
}

#[test]
fn coverage_counts_and_traces_belong_to_their_run() {
    let config = Config { counts: true, trace: true, ..Config::default() };
    let compiled = compile("kernels.c", &["maxsub"], &config);
    let mut instance = compiled.instance().unwrap();
    for seed in 0..50 {
        run(&mut instance, "reverse", seed);
        for record in instance.observation().runs() {
            assert!(!record.covered.is_empty() && !record.trace.is_empty());
            let mut counts = vec![0; compiled.edges().count()];
            record.trace.iter().for_each(|edge| counts[*edge as usize] += 1);
            assert_eq!(counts, record.counts);
            for edge in &record.trace {
                let (branch, outcome) = compiled.edges().decode(*edge);
                assert!(outcome < compiled.sites().branches[branch as usize].outcomes);
            }
        }
        // Another relation's runs touch no block of `maxsub`.
        run(&mut instance, "sort_reverse", seed);
        assert!(instance.observation().runs().iter().all(|record| record.covered.is_empty()));
    }
}

#[test]
fn the_trace_survives_a_full_buffer() {
    let config = Config { counts: true, trace: true, ..Config::default() };
    let compiled = compile("bad.c", &["recurse", "relation_endless"], &config);
    let mut instance = compiled.instance().unwrap();
    assert_eq!(run(&mut instance, "endless", 0), Verdict::Timeout);
    let record = &instance.observation().runs()[0];
    let total: u32 = record.counts.iter().sum();
    assert!(total > 1 << 20, "{total}");
    assert_eq!(record.trace.len(), total as usize);
}

#[test]
fn bad_ends_are_verdicts() {
    let limits = Limits { work: 3_000_000, memory: 64 << 20, output: 1 << 20, depth: 10_000 };
    let config = Config { limits, ..Config::default() };
    let compiled = compile("bad.c", &["recurse"], &config);
    let mut instance = compiled.instance().unwrap();
    let mut check = |relation: &str, expected: CrashKind| {
        assert_eq!(run(&mut instance, relation, 1), Verdict::Crashed, "{relation}");
        let crash = instance.observation().crash.as_ref().expect(relation);
        assert_eq!(crash.kind, expected, "{relation}: {crash:?}");
        assert!(
            crash.stack.iter().any(|frame| frame.function == format!("relation_{relation}")),
            "{crash:?}"
        );
        assert_eq!(instance.observation().runs().len(), 1);
        assert_eq!(run(&mut instance, "assumes", 3), run(&mut instance, "assumes", 3));
    };
    check("trap", CrashKind::Division);
    check("abort", CrashKind::Unreachable);
    check("null_call", CrashKind::IndirectCall);
    check("wild", CrashKind::OutOfBounds);
    check("memory_bomb", CrashKind::MemoryLimit);
    check("output_flood", CrashKind::OutputLimit);
    check("wide_frames", CrashKind::StackOverflow);
    check("exits", CrashKind::Other("exit".to_owned()));
    assert_eq!(run(&mut instance, "deep", 1), Verdict::Crashed);
    let crash = instance.observation().crash.as_ref().unwrap();
    assert_eq!((&crash.kind, &crash.stack[0].function[..]), (&CrashKind::StackOverflow, "recurse"));
    assert_eq!(run(&mut instance, "endless", 1), Verdict::Timeout);
    assert_eq!(instance.observation().work, limits.work);
}

#[test]
fn every_group_starts_from_the_same_state() {
    let config = Config { trace: true, ..Config::default() };
    let compiled = compile("bad.c", &["relation_messy"], &config);
    let mut reused = compiled.instance().unwrap();
    let observe = |instance: &mut Instance, seed: u64| {
        let verdict = run(instance, "messy", seed);
        let observation = instance.observation();
        let check = observation.check.clone();
        if let Some(check) = &check {
            assert_eq!(check.text, "n % 11 == n % 13");
        }
        (verdict, check, observation.crash.clone(), observation.work)
    };
    let mut verdicts = std::collections::BTreeSet::new();
    for seed in 0..300 {
        let first = observe(&mut reused, seed);
        observe(&mut reused, seed + 1000);
        assert_eq!(observe(&mut reused, seed), first);
        if seed % 10 == 0 {
            assert_eq!(observe(&mut compiled.instance().unwrap(), seed), first);
        }
        verdicts.insert(first.0);
    }
    assert_eq!(verdicts.len(), 4, "{verdicts:?}");
}

#[test]
fn isolation_finds_runs_that_depend_on_each_other() {
    let plain = compile("bad.c", &[], &Config::default());
    let isolated = compile("bad.c", &[], &Config { isolate: true, ..Config::default() });
    let (mut plain, mut isolated) = (plain.instance().unwrap(), isolated.instance().unwrap());
    for _ in 0..3 {
        assert_eq!(run(&mut plain, "dependent", 0), Verdict::Holds);
        assert!(plain.observation().statics_changed);
        assert_eq!(run(&mut isolated, "dependent", 0), Verdict::Violated);
        for relation in ["static_results", "allocated_results"] {
            assert_eq!(run(&mut plain, relation, 0), Verdict::Holds);
            assert_eq!(run(&mut isolated, relation, 0), Verdict::Holds, "{relation}");
        }
    }
    assert_eq!(run(&mut plain, "deep", 0), Verdict::Crashed);
    assert!(!plain.observation().statics_changed);
}

#[test]
fn the_checked_build_finds_heap_errors() {
    let config = Config { heap_checks: true, ..Config::default() };
    let compiled = compile("bad.c", &["relation_heap_overrun", "relation_use_after_free"], &config);
    let mut instance = compiled.instance().unwrap();
    let mut seen = [0; 2];
    for seed in 0..60 {
        match run(&mut instance, "heap_overrun", seed) {
            Verdict::Holds => seen[0] += 1,
            _ => {
                seen[1] += 1;
                assert_eq!(instance.observation().crash.as_ref().unwrap().kind, CrashKind::HeapOverrun);
            }
        }
        assert_eq!(run(&mut instance, "use_after_free", seed), Verdict::Crashed);
        assert_eq!(instance.observation().crash.as_ref().unwrap().kind, CrashKind::UseAfterFree);
    }
    assert!(seen[0] > 10 && seen[1] > 10, "{seen:?}");
    assert_eq!(run(&mut instance, "double_free", 0), Verdict::Crashed);
    assert_eq!(instance.observation().crash.as_ref().unwrap().kind, CrashKind::BadFree);
}

#[test]
fn the_sanitisers_handlers_name_kind_and_place() {
    let sanitizers =
        "-fsanitize=signed-integer-overflow,bounds,null,shift,integer-divide-by-zero,pointer-overflow";
    let flags = ["-mexec-model=reactor", sanitizers, "-fno-sanitize-recover=all", "-Wl,--allow-undefined"];
    let bytes = build("ubsan.c", &flags);
    let compiled = Compiled::new(&bytes, &sites(&bytes, &["add"]), &Config::default()).unwrap();
    let mut instance = compiled.instance().unwrap();
    let mut check = |relation: &str, kind: CrashKind, line: u32, message: &str| {
        assert_eq!(run(&mut instance, relation, 0), Verdict::Crashed, "{relation}");
        let crash = instance.observation().crash.as_ref().unwrap();
        assert_eq!((&crash.kind, &crash.message[..]), (&kind, message));
        let place = crash.location().unwrap();
        assert!(place.file.ends_with("ubsan.c") && place.line == line, "{place}");
    };
    check("overflow", CrashKind::SignedOverflow, 2, "signed overflow: 2147483647 + 1");
    check("index", CrashKind::IndexOutOfBounds, 3, "an index beyond its array: index 4");
    check("null", CrashKind::NullPointer, 4, "a null pointer was used");
    check("shift", CrashKind::Shift, 5, "a shift by too much, or of a negative number");
    check("division", CrashKind::Division, 6, "a division by zero or one that overflows");
    assert_eq!(run(&mut instance, "fine", 0), Verdict::Holds);
}

#[test]
fn whole_programs_run_fresh_with_their_own_coverage() {
    let program = build("program.c", &[]);
    let config =
        Config { trace: true, limits: Limits { work: 1_000_000, ..Limits::default() }, ..Config::default() };
    let program = Compiled::new(&program, &sites(&program, &["__original_main", "main"]), &config).unwrap();
    assert!(program.is_program());
    let compiled = compile("runs_program.c", &[], &config).with_program("count", program);
    let mut instance = compiled.instance().unwrap();
    for _ in 0..3 {
        assert_eq!(run(&mut instance, "lines", 0), Verdict::Holds, "{:?}", instance.observation().check);
        let runs = instance.observation().runs();
        assert_eq!(runs.len(), 2);
        for (record, lines) in runs.iter().zip([2, 1]) {
            assert_eq!(record.program, Some(0));
            assert!(!record.covered.is_empty() && !record.trace.is_empty());
            let program = record.run.program.as_ref().unwrap();
            assert_eq!((program.exit, &program.stderr[..]), (2, &b"done"[..]));
            assert_eq!(program.arguments, [b"hello"]);
            assert_eq!(program.stdin.len(), 2 * lines);
        }
        assert_eq!(run(&mut instance, "program_loops", 0), Verdict::Timeout);
        assert_eq!(run(&mut instance, "program_aborts", 0), Verdict::Crashed);
        let crash = instance.observation().crash.as_ref().unwrap();
        assert!(
            crash.kind == CrashKind::Unreachable
                && crash.stack.iter().any(|frame| frame.function.contains("main"))
        );
    }
}

#[test]
fn rust_with_its_standard_library_runs() {
    let bytes = support::rust("vectors.rs");
    let user = |name: &str| name.contains("most_frequent");
    let sites = twinrun_jit::oracle::sites_without_source(&bytes, user).unwrap();
    let compiled = Compiled::new(&bytes, &sites, &Config::default()).unwrap();
    let mut instance = compiled.instance().unwrap();
    for seed in 0..40 {
        assert_eq!(run(&mut instance, "reverse", seed), Verdict::Holds);
        let work = instance.observation().work;
        assert!(instance.observation().runs().iter().all(|record| !record.covered.is_empty()));
        assert_eq!(run(&mut instance, "panics", seed), Verdict::Crashed);
        assert_eq!(instance.observation().crash.as_ref().unwrap().kind, CrashKind::Unreachable);
        assert_eq!(
            (run(&mut instance, "reverse", seed), instance.observation().work),
            (Verdict::Holds, work)
        );
    }
}

#[test]
fn runs_recorded_without_the_host_are_those_that_it_records() {
    let compiled = compile("kernels.c", &["maxsub", "maxsub_bad", "many"], &Config::default());
    let mut instance = compiled.instance().unwrap();
    let mut seen = std::collections::BTreeSet::new();
    for name in ["reverse", "reverse_bad", "many_runs"] {
        let relation = compiled.relation(name).unwrap();
        for seed in 0..100 {
            let [full, verdict] = [Detail::Full, Detail::Verdict].map(|detail| {
                let verdict = instance.run_group(relation, &mut Uniform::new(seed), detail).unwrap();
                let covered: Vec<_> =
                    instance.observation().runs().iter().map(|record| record.covered.clone()).collect();
                (verdict, covered, instance.observation().work)
            });
            assert_eq!(full, verdict, "{name} {seed}");
            seen.insert((full.0, full.1.len()));
        }
    }
    assert!(seen.contains(&(Verdict::Holds, 22)) && seen.contains(&(Verdict::Violated, 22)), "{seen:?}");
}
