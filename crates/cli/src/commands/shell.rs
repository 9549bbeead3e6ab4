//! `twinrun completions` and `twinrun man`: made from the same definitions as the command line itself.

use std::path::PathBuf;
use std::{fs, io};

use clap::{Args, CommandFactory};
use clap_complete::Shell;
use twinrun_base::Exit;

use crate::Outcome;
use crate::error::Error;
use crate::options::Options;

/// Prints shell completions.
#[derive(Debug, Args)]
pub(crate) struct Completions {
    /// The shell
    shell: Shell,
}

/// Writes man pages.
#[derive(Debug, Args)]
pub(crate) struct Man {
    /// The folder to write twinrun.1, twinrun-test.1 … into
    folder: PathBuf,
}

pub(crate) fn completions(options: &Completions) -> Outcome {
    clap_complete::generate(options.shell, &mut Options::command(), "twinrun", &mut io::stdout());
    Ok(Exit::Holds)
}

pub(crate) fn man(options: &Man) -> Outcome {
    let failed = |source| Error::Write { path: options.folder.clone(), source };
    fs::create_dir_all(&options.folder).map_err(failed)?;
    clap_mangen::generate_to(Options::command(), &options.folder).map_err(failed)?;
    println!(
        "man pages written to {}; read one with `man -l {}/twinrun.1`",
        options.folder.display(),
        options.folder.display()
    );
    Ok(Exit::Holds)
}
