//! Building small subjects and feeding them.
#![allow(dead_code, reason = "each test binary uses a part")]

use std::path::Path;
use std::process::Command;

use twinrun_base::{Inputs, IntKind, Op, OpSpec, Rng, Shape, Sites};
use twinrun_jit::oracle::sites_without_source;

/// Compiles a C file of `tests/c` as a WASI reactor (or as a program when it has a `main`).
pub(crate) fn build(name: &str, flags: &[&str]) -> Vec<u8> {
    let source = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/c").join(name);
    let out = Path::new(env!("CARGO_TARGET_TMPDIR")).join(format!(
        "{name}-{}-{:?}.wasm",
        std::process::id(),
        std::thread::current().id()
    ));
    let status = Command::new("clang-19")
        .args(["--target=wasm32-wasi", "-g", "-O0", "-Wall", "-Wl,--export=__heap_base,--stack-first"])
        .args(flags)
        .arg(&source)
        .arg("-o")
        .arg(&out)
        .status()
        .expect("clang-19 is installed");
    assert!(status.success(), "{name} does not compile");
    let bytes = std::fs::read(&out).expect("clang wrote it");
    std::fs::remove_file(&out).expect("it is ours");
    bytes
}

/// A reactor.
pub(crate) fn reactor(name: &str) -> Vec<u8> {
    build(name, &["-mexec-model=reactor"])
}

/// Sites where these functions are user code.
pub(crate) fn sites(bytes: &[u8], user: &[&str]) -> Sites {
    sites_without_source(bytes, |name| user.contains(&name)).expect("a module")
}

/// Uniform inputs from a seed.
pub(crate) struct Uniform(pub(crate) Rng);

impl Uniform {
    pub(crate) fn new(seed: u64) -> Uniform {
        Uniform(Rng::new(seed))
    }
}

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
        let byte = |index: i64| {
            if alphabet.is_empty() { index as u8 } else { alphabet[index as usize % alphabet.len()] }
        };
        out.extend((0..length).map(|_| byte(self.0.range(0, 255))));
    }
    fn permutation(&mut self, _: &str, n: u32, out: &mut Vec<i64>) {
        out.extend(0..i64::from(n));
        for index in (1..n as usize).rev() {
            out.swap(index, self.0.below(index as u64 + 1) as usize);
        }
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

/// Compiles a Rust file of `tests/rust` as a library.
pub(crate) fn rust(name: &str) -> Vec<u8> {
    let source = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/rust").join(name);
    let out = Path::new(env!("CARGO_TARGET_TMPDIR")).join(format!("{name}-{}.wasm", std::process::id()));
    let status = Command::new("rustc")
        .args(["--edition=2024", "--crate-type=cdylib", "--target=wasm32-wasip1", "-g", "-o"])
        .args([&out, &source])
        .status()
        .expect("rustc is installed");
    assert!(status.success(), "{name} does not compile");
    let bytes = std::fs::read(&out).expect("rustc wrote it");
    std::fs::remove_file(&out).expect("it is ours");
    bytes
}
