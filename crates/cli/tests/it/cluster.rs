//! Campaigns on a real server with real workers give the reports of local runs.

use std::io::Write;
use std::path::Path;
use std::process::{Child, Stdio};

use serde_json::Value;
use twinrun_cluster::server::Server;

use crate::project::{Project, command, example, root};

struct Worker(Child);

impl Drop for Worker {
    fn drop(&mut self) {
        let _ = self.0.kill();
        let _ = self.0.wait();
    }
}

/// A server, where there is one.
fn server(folder: &Path) -> Option<Server> {
    let Some(program) = Server::find(&root()) else {
        let _ = writeln!(std::io::stderr(), "skipped: nats-server is not installed (`./x test` installs it)");
        return None;
    };
    Some(Server::start(&program, folder).unwrap())
}

fn worker(folder: &Path, url: &str, more: &[&str]) -> Worker {
    let mut command = command(folder, &["worker", "--quiet", "--jobs", "1", "--nats", url]);
    Worker(command.args(more).stdin(Stdio::null()).spawn().unwrap())
}

/// The report of a command, without what tells the time, and its exit code.
fn report(project: &Project, arguments: &[&str]) -> (i32, String) {
    let ran = project.twinrun(&[arguments, &["--format", "json", "--quiet"]].concat());
    let mut report = ran.json();
    timeless(&mut report);
    // The next run begins as this one did.
    let _ = std::fs::remove_dir_all(project.path().join(".twinrun/cases"));
    (ran.code, serde_json::to_string_pretty(&report).unwrap())
}

fn timeless(value: &mut Value) {
    match value {
        Value::Array(items) => items.iter_mut().for_each(timeless),
        Value::Object(fields) => {
            fields.retain(|key, _| !key.ends_with("seconds"));
            fields.values_mut().for_each(timeless);
        }
        _ => {}
    }
}

#[test]
fn reports_of_workers_are_those_of_a_local_run() {
    let storage = tempfile::tempdir().unwrap();
    let Some(server) = server(storage.path()) else { return };
    let url = server.url();
    let _workers = [worker(storage.path(), &url, &[]), worker(storage.path(), &url, &[])];
    let project = example("maxsub");
    let commands: [&[&str]; 4] = [
        &["test", "--cases", "25000"],
        &["score", "faulty", "--cases", "50", "--every", "6"],
        &["locate", "faulty", "--groups", "100"],
        &["hunt", "faulty:reverse", "--cases", "1000", "--no-score"],
    ];
    for arguments in commands {
        let here = report(&project, arguments);
        let there = report(&project, &[arguments, &["--nats", &url]].concat());
        assert_eq!(here, there, "{arguments:?}");
        assert_eq!(
            report(&project, &[arguments, &["--nats", &url, "--local"]].concat()),
            here,
            "{arguments:?}"
        );
    }
    project.twinrun(&["cluster", "status", "--nats", &url]).expect(0, &["worker", "sandbox-any", "results"]);
}

#[test]
fn commands_run_only_where_they_are_allowed() {
    let storage = tempfile::tempdir().unwrap();
    let Some(server) = server(storage.path()) else { return };
    let url = server.url();
    let project = example("awk");
    let arguments = ["test", "awk:odd", "--cases", "30"];
    let here = report(&project, &arguments);
    // This one takes nothing: the job waits for the other.
    let _careful = worker(storage.path(), &url, &[]);
    let _allowed = worker(storage.path(), &url, &["--allow-commands"]);
    assert_eq!(report(&project, &[&arguments[..], &["--nats", &url]].concat()), here);
    let status = project.twinrun(&["cluster", "status", "--nats", &url, "--format", "json"]).json();
    let answered = |commands: bool| -> u64 {
        let workers = status["workers"].as_array().unwrap().iter();
        workers.filter(|it| it["commands"] == commands).filter_map(|it| it["answered"].as_u64()).sum()
    };
    assert_eq!(answered(false), 0, "{status}");
}
