//! Hand-written and generated modules: imports, errors, and that rewriting keeps behaviour.

mod support;

use support::Uniform;
use twinrun_base::{CrashKind, Rng, Sites, Verdict};
use twinrun_jit::oracle::{rewriting_keeps_behaviour, sites_without_source};
use twinrun_jit::{Compiled, Config, Detail, Error};

fn compile(text: &str, config: &Config) -> Result<Compiled, Error> {
    let bytes = wat::parse_str(text).expect("valid text");
    Compiled::new(&bytes, &sites_without_source(&bytes, |_| true)?, config)
}

#[test]
fn an_unknown_import_is_named() {
    let error = compile(r#"(module (import "env" "frobnicate" (func)))"#, &Config::default()).err().unwrap();
    assert!(error.to_string().contains("`env.frobnicate`"), "{error}");
    let error = compile(r#"(module (import "twinrun" "intt" (func)))"#, &Config::default()).err().unwrap();
    assert!(matches!(error, Error::UnknownImport { .. }), "{error}");
    let error = compile(r#"(module (import "twinrun" "int" (func)))"#, &Config::default()).err().unwrap();
    assert!(error.to_string().contains("another type"), "{error}");
}

#[test]
fn a_corrupt_module_is_an_error() {
    for bytes in [&b"\0asm\x01\0\0\0\x01\xff"[..], b"MZ", b""] {
        assert!(matches!(
            Compiled::new(bytes, &Sites::default(), &Config::default()),
            Err(Error::Invalid(_))
        ));
    }
}

#[test]
fn what_cannot_work_here_says_so_when_it_is_called() {
    let text = r#"(module
        (import "env" "setjmp" (func $setjmp (param i32) (result i32)))
        (import "env" "__cxa_throw" (func $throw (param i32 i32 i32)))
        (func (export "relation:jump") (drop (call $setjmp (i32.const 0))))
        (func (export "relation:throw") (call $throw (i32.const 0) (i32.const 0) (i32.const 0)))
        (func (export "relation:fine")))"#;
    let compiled = compile(text, &Config::default()).unwrap();
    let mut instance = compiled.instance().unwrap();
    let mut run = |name: &str| {
        let relation = compiled.relation(name).unwrap();
        let verdict = instance.run_group(relation, &mut Uniform::new(0), Detail::Full).unwrap();
        (verdict, instance.observation().crash.clone())
    };
    assert_eq!(run("fine"), (Verdict::Holds, None));
    for (name, words) in [("jump", "setjmp"), ("throw", "-fno-exceptions")] {
        let (verdict, crash) = run(name);
        let crash = crash.unwrap();
        assert_eq!((verdict, crash.kind), (Verdict::Crashed, CrashKind::Unsupported));
        assert!(crash.message.contains(words), "{}", crash.message);
    }
}

#[test]
fn a_stack_pointer_beyond_memory_is_the_modules_own_trap() {
    for pointer in ["65600", "0x7fffffff", "-16"] {
        let text = format!(
            r#"(module (memory 1) (global $sp (export "__stack_pointer") (mut i32) (i32.const {pointer}))
            (func (export "relation:quiet"))
            (func (export "relation:stores") (local i32 i32 i32)
                (local.set 0 (global.get $sp)) (local.set 1 (i32.const 32)) (local.set 2 (i32.sub (local.get 0) (local.get 1)))
                (i32.store offset=28 (local.get 2) (local.get 0))))"#
        );
        let compiled = compile(&text, &Config::default()).unwrap();
        let mut instance = compiled.instance().unwrap();
        for (name, expected) in
            [("quiet", Verdict::Holds), ("stores", Verdict::Crashed), ("quiet", Verdict::Holds)]
        {
            let relation = compiled.relation(name).unwrap();
            let verdict = instance.run_group(relation, &mut Uniform::new(0), Detail::Full).unwrap();
            assert_eq!(verdict, expected, "{pointer}: {name}");
        }
    }
}

#[test]
fn work_counts_calls_and_loop_bodies() {
    let text = r#"(module
        (func $leaf)
        (func (export "relation:r") (local i32)
            (loop $l
                (call $leaf)
                (local.set 0 (i32.add (local.get 0) (i32.const 1)))
                (br_if $l (i32.lt_u (local.get 0) (i32.const 5))))))"#;
    let run = |work: u64| {
        let mut config = Config::default();
        config.limits.work = work;
        let compiled = compile(text, &config).unwrap();
        let mut instance = compiled.instance().unwrap();
        let relation = compiled.relation("r").unwrap();
        let verdict = instance.run_group(relation, &mut Uniform::new(0), Detail::Verdict).unwrap();
        (verdict, instance.observation().work)
    };
    // One for the relation, five loop bodies, five calls.
    assert_eq!(run(11), (Verdict::Holds, 11));
    assert_eq!(run(10), (Verdict::Timeout, 10));
}

#[test]
fn outcomes_of_every_kind_of_branch_are_traced() {
    let text = r#"(module
        (import "twinrun" "run_begin" (func $begin))
        (import "twinrun" "run_end" (func $end))
        (import "twinrun" "int" (func $int (param i32 i32 i32 i64 i64) (result i64)))
        (memory 1)
        (func (export "relation:r") (local i32)
            (local.set 0 (i32.wrap_i64 (call $int (i32.const 0) (i32.const 0) (i32.const 0) (i64.const 0) (i64.const 9))))
            (call $begin)
            (if (i32.gt_u (local.get 0) (i32.const 3)) (then (nop)))
            (drop (select (i32.const 1) (i32.const 2) (local.get 0)))
            (block (br_if 0 (local.get 0)))
            (block (block (block (br_table 0 1 2 (local.get 0)))))
            (call $end)
            (if (local.get 0) (then (nop)))))"#;
    let compiled = compile(text, &Config { trace: true, ..Config::default() }).unwrap();
    let relation = compiled.relation("r").unwrap();
    let mut instance = compiled.instance().unwrap();
    for seed in 0..30 {
        let n = Rng::new(seed).range(0, 9) as u32;
        let verdict = instance.run_group(relation, &mut Uniform::new(seed), Detail::Verdict).unwrap();
        assert_eq!(verdict, Verdict::Holds);
        let record = &instance.observation().runs()[0];
        let trace: Vec<_> = record.trace.iter().map(|edge| compiled.edges().decode(*edge)).collect();
        assert_eq!(trace, [(0, u32::from(n > 3)), (1, n.min(1)), (2, n.min(1)), (3, n.min(2))]);
    }
}

#[test]
fn growing_memory_and_tables_leave_nothing_behind() {
    let text = r#"(module
        (import "twinrun" "check" (func $check (param i32 i32 i32 i32)))
        (memory (export "memory") 1)
        (table 2 funcref)
        (global $g (mut i64) (i64.const 7))
        (elem declare func $f)
        (func $f)
        (func (export "relation:grow")
            (call $check (i32.eq (memory.grow (i32.const 3)) (i32.const 1)) (i32.const 0) (i32.const 0) (i32.const 1))
            (i32.store (i32.const 200000) (i32.const 1)))
        (func (export "relation:global")
            (call $check (i64.eq (global.get $g) (i64.const 7)) (i32.const 0) (i32.const 0) (i32.const 2))
            (global.set $g (i64.const 8))
            (i64.store (i32.const 60000) (i64.const -1)))
        (func (export "relation:fill")
            (call $check (i64.eqz (i64.load (i32.const 60000))) (i32.const 0) (i32.const 0) (i32.const 3))
            (memory.fill (i32.const 50000) (i32.const 255) (i32.const 15536)))
        TABLE)"#;
    let table = r#"(func (export "relation:table")
            (call $check (ref.is_null (table.get (i32.const 0))) (i32.const 0) (i32.const 0) (i32.const 4))
            (table.set (i32.const 0) (ref.func $f)))"#;
    for (table, relations) in [("", 3), (table, 4)] {
        let compiled = compile(&text.replace("TABLE", table), &Config::default()).unwrap();
        let mut instance = compiled.instance().unwrap();
        assert_eq!(compiled.relations().len(), relations);
        for round in 0..12 {
            let relation = twinrun_jit::RelationId(round * 7 % relations);
            let verdict = instance.run_group(relation, &mut Uniform::new(0), Detail::Verdict).unwrap();
            assert_eq!(verdict, Verdict::Holds, "{:?}", instance.observation().check);
        }
    }
}

#[test]
fn rewriting_keeps_the_behaviour_of_generated_modules() {
    let mut interesting = 0;
    for seed in 0..120 {
        let mut rng = Rng::new(seed);
        let bytes: Vec<u8> = (0..4096).map(|_| rng.bits() as u8).collect();
        let config = wasm_smith::Config {
            max_imports: 0,
            min_funcs: 2,
            max_funcs: 8,
            max_instructions: 300,
            min_memories: 1,
            max_memories: 1,
            max_memory32_bytes: 8 << 20,
            memory_max_size_required: true,
            max_table_elements: 1000,
            export_everything: true,
            allow_start_export: seed % 2 == 0,
            exceptions_enabled: false,
            gc_enabled: false,
            memory64_enabled: false,
            relaxed_simd_enabled: false,
            threads_enabled: false,
            custom_page_sizes_enabled: false,
            wide_arithmetic_enabled: false,
            ..wasm_smith::Config::default()
        };
        let mut input = arbitrary::Unstructured::new(&bytes);
        let Ok(mut module) = wasm_smith::Module::new(config, &mut input) else { continue };
        if module.ensure_termination(1000).is_err() {
            continue;
        }
        interesting += 1;
        if let Err(difference) = rewriting_keeps_behaviour(&module.to_bytes()) {
            panic!("seed {seed}: {difference}");
        }
    }
    assert!(interesting > 60, "{interesting}");
}
