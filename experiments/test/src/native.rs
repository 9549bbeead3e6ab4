//! The same relations with proptest on natively linked C.

use std::ffi::c_int;

use proptest::collection::vec;
use proptest::test_runner::{Config, TestCaseError, TestRunner};
use twinrun_results::cpu_seconds;

unsafe extern "C" {
    #[link_name = "maxsub"]
    fn c_maxsub(a: *const c_int, n: c_int) -> c_int;
    fn insertion_sort(a: *mut c_int, n: c_int);
}

fn runner(cases: u32) -> TestRunner {
    TestRunner::new(Config { cases, failure_persistence: None, ..Config::default() })
}

/// Groups per second of MAXSUB under reversal.
pub(crate) fn maxsub(cases: u32) -> f64 {
    let began = cpu_seconds();
    let outcome = runner(cases).run(&vec(-1000..=1000i32, 1..=6), |a| {
        let b: Vec<i32> = a.iter().rev().copied().collect();
        // SAFETY: both pointers are valid for their lengths.
        let (source, follow_up) =
            unsafe { (c_maxsub(a.as_ptr(), a.len() as c_int), c_maxsub(b.as_ptr(), b.len() as c_int)) };
        if source == follow_up { Ok(()) } else { Err(TestCaseError::fail("violated")) }
    });
    outcome.expect("the kernel is correct");
    f64::from(cases) / (cpu_seconds() - began)
}

/// Groups per second of sorting under reversal.
pub(crate) fn sort(cases: u32) -> f64 {
    let began = cpu_seconds();
    let outcome = runner(cases).run(&vec(-1000..=1000i32, 1..=32), |mut a| {
        let mut b: Vec<i32> = a.iter().rev().copied().collect();
        // SAFETY: both pointers are valid for their lengths.
        unsafe {
            insertion_sort(a.as_mut_ptr(), a.len() as c_int);
            insertion_sort(b.as_mut_ptr(), b.len() as c_int);
        }
        if a == b { Ok(()) } else { Err(TestCaseError::fail("violated")) }
    });
    outcome.expect("the kernel is correct");
    f64::from(cases) / (cpu_seconds() - began)
}
