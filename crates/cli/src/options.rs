//! The command line: every command with its options and help.

use std::path::PathBuf;
use std::time::Duration;

use clap::{Args, Parser, Subcommand, ValueEnum};

use crate::commands;

/// Finds, localises and explains faults in programs that have no oracle.
///
/// Write down how two runs of your program relate (a metamorphic relation); Twinrun does the rest.
/// Exit codes: 0 holds, 1 violated or crashed, 2 usage or project file, 3 infrastructure, 4 inconclusive.
#[derive(Debug, Parser)]
#[command(name = "twinrun", version, propagate_version = true, max_term_width = 110)]
pub(crate) struct Options {
    /// What to do.
    #[command(subcommand)]
    pub(crate) command: Command,
    /// Options of every command.
    #[command(flatten)]
    pub(crate) common: Common,
}

/// Options of every command.
#[derive(Clone, Debug, Args)]
pub(crate) struct Common {
    /// The project folder or its twinrun.toml [default: found upwards from here]
    #[arg(long, global = true, value_name = "PATH")]
    pub(crate) project: Option<PathBuf>,
    /// How the result is printed
    #[arg(long, global = true, value_enum, default_value = "human")]
    pub(crate) format: Format,
    /// Write the result to this file instead of standard output
    #[arg(long, short, global = true, value_name = "FILE")]
    pub(crate) output: Option<PathBuf>,
    /// No progress bars, only the result
    #[arg(long, short, global = true)]
    pub(crate) quiet: bool,
    /// Everything that is known of a finding: all suspects, the critical branch, all repairs
    #[arg(long, short, global = true, conflicts_with = "quiet")]
    pub(crate) verbose: bool,
    /// When to use colours (NO_COLOR is respected too)
    #[arg(long, global = true, value_enum, default_value = "auto", value_name = "WHEN")]
    pub(crate) color: When,
}

/// How a result is printed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum Format {
    /// Text for people
    Human,
    /// One self-contained page for a browser
    Html,
    /// One JSON document (its schema is in the book)
    Json,
    /// SARIF 2.1.0, for editors and code hosts
    Sarif,
    /// JUnit XML, for CI systems
    Junit,
    /// GitHub-style annotations
    Github,
}

/// When to use colours.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum When {
    /// On a terminal
    Auto,
    /// Always
    Always,
    /// Never
    Never,
}

/// The commands.
#[derive(Debug, Subcommand)]
pub(crate) enum Command {
    /// Write a working project to start from
    Init(commands::init::Init),
    /// Say what is installed, what is missing and how to get it
    Doctor(commands::doctor::Doctor),
    /// Do the whole job: test, locate, debug and prove, one verdict
    Hunt(commands::hunt::Hunt),
    /// Show the last or the running hunt in a browser
    Serve(commands::serve::Serve),
    /// Draw cases, run groups, judge and shrink
    Test(commands::test::Test),
    /// Run every path of a relation and say for which inputs it is taken
    Explore(commands::explore::Explore),
    /// Name the branch where a violating and a passing neighbour part
    Debug(commands::debug::Debug),
    /// Look for small changes of the source after which every relation holds: a diff
    Repair(commands::repair::Repair),
    /// Say which relations notice which mutants
    Score(commands::score::Score),
    /// Rank the lines that are likely to hold the fault behind violated relations
    Locate(commands::locate::Locate),
    /// Run one saved case again, also natively (gdb, sanitisers)
    Replay(commands::replay::Replay),
    /// Prove a relation for all inputs, or tell every condition under which it fails
    Prove(commands::prove::Prove),
    /// Check certificates of proofs against the modules that they are about
    Check(commands::check::Check),
    /// Make or check covering arrays, rich in groups of relations
    Combine(commands::combine::Combine),
    /// Test a debugger: sessions that should be alike must be alike
    Debugger(commands::debugger::Debugger),
    /// Take jobs from a NATS server and run them
    #[cfg(feature = "cluster")]
    Worker(commands::worker::Worker),
    /// Show, drain or empty a cluster of workers
    #[cfg(feature = "cluster")]
    Cluster(commands::cluster::Cluster),
    /// Show a saved JSON report in another format
    Report(commands::report::Report),
    /// Print shell completions
    Completions(commands::shell::Completions),
    /// Write the man pages
    Man(commands::shell::Man),
}

/// Options of everything that searches.
#[derive(Clone, Debug, Args)]
pub(crate) struct Search {
    /// The seed; the same seed draws the same cases
    ///
    /// [default: `seed` of the project, else 1]
    #[arg(long, value_name = "N")]
    pub(crate) seed: Option<u64>,
    /// Threads [default: one on each core]
    #[arg(long, short, default_value_t = 0, hide_default_value = true, value_name = "N")]
    pub(crate) jobs: usize,
    /// Cut after this time, e.g. 30s, 5m, 1h; what was found until then is reported [default: never]
    #[arg(long, value_parser = duration, value_name = "TIME")]
    pub(crate) time: Option<Duration>,
}

/// How much work is done where only a limit ends a search.
#[derive(Clone, Copy, Debug, Args)]
pub(crate) struct Effort {
    /// How much work may be done, as a multiple of the usual limit; counted, so that it means the same on every machine
    #[arg(long, value_name = "N", default_value_t = 1, value_parser = clap::value_parser!(u64).range(1..=1_000_000))]
    pub(crate) effort: u64,
}

/// `30s`, `1500ms`, `5m`, `1h`; a plain number is seconds.
pub(crate) fn duration(text: &str) -> Result<Duration, String> {
    let text = text.trim();
    let split = text.find(|c: char| !c.is_ascii_digit() && c != '.').unwrap_or(text.len());
    let (number, unit) = text.split_at(split);
    let number: f64 = number.parse().map_err(|_| format!("`{text}` is not a time such as 30s, 5m or 1h"))?;
    let seconds = match unit.trim() {
        "" | "s" => number,
        "ms" => number / 1e3,
        "m" | "min" => number * 60.0,
        "h" => number * 3600.0,
        unit => return Err(format!("`{unit}` is not a unit of time: use ms, s, m or h")),
    };
    Duration::try_from_secs_f64(seconds).map_err(|_| format!("`{text}` is too long"))
}

#[cfg(test)]
mod tests {
    use clap::CommandFactory;

    use super::*;

    #[test]
    fn the_command_line_is_consistent() {
        Options::command().debug_assert();
    }

    #[test]
    fn times_have_units() {
        assert_eq!(duration("90"), Ok(Duration::from_secs(90)));
        assert_eq!(duration("1.5m"), Ok(Duration::from_secs(90)));
        assert_eq!(duration("250ms"), Ok(Duration::from_millis(250)));
        assert!(duration("5 parsecs").unwrap_err().contains("use ms, s, m or h"));
        assert!(duration("soon").unwrap_err().contains("30s, 5m or 1h"));
    }
}
