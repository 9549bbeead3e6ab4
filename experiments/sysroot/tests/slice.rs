//! A part of the study in every test run: programs whose failure would show that something of the whole does not work.

use std::io::Write as _;

use twinrun_experiment_sysroot::{compare, programs};
use twinrun_subject::build::Variant;

fn check(kind: &str, names: &[&str], variant: Variant) {
    let cache = tempfile::tempdir().expect("a folder");
    let programs = programs(kind).expect("the programs are there");
    for name in names {
        if name.ends_with(".cpp") && !has_native_cxx() {
            // Past the capture of tests: what was not tried is said.
            let _ = writeln!(
                std::io::stderr(),
                "skipped: {name}: there is no native C++ compiler to compare with"
            );
            continue;
        }
        let outcome = compare(&programs[*name], variant, cache.path()).expect("it builds and runs");
        assert!(outcome.is_same(), "{name}: {outcome:#?}");
    }
}

/// Whether C++ is compiled and linked for this machine: clang takes the library of g++.
fn has_native_cxx() -> bool {
    std::process::Command::new("g++").arg("--version").output().is_ok_and(|output| output.status.success())
}

#[test]
fn exceptions_are_as_they_are_natively() {
    let names = [
        "by_base_and_by_derived.cpp",
        "constructors_undo_what_they_made.cpp",
        "deep_recursion.cpp",
        "pointers_convert.cpp",
        "rethrow_keeps_the_object.cpp",
        "through_c_frames.cpp",
        "values_of_all_kinds.cpp",
        "virtual_base_is_found.cpp",
    ];
    check("exceptions", &names, Variant::Plain);
}

#[test]
fn jumps_are_as_they_are_natively() {
    let names = [
        "lua_style_protected_calls.c",
        "nested_handlers.c",
        "out_of_deep_calls.c",
        "two_buffers.c",
        "inside_cpp_beside_exceptions.cpp",
    ];
    check("setjmp", &names, Variant::Plain);
}

#[test]
fn threads_and_signals_are_as_they_are_natively() {
    check("library", &["signals_and_memory.c", "threads_in_c.c"], Variant::Plain);
}

#[test]
fn checked_builds_find_nothing_in_what_was_left() {
    check("setjmp", &["out_of_deep_calls.c", "buffer_in_a_structure.c"], Variant::Checked);
    check("exceptions", &["deep_recursion.cpp", "destructors_run_on_the_way.cpp"], Variant::Checked);
}
