//! Printing: results to standard output or a file, messages and progress to standard error.

use std::io::{IsTerminal, Write};
use std::path::Path;
use std::{env, fs, io};

use twinrun_base::{Cause, Report};
use twinrun_report::{Options, Progress, Sources};

use crate::error::Error;
use crate::options::{Common, Format, When};

/// Prints a report in the chosen format; `project` is where its source files lie.
pub(crate) fn report(report: &Report, project: &Path, common: &Common) -> Result<(), Error> {
    let sources = Sources::read(project, report);
    let color = color(common, io::stdout().is_terminal());
    let options = Options { width: width(), color, verbose: common.verbose, sources: &sources };
    let name = match common.format {
        Format::Human => "human",
        Format::Json => "json",
        Format::Sarif => "sarif",
        Format::Junit => "junit",
        Format::Github => "github",
        Format::Html => "html",
    };
    let format =
        twinrun_report::format(name).ok_or_else(|| Error::Usage(format!("there is no format {name}")))?;
    text(&(format.render)(report, &options), common)
}

/// Prints a text to standard output or to `--output`.
pub(crate) fn text(text: &str, common: &Common) -> Result<(), Error> {
    match &common.output {
        Some(path) => fs::write(path, text).map_err(|source| Error::Write { path: path.clone(), source }),
        None => match io::stdout().write_all(text.as_bytes()) {
            // The reader has seen enough (`| head`).
            Err(error) if error.kind() == io::ErrorKind::BrokenPipe => Ok(()),
            Err(source) => Err(Error::Write { path: "standard output".into(), source }),
            Ok(()) => Ok(()),
        },
    }
}

/// Writes words for people; a reader that has gone has seen enough.
pub(crate) fn write(stream: &mut dyn Write, words: std::fmt::Arguments<'_>) {
    let _ = stream.write_all(words.to_string().as_bytes());
}

/// A progress display on standard error; none when quiet.
pub(crate) fn progress(common: &Common) -> Option<Progress> {
    if common.quiet {
        None
    } else if io::stderr().is_terminal() {
        Some(Progress::bar(color(common, true)))
    } else {
        Some(Progress::lines(io::stderr(), 10_000))
    }
}

/// Prints what kept a command from answering.
pub(crate) fn error(error: &Error, common: &Common) {
    let paint = color(common, io::stderr().is_terminal());
    let (red, plain) = if paint { ("\x1b[1;31m", "\x1b[0m") } else { ("", "") };
    eprintln!("{red}error{plain}: {}", error.text(paint));
}

/// Prints what a cut left without an answer.
pub(crate) fn cut(error: &Error, cause: Cause, common: &Common) {
    eprintln!("cut: {cause}, before there was an answer: {}", error.text(false));
    if common.format == Format::Json {
        let report = serde_json::json!({
            "version": env!("CARGO_PKG_VERSION"),
            "cut": cause,
            "notices": [error.text(false)],
        });
        let text = serde_json::to_string_pretty(&report).unwrap_or_default() + "\n";
        // The error that matters was told.
        let _ = self::text(&text, common);
    }
}

/// Whether to use colours on a stream that is (or is not) a terminal.
pub(crate) fn color(common: &Common, terminal: bool) -> bool {
    match common.color {
        When::Always => true,
        When::Never => false,
        When::Auto => terminal && env::var_os("NO_COLOR").is_none_or(|value| value.is_empty()),
    }
}

/// Columns of the terminal, 100 without one.
pub(crate) fn width() -> usize {
    let terminal = console::Term::stdout();
    terminal.size_checked().map_or(100, |(_, columns)| usize::from(columns)).clamp(40, 160)
}
