//! The same C functions natively, at `-O0` as in WebAssembly.

fn main() {
    println!("cargo::rerun-if-changed=project");
    cc::Build::new().file("project/kernels.c").opt_level(0).debug(true).warnings(false).compile("kernels");
}
