//! What exceptions cost code that does not throw: the same program with them and with `-fno-exceptions`, in the fast engine.

use std::error::Error;
use std::path::Path;
use std::time::Instant;

use twinrun_base::Limits;
use twinrun_jit::{Compiled, Config};
use twinrun_subject::build::Variant;
use twinrun_subject::{Module, Roots};

/// How often each build is timed; the fastest counts, because others share the machine.
const TIMES: usize = 7;

/// Seconds with exceptions and without.
#[derive(Clone, Copy, Debug)]
pub struct Cost {
    /// With exceptions.
    pub with: f64,
    /// Without.
    pub without: f64,
}

impl Cost {
    /// How many times as long exceptions make it.
    pub fn factor(self) -> f64 {
        self.with / self.without
    }
}

/// Times a program in both builds, in turns.
///
/// # Errors
/// When it does not compile, or does not end well.
pub fn measure(source: &Path, cache: &Path) -> Result<Cost, Box<dyn Error>> {
    let with = load(source, &[], cache)?;
    let without = load(source, &["-fno-exceptions"], cache)?;
    let mut cost = Cost { with: f64::INFINITY, without: f64::INFINITY };
    for _ in 0..TIMES {
        cost.with = cost.with.min(time(&with)?);
        cost.without = cost.without.min(time(&without)?);
    }
    Ok(cost)
}

fn load(source: &Path, flags: &[&str], cache: &Path) -> Result<Compiled, Box<dyn Error>> {
    let bytes = std::fs::read(super::make(source, Variant::Plain, flags, cache)?)?;
    let module = Module::load(bytes, &Roots::new(source.parent().unwrap_or(Path::new("."))))?;
    let limits = Limits { work: 10_000_000_000, ..Limits::default() };
    Ok(Compiled::new(&module.bytes, &module.sites, &Config { limits, ..Config::default() })?)
}

fn time(program: &Compiled) -> Result<f64, Box<dyn Error>> {
    let start = Instant::now();
    let (verdict, run) = program.run_program(&[], &[])?;
    let seconds = start.elapsed().as_secs_f64();
    if run.exit != 0 {
        return Err(format!("the program ended as {verdict}, exit code {}", run.exit).into());
    }
    Ok(seconds)
}
