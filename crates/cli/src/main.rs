//! The `twinrun` command: arguments, configuration, exit codes. It alone reads the environment and prints.

// Those of the standard library panic when the reader has gone (`twinrun init c | head -1`). These take their place in all modules below: nobody has to
// remember to use others.
macro_rules! print {
    ($($words:tt)*) => { $crate::output::write(&mut std::io::stdout(), format_args!($($words)*)) };
}
macro_rules! println {
    ($($words:tt)*) => { print!("{}\n", format_args!($($words)*)) };
}
macro_rules! eprintln {
    ($($words:tt)*) => { $crate::output::write(&mut std::io::stderr(), format_args!("{}\n", format_args!($($words)*))) };
}

mod apart;
mod baseline;
mod cluster;
mod commands;
mod error;
mod options;
mod output;
mod stop;
mod targets;

use std::process::ExitCode;

use clap::Parser;
use twinrun_base::{Cut, Exit, cut};
use twinrun_testing::engine::with_stack;

use error::Error;
use options::{Command, Common, Options};

fn main() -> ExitCode {
    let options = Options::parse();
    let common = options.common;
    let began = Cut::default();
    let (result, cut) =
        cut::within(Some(began), || (with_stack(|| run(options.command, &common)), cut::requested()));
    let exit = result.unwrap_or_else(|error| {
        if let Some(cause) = cut {
            // What was cut may have no answer at all.
            output::cut(&error, cause, &common);
            return Exit::Inconclusive;
        }
        output::error(&error, &common);
        error.exit()
    });
    ExitCode::from(exit as u8)
}

fn run(command: Command, common: &Common) -> Outcome {
    match command {
        Command::Init(init) => commands::init::run(&init, common),
        Command::Doctor(doctor) => commands::doctor::run(&doctor, common),
        Command::Hunt(hunt) => commands::hunt::run(&hunt, common),
        Command::Serve(serve) => commands::serve::run(&serve, common),
        Command::Test(test) => commands::test::run(&test, common),
        Command::Explore(explore) => commands::explore::run(&explore, common),
        Command::Debug(debug) => commands::debug::run(&debug, common),
        Command::Repair(repair) => commands::repair::run(&repair, common),
        Command::Score(score) => commands::score::run(&score, common),
        Command::Locate(locate) => commands::locate::run(&locate, common),
        Command::Replay(replay) => commands::replay::run(&replay, common),
        Command::Prove(prove) => commands::prove::run(&prove, common),
        Command::Check(check) => commands::check::run(&check, common),
        Command::Combine(combine) => commands::combine::run(&combine, common),
        Command::Debugger(debugger) => commands::debugger::run(&debugger, common),
        #[cfg(feature = "cluster")]
        Command::Worker(worker) => commands::worker::run(&worker, common),
        #[cfg(feature = "cluster")]
        Command::Cluster(cluster) => commands::cluster::run(&cluster, common),
        Command::Report(report) => commands::report::run(&report, common),
        Command::Completions(completions) => commands::shell::completions(&completions),
        Command::Man(man) => commands::shell::man(&man),
    }
}

/// What a command gives back: the exit code, or what kept it from answering.
type Outcome = Result<Exit, Error>;
