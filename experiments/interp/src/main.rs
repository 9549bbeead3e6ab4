//! `./x bench interp`: the same kernels, compiled at `-O0`, on our interpreter, on wasmtime and on wasmi, in one process.

use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::Arc;

use serde_json::json;
use twinrun_base::Limits;
use twinrun_interp::module::Item;
use twinrun_interp::observers::branches::Branches;
use twinrun_interp::observers::dependence::Dependence;
use twinrun_interp::{Concrete, LoadOptions, Module, NoImports, Observer, Outcome, State, call, instantiate};
use twinrun_results::Results;

/// Kernel, and how many rounds make some milliseconds on wasmtime.
const KERNELS: [(&str, i32); 6] = [
    ("maxsub", 200),
    ("insertion_sort", 40),
    ("matrix", 20),
    ("calls", 300),
    ("strip_comments", 100),
    ("sieve", 15),
];

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let bytes = std::fs::read(build()?)?;
    let mut results = Results::new("bench-interp");
    results.notes.push(
        "Six C kernels at `-O0` (`experiments/interp/kernels/kernels.c`), best CPU time of seven rounds each, all engines in one process. wasmtime compiles with \
         Cranelift; wasmi is the newest release with its default configuration. `branches` and `dependence` are our interpreter with those observers."
            .to_owned(),
    );
    let (mut product_wasmtime, mut product_wasmi, mut worst) = (1.0, 1.0, 0.0f64);
    for (kernel, rounds) in KERNELS {
        let (expected, wasmtime) = on_wasmtime(&bytes, kernel, rounds)?;
        let (found, wasmi) = on_wasmi(&bytes, kernel, rounds)?;
        assert_eq!(found, expected, "{kernel} on wasmi");
        let ours = on_interp(&bytes, kernel, rounds, expected, 7, || ());
        let branches = on_interp(&bytes, kernel, rounds, expected, 3, Branches::default);
        let few = (rounds / 20).max(1);
        let dependence = on_interp_some(&bytes, kernel, few) * f64::from(rounds) / f64::from(few);
        product_wasmtime *= ours / wasmtime;
        product_wasmi *= ours / wasmi;
        worst = worst.max(ours / wasmtime);
        let round = |number: f64| (number * 100.0).round() / 100.0;
        results.row(&json!({
            "kernel": kernel,
            "wasmtime ms": round(wasmtime * 1e3),
            "wasmi ms": round(wasmi * 1e3),
            "interp ms": round(ours * 1e3),
            "interp/wasmtime": round(ours / wasmtime),
            "interp/wasmi": round(ours / wasmi),
            "branches/interp": round(branches / ours),
            "dependence/interp": round(dependence / ours),
        }));
    }
    let mean = |product: f64| (product.powf(1.0 / KERNELS.len() as f64) * 100.0).round() / 100.0;
    results.total("interp_vs_wasmtime", mean(product_wasmtime));
    results.total("interp_vs_wasmtime_worst", (worst * 100.0).round() / 100.0);
    results.total("interp_vs_wasmi", mean(product_wasmi));
    println!("{}", results.markdown());
    results.write()?;
    Ok(())
}

fn build() -> Result<PathBuf, Box<dyn std::error::Error>> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR"));
    let out = std::env::temp_dir().join(format!("twinrun-kernels-{}.wasm", std::process::id()));
    let status = Command::new("clang-19")
        .args(["--target=wasm32-wasi", "-g", "-O0", "-nostdlib", "-Wl,--no-entry,--stack-first"])
        .arg(folder.join("kernels/kernels.c"))
        .arg("-o")
        .arg(&out)
        .status()?;
    if status.success() { Ok(out) } else { Err("the kernels do not compile".into()) }
}

/// The least CPU time of several rounds: other work on the machine only adds time.
fn best(rounds: u32, mut action: impl FnMut()) -> f64 {
    (0..rounds)
        .map(|_| {
            let start = cpu_seconds();
            action();
            cpu_seconds() - start
        })
        .fold(f64::MAX, f64::min)
}

/// CPU time of this thread.
fn cpu_seconds() -> f64 {
    let mut time = libc::timespec { tv_sec: 0, tv_nsec: 0 };
    // SAFETY: the pointer is to a timespec of ours, and the clock exists on Linux.
    let failed = unsafe { libc::clock_gettime(libc::CLOCK_THREAD_CPUTIME_ID, &raw mut time) };
    assert_eq!(failed, 0, "this thread has a CPU clock");
    time.tv_sec as f64 + time.tv_nsec as f64 * 1e-9
}

fn on_wasmtime(bytes: &[u8], kernel: &str, rounds: i32) -> Result<(i32, f64), Box<dyn std::error::Error>> {
    let engine = wasmtime::Engine::default();
    let module = wasmtime::Module::new(&engine, bytes).map_err(|error| error.to_string())?;
    let mut store = wasmtime::Store::new(&engine, ());
    let instance = wasmtime::Instance::new(&mut store, &module, &[]).map_err(|error| error.to_string())?;
    let function =
        instance.get_typed_func::<i32, i32>(&mut store, kernel).map_err(|error| error.to_string())?;
    let mut result = 0;
    let time = best(7, || result = function.call(&mut store, rounds).expect("no trap"));
    Ok((result, time))
}

fn on_wasmi(bytes: &[u8], kernel: &str, rounds: i32) -> Result<(i32, f64), Box<dyn std::error::Error>> {
    let engine = wasmi::Engine::default();
    let module = wasmi::Module::new(&engine, bytes)?;
    let mut store = wasmi::Store::new(&engine, ());
    let instance = wasmi::Linker::new(&engine).instantiate_and_start(&mut store, &module)?;
    let function = instance.get_typed_func::<i32, i32>(&store, kernel)?;
    let mut result = 0;
    let time = best(7, || result = function.call(&mut store, rounds).expect("no trap"));
    Ok((result, time))
}

fn prepare(bytes: &[u8], kernel: &str) -> (State<Concrete>, u32) {
    let module = Arc::new(Module::new(bytes, LoadOptions::default()).expect("a module"));
    let limits = Limits { work: u64::MAX, ..Limits::default() };
    let mut state = State::new(limits);
    let instance = instantiate(&mut state, &mut Concrete, &mut NoImports, &module).expect("links");
    let Some(Item::Function(function)) = state.export(instance, kernel) else { panic!("no {kernel}") };
    (state, function)
}

fn on_interp<O: Observer>(
    bytes: &[u8],
    kernel: &str,
    rounds: i32,
    expected: i32,
    times: u32,
    observer: impl Fn() -> O,
) -> f64 {
    let (mut state, function) = prepare(bytes, kernel);
    best(times, || {
        let outcome =
            call(&mut state, &mut Concrete, &mut NoImports, &mut observer(), function, &[rounds as u64]);
        assert_eq!(outcome, Outcome::Finished);
        assert_eq!(state.results[0] as i32, expected, "{kernel}");
    })
}

fn on_interp_some(bytes: &[u8], kernel: &str, rounds: i32) -> f64 {
    let (mut state, function) = prepare(bytes, kernel);
    best(2, || {
        let outcome = call(
            &mut state,
            &mut Concrete,
            &mut NoImports,
            &mut Dependence::new(),
            function,
            &[rounds as u64],
        );
        assert_eq!(outcome, Outcome::Finished);
    })
}
