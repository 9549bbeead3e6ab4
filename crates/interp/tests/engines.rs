//! The two engines agree on groups: verdicts, checks, crashes, work, and each run's trace, coverage and outputs.

mod common;

use std::path::Path;
use std::process::Command;
use std::sync::Arc;

use twinrun_base::{Inputs, IntKind, Limits, Op, OpSpec, Rng, Shape, Sites, Verdict};
use twinrun_interp::group::{Prepared, run_group};
use twinrun_interp::observers::blocks::Blocks;
use twinrun_interp::observers::branches::{Branches, Event};
use twinrun_interp::{Concrete, LoadOptions, Module};
use twinrun_jit::oracle::sites_without_source;
use twinrun_jit::{Compiled, Config, Detail};

/// Compiles C files to a module.
fn build(sources: &[&Path], flags: &[&str]) -> Vec<u8> {
    let out = Path::new(env!("CARGO_TARGET_TMPDIR")).join(format!(
        "{}-{:?}.wasm",
        std::process::id(),
        std::thread::current().id()
    ));
    let status = Command::new("clang-19")
        .args(["--target=wasm32-wasi", "-g", "-O0", "-Wl,--export=__heap_base,--stack-first"])
        .args(flags)
        .args(sources)
        .arg("-o")
        .arg(&out)
        .status()
        .expect("clang-19 is installed");
    assert!(status.success(), "{sources:?} do not compile");
    let bytes = std::fs::read(&out).expect("clang wrote it");
    std::fs::remove_file(&out).expect("it is ours");
    bytes
}

fn subject(name: &str, flags: &[&str]) -> Vec<u8> {
    let source = Path::new(env!("CARGO_MANIFEST_DIR")).join("../jit/tests/c").join(name);
    build(&[&source], flags)
}

/// A module in both engines.
struct Both {
    jit: Compiled,
    interp: Prepared<Concrete>,
}

fn both(bytes: &[u8], config: &Config, program: Option<(&str, &[u8])>) -> Both {
    // Every function counts as user code: traces cover the C library too.
    let sites = sites_without_source(bytes, |_| true).unwrap();
    let mut jit = Compiled::new(bytes, &sites, config).unwrap();
    let mut interp = Prepared::new(&load(bytes, sites, config), config.limits, &mut Concrete).unwrap();
    if let Some((name, bytes)) = program {
        let sites = sites_without_source(bytes, |_| true).unwrap();
        jit = jit.with_program(name, Compiled::new(bytes, &sites, config).unwrap());
        interp = interp.with_program(name, load(bytes, sites, config));
    }
    Both { jit, interp }
}

fn load(bytes: &[u8], sites: Sites, config: &Config) -> Arc<Module> {
    let options = LoadOptions {
        sites: Some(Arc::new(sites)),
        blocks: true,
        heap_checks: config.heap_checks,
        ..LoadOptions::default()
    };
    Arc::new(Module::new(bytes, options).unwrap())
}

fn config() -> Config {
    let limits = Limits { work: 300_000, memory: 64 << 20, output: 1 << 20, depth: 10_000 };
    Config { limits, trace: true, ..Config::default() }
}

/// Runs one group in both engines and compares all that they saw.
fn compare(both: &Both, relation: &str, seed: u64) -> Verdict {
    let what = format!("{relation}, seed {seed}");
    let mut instance = both.jit.instance().unwrap();
    let verdict = instance
        .run_group(both.jit.relation(relation).unwrap(), &mut Uniform(Rng::new(seed)), Detail::Full)
        .unwrap();
    let theirs = instance.observation();

    let blocks = both.jit.sites().blocks.len();
    let mut observer = (Branches::of_user_code(), Blocks::new(blocks));
    let function = both.interp.relation(relation).unwrap();
    let ours = run_group(&both.interp, function, &mut Uniform(Rng::new(seed)), &mut observer).unwrap();

    assert_eq!(ours.verdict, verdict, "{what}: {:?} {:?}", ours.crash, theirs.crash);
    assert_eq!(ours.check, theirs.check, "{what}");
    assert_eq!(ours.work, theirs.work, "{what}");
    let crash = |crash: &Option<twinrun_base::Crash>| {
        crash.as_ref().map(|crash| (crash.kind.clone(), crash.message.clone()))
    };
    assert_eq!(crash(&ours.crash), crash(&theirs.crash), "{what}");
    assert_eq!(ours.runs.len(), theirs.runs().len(), "{what}");
    let (branches, blocks) = observer;
    for (index, (mine, record)) in ours.runs.iter().zip(theirs.runs()).enumerate() {
        assert_eq!(mine.run, record.run, "{what}, run {index}");
        assert_eq!(mine.program, record.program, "{what}, run {index}");
        let edges = record.program.map_or(both.jit.edges(), |program| both.jit.programs()[program].1.edges());
        let trace = &branches.trace[branches.runs[index].clone()];
        let decided = |event: &Event| match *event {
            Event::User { branch, outcome } => Some((branch, outcome)),
            Event::Other { .. } => None,
        };
        let trace: Vec<(u32, u32)> = trace.iter().filter_map(decided).collect();
        let expected: Vec<(u32, u32)> = record.trace.iter().map(|edge| edges.decode(*edge)).collect();
        let parting = trace.iter().zip(&expected).position(|(mine, theirs)| mine != theirs);
        assert_eq!((trace.len(), parting), (expected.len(), None), "trace of {what}, run {index}");
        if record.program.is_none() {
            for (block, covered) in blocks.runs[index].iter().enumerate() {
                // A function's last `end` behind a return has no source; the other engine lets every return pass it.
                let site = &both.jit.sites().blocks[block];
                let last = both.jit.sites().functions[site.function as usize].range.1;
                if site.end == last && site.offset + 1 == last {
                    continue;
                }
                assert_eq!(*covered, record.covered.contains(block), "block {block} of {what}, run {index}");
            }
        }
    }
    verdict
}

fn compare_all(both: &Both, seeds: u64) -> Vec<Verdict> {
    let mut verdicts = Vec::new();
    for relation in both.jit.relations() {
        for seed in 0..seeds {
            verdicts.push(compare(both, relation, seed));
        }
    }
    verdicts
}

#[test]
fn relations_that_hold_and_faults_that_violate_them_agree() {
    let bytes = subject("kernels.c", &["-mexec-model=reactor"]);
    let verdicts = compare_all(&both(&bytes, &config(), None), 20);
    assert!(verdicts.contains(&Verdict::Holds) && verdicts.contains(&Verdict::Violated));
}

#[test]
fn traps_limits_and_heap_errors_agree() {
    let bytes = subject("bad.c", &["-mexec-model=reactor"]);
    let verdicts = compare_all(&both(&bytes, &config(), None), 4);
    for verdict in [Verdict::Holds, Verdict::Violated, Verdict::Discarded, Verdict::Crashed, Verdict::Timeout]
    {
        assert!(verdicts.contains(&verdict), "{verdict}");
    }
    let checked = Config { heap_checks: true, ..config() };
    compare_all(&both(&bytes, &checked, None), 4);
}

#[test]
fn the_sanitisers_handlers_agree() {
    let sanitizers =
        "-fsanitize=signed-integer-overflow,bounds,null,shift,integer-divide-by-zero,pointer-overflow";
    let flags = ["-mexec-model=reactor", sanitizers, "-fno-sanitize-recover=all", "-Wl,--allow-undefined"];
    let verdicts = compare_all(&both(&subject("ubsan.c", &flags), &config(), None), 1);
    assert!(verdicts.iter().filter(|verdict| **verdict == Verdict::Crashed).count() >= 5);
}

#[test]
fn whole_programs_agree() {
    let program = subject("program.c", &[]);
    let bytes = subject("runs_program.c", &["-mexec-model=reactor"]);
    let verdicts = compare_all(&both(&bytes, &config(), Some(("count", &program))), 2);
    assert!(
        verdicts.contains(&Verdict::Holds)
            && verdicts.contains(&Verdict::Crashed)
            && verdicts.contains(&Verdict::Timeout)
    );
}

#[test]
fn generated_programs_agree_in_trace_and_work() {
    let runner = wat::parse_str(
        r#"(module
            (import "twinrun" "program" (func $program (param i32 i32 i32 i32 i32 i32) (result i32)))
            (memory (export "memory") 1) (data (i32.const 8) "generated")
            (func (export "relation:run")
                (drop (call $program (i32.const 8) (i32.const 9) (i32.const 0) (i32.const 0) (i32.const 0) (i32.const 0)))))"#,
    )
    .unwrap();
    let mut compared = 0;
    for seed in 0..480 {
        let Some(program) = common::generated_program(seed) else { continue };
        let sites = sites_without_source(&program, |_| true).unwrap();
        // wasmtime is built without garbage collection and so refuses external references.
        if Compiled::new(&program, &sites, &config()).is_err() {
            continue;
        }
        if Prepared::new(&load(&program, sites, &config()), config().limits, &mut Concrete).is_err() {
            continue;
        }
        compare(&both(&runner, &config(), Some(("generated", &program))), "run", seed);
        compared += 1;
    }
    assert!(compared > 20, "only {compared} programs were compared");
}

/// Instructions on ranges are charged by their length, in both engines alike: also those that trap, and those that reach the limit.
#[test]
fn instructions_on_ranges_cost_the_same() {
    let bodies = [
        "(memory.fill (i32.const 0) (i32.const 7) (local.get $n))",
        "(memory.copy (i32.const 9) (i32.const 0) (local.get $n))",
        "(memory.init $data (i32.const 9) (i32.const 0) (i32.and (local.get $n) (i32.const 63)))",
        "(table.fill $table (i32.const 0) (ref.null func) (i32.and (local.get $n) (i32.const 255)))",
        "(table.copy $table $table (i32.const 1) (i32.const 0) (i32.and (local.get $n) (i32.const 255)))",
        "(drop (table.grow $table (ref.null func) (i32.and (local.get $n) (i32.const 15))))",
        "(drop (memory.grow (i32.and (local.get $n) (i32.const 3))))",
        "(loop (memory.fill (i32.const 0) (i32.const 7) (local.get $n)) (br 0))",
    ];
    let mut verdicts = Vec::new();
    for body in bodies {
        let text = format!(
            r#"(module
                (import "twinrun" "int" (func $int (param i32 i32 i32 i64 i64) (result i64)))
                (import "twinrun" "run_begin" (func $begin))
                (import "twinrun" "run_end" (func $end))
                (memory (export "memory") 1) (data $data "0123456789abcdef0123456789abcdef0123456789abcdef0123456789abcdef")
                (table $table 256 funcref)
                (func (export "relation:range") (local $n i32)
                    (local.set $n (i32.wrap_i64 (call $int (i32.const 0) (i32.const 0) (i32.const 0) (i64.const 0) (i64.const 100000))))
                    (call $begin) {body} (call $end)))"#
        );
        verdicts.extend(compare_all(&both(&wat::parse_str(text).unwrap(), &config(), None), 12));
    }
    for verdict in [Verdict::Holds, Verdict::Crashed, Verdict::Timeout] {
        assert!(verdicts.contains(&verdict), "{verdict:?} did not occur");
    }
}

/// Uniform inputs from a seed.
struct Uniform(Rng);

impl Inputs for Uniform {
    fn int(&mut self, _: &str, _: IntKind, lo: i64, hi: i64) -> i64 {
        self.0.range(lo, hi)
    }

    fn float(&mut self, _: &str, lo: f64, hi: f64) -> f64 {
        lo + self.0.unit() * (hi - lo)
    }

    fn ints(&mut self, _: &str, _: IntKind, shape: Shape, lo: i64, hi: i64, out: &mut Vec<i64>) {
        out.extend((0..shape.count()).map(|_| self.0.range(lo, hi)));
    }

    fn floats(&mut self, _: &str, shape: Shape, lo: f64, hi: f64, out: &mut Vec<f64>) {
        out.extend((0..shape.count()).map(|_| lo + self.0.unit() * (hi - lo)));
    }

    fn text(&mut self, _: &str, min: u32, max: u32, alphabet: &[u8], out: &mut Vec<u8>) {
        let length = self.0.range(i64::from(min), i64::from(max));
        for _ in 0..length {
            let byte = self.0.bits() as u8;
            out.push(if alphabet.is_empty() { byte } else { alphabet[usize::from(byte) % alphabet.len()] });
        }
    }

    fn permutation(&mut self, _: &str, n: u32, out: &mut Vec<i64>) {
        out.extend(0..i64::from(n));
        self.0.shuffle(out);
    }

    fn ops(&mut self, _: &str, max: u32, specs: &[OpSpec], out: &mut Vec<Op>) {
        for _ in 0..self.0.range(0, i64::from(max)) {
            let op = self.0.below(specs.len() as u64) as usize;
            let mut arguments = [0; 3];
            for (argument, (lo, hi)) in arguments.iter_mut().zip(&specs[op].arguments) {
                *argument = self.0.range(i64::from(*lo), i64::from(*hi)) as i32;
            }
            out.push(Op { op: op as i32, arguments });
        }
    }
}

#[test]
fn examples_agree() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    let mut compared = 0;
    for entry in std::fs::read_dir(root.join("examples")).unwrap() {
        let folder = entry.unwrap().path();
        let mut sources: Vec<_> = std::fs::read_dir(&folder)
            .unwrap()
            .map(|file| file.unwrap().path())
            .filter(|path| path.extension().is_some_and(|extension| extension == "c"))
            .collect();
        sources.sort();
        if sources.is_empty()
            || std::fs::read_to_string(folder.join("twinrun.toml")).unwrap().contains(".program]")
        {
            continue;
        }
        let include = format!("-I{}", root.join("sdk/c").display());
        let sources: Vec<&Path> = sources.iter().map(std::path::PathBuf::as_path).collect();
        let bytes = build(&sources, &["-mexec-model=reactor", &include]);
        compared += compare_all(&both(&bytes, &config(), None), 4).len();
    }
    assert!(compared > 30, "only {compared} groups were compared");
}
