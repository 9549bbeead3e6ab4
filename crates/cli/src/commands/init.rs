//! `twinrun init`: a working project to start from.

use std::io::{BufRead as _, IsTerminal as _, Write as _};
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
    /// The kind of subject [default: asked for on a terminal, otherwise c]
    #[arg(value_parser = ["c", "cpp", "rust", "command"])]
    kind: Option<String>,
    /// Where to
    #[arg(default_value = ".")]
    folder: PathBuf,
}

pub(crate) fn run(options: &Init, _: &Common) -> Outcome {
    let kind = match &options.kind {
        Some(kind) => kind.clone(),
        None if std::io::stdin().is_terminal() => ask()?,
        None => KINDS[0].0.to_owned(),
    };
    let template = Template::from_name(&kind)
        .ok_or_else(|| Error::Usage(format!("there is no template {kind}: c, cpp, rust and command are")))?;
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

/// What can be chosen, and how it is asked for.
const KINDS: [(&str, &str); 4] = [
    ("c", "functions in C"),
    ("cpp", "functions in C++"),
    ("rust", "functions in Rust"),
    ("command", "a program that is run by a command, whatever it is written in"),
];

/// Asks for the kind; an empty line means the first.
fn ask() -> Result<String, Error> {
    println!("What do you want to test?");
    for (number, (kind, words)) in (1..).zip(KINDS) {
        println!("  {number}) {kind:<8} {words}");
    }
    print!("Number or name [1]: ");
    let mut line = String::new();
    std::io::stdout()
        .flush()
        .and_then(|()| std::io::stdin().lock().read_line(&mut line))
        .map_err(|error| Error::Infrastructure(format!("cannot read the answer: {error}")))?;
    let answer = line.trim();
    let chosen = match answer {
        "" => Some(KINDS[0].0),
        _ => (1..)
            .zip(KINDS)
            .find(|(number, (kind, _))| answer == *kind || answer == number.to_string())
            .map(|(_, (kind, _))| kind),
    };
    chosen
        .map(str::to_owned)
        .ok_or_else(|| Error::Usage(format!("`{answer}` is none of 1 to 4, c, cpp, rust and command")))
}
