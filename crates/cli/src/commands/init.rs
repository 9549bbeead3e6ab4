//! `twinrun init`: a working project to start from.

use std::path::PathBuf;

use clap::Args;
use twinrun_base::Exit;
use twinrun_subject::init::{self, Template};

use crate::Outcome;
use crate::error::Error;
use crate::options::Common;

/// Writes a working project.
#[derive(Debug, Args)]
pub(crate) struct Init {
    /// The kind of subject: c, cpp, rust or command
    #[arg(value_parser = ["c", "cpp", "rust", "command"], default_value = "c")]
    kind: String,
    /// Where to
    #[arg(default_value = ".")]
    folder: PathBuf,
}

pub(crate) fn run(options: &Init, _: &Common) -> Outcome {
    let template = Template::from_name(&options.kind)
        .ok_or_else(|| Error::Usage(format!("there is no template {}", options.kind)))?;
    let written = init::write(template, &options.folder)?;
    for path in &written {
        println!("wrote {}", path.display());
    }
    let place = if options.folder.as_os_str() == "." {
        String::new()
    } else {
        format!("cd {} && ", options.folder.display())
    };
    println!("\nNext: {place}twinrun hunt (or twinrun test, which only tests)");
    Ok(Exit::Holds)
}
