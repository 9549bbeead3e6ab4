//! `./x experiment soundness [--minutes N] [--jobs N] [--relations N] [--only FAMILY,…] [--seed N] [--fresh] [--show RELATION]
//! [--shrink RELATION] [--kept]`: is what the prover says true?

mod study;

use std::error::Error;

fn main() -> Result<(), Box<dyn Error>> {
    study::run(std::env::args().skip(1))
}
