//! `./x experiment soundness [--minutes N] [--jobs N] [--relations N] [--only FAMILY,…] [--seed N] [--fresh] [--show RELATION]
//! [--shrink RELATION] [--folder FOLDER]`: is what the prover says true?

mod study;

use std::error::Error;

/// As much stack as a group may use, so that none moves to another one.
const STACK: usize = 64 << 20;

fn main() -> Result<(), Box<dyn Error>> {
    let run = || study::run(std::env::args().skip(1)).map_err(|error| error.to_string());
    let done = std::thread::Builder::new().stack_size(STACK).spawn(run)?.join();
    Ok(done.map_err(|_| "the study panicked")??)
}
