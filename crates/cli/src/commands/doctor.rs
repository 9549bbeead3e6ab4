//! `twinrun doctor`: what is installed, what is missing and how to get it.

use std::env;
use std::fmt::Write as _;
use std::io::IsTerminal as _;

use clap::Args;
use twinrun_base::Exit;
use twinrun_report::{Ink, Paint};
use twinrun_subject::doctor::{Item, Status, examine};

use crate::options::{Common, Format};
use crate::{Outcome, output, targets};

/// Says what is installed and what is missing.
#[derive(Debug, Args)]
pub(crate) struct Doctor {}

pub(crate) fn run(_: &Doctor, common: &Common) -> Outcome {
    let here = env::current_dir().unwrap_or_default();
    let items = examine(&targets::environment(&here));
    let missing = items.iter().any(|item| item.status == Status::Missing);
    let text = match common.format {
        Format::Json => serde_json::to_string_pretty(&items).unwrap_or_default() + "\n",
        _ => human(&items, Paint::new(output::color(common, std::io::stdout().is_terminal()))),
    };
    output::text(&text, common)?;
    Ok(if missing { Exit::Infrastructure } else { Exit::Holds })
}

fn human(items: &[Item], paint: Paint) -> String {
    let mut text = String::new();
    let width = items.iter().map(|item| item.name.chars().count()).max().unwrap_or_default();
    for item in items {
        let (mark, ink) = match item.status {
            Status::Found => ("found  ", Ink::Green),
            Status::Missing => ("MISSING", Ink::Red),
            Status::Optional => ("absent ", Ink::Dim),
        };
        let version = item.version.as_deref().unwrap_or_default();
        let _ = writeln!(text, "{}  {:width$}  {} {version}", paint.ink(ink, mark), item.name, item.purpose);
        if let Some(how) = item.how.as_ref().filter(|_| item.status != Status::Found) {
            let _ = writeln!(text, "         {:width$}  get it: {how}", "");
        }
    }
    text
}
