//! Campaigns on a real server with real workers give the reports of local runs.

use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};

use twinrun_cluster::server::{Certificates, Server};

use crate::project::{Project, command, example, root, twinrun, without_times};

struct Worker(Child);

impl Drop for Worker {
    fn drop(&mut self) {
        let _ = self.0.kill();
        let _ = self.0.wait();
    }
}

/// Says that something cannot be tried here, and why.
fn skipped<T>(why: &str) -> Option<T> {
    // Not by `eprintln!`, which the test harness captures.
    let _ = writeln!(std::io::stderr(), "skipped: {why}");
    None
}

fn program() -> Option<PathBuf> {
    Server::find(&root()).or_else(|| skipped("nats-server is not installed (`./x test` installs it)"))
}

/// A server, where there is one.
fn server(folder: &Path) -> Option<Server> {
    Some(Server::start(&program()?, folder).unwrap())
}

fn worker(folder: &Path, url: &str, more: &[&str]) -> Worker {
    let mut command = command(folder, &["worker", "--quiet", "--jobs", "1", "--nats", url]);
    Worker(command.args(more).stdin(Stdio::null()).spawn().unwrap())
}

/// The report of a command, without what tells the time, and its exit code.
fn report(project: &Project, arguments: &[&str]) -> (i32, String) {
    let ran = project.twinrun(&[arguments, &["--format", "json", "--quiet"]].concat());
    let report = without_times(ran.json());
    // The next run begins as this one did.
    let _ = std::fs::remove_dir_all(project.path().join(".twinrun/cases"));
    let _ = std::fs::remove_file(project.path().join(".twinrun/debugger.sqlite"));
    (ran.code, serde_json::to_string_pretty(&report).unwrap())
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

#[test]
fn debuggers_are_tested_where_commands_are_allowed() {
    if Command::new("node").arg("--version").output().is_err() {
        let _: Option<()> = skipped("node is not installed");
        return;
    }
    let storage = tempfile::tempdir().unwrap();
    let Some(server) = server(storage.path()) else { return };
    let url = server.url();
    let project = Project::new(&[(
        "sum.js",
        "function sum(xs) {\n  let s = 0;\n  for (const x of xs) {\n    s += x;\n  }\n  return s;\n}\nconsole.log(sum([1, 2, 3]));\n",
    )]);
    let arguments = ["debugger", "sum.js", "--tests", "2", "--rounds", "2"];
    let here = report(&project, &arguments);
    let _careful = worker(storage.path(), &url, &[]);
    let _allowed = worker(storage.path(), &url, &["--allow-commands"]);
    assert_eq!(report(&project, &[&arguments[..], &["--nats", &url]].concat()), here);
}

#[test]
fn jobs_that_nobody_takes_are_told_of() {
    let storage = tempfile::tempdir().unwrap();
    let Some(server) = server(storage.path()) else { return };
    let url = server.url();
    let project = example("maxsub");
    let wait = |more: &[&str], said: &str| {
        let arguments = ["test", "maxsub:reverse", "--cases", "100", "--time", "12s", "--nats", &url];
        let ran = project.twinrun(&[&arguments[..], more].concat());
        assert!(ran.err.contains(said), "{ran:#?}");
    };
    wait(&[], "no worker is there");
    let _worker = worker(storage.path(), &url, &[]);
    wait(&["--label", "large"], "no worker has the label large");
}

#[test]
fn files_of_certificates_are_read_from_options_and_projects() {
    let folder = tempfile::tempdir().unwrap();
    let Some(program) = program() else { return };
    let Some(Certificates { ca, certificate, key }) = Certificates::make(folder.path()).unwrap() else {
        return skipped("openssl is not installed").unwrap_or_default();
    };
    let (config, log) = (folder.path().join("server.conf"), folder.path().join("server.log"));
    let name = |path: &Path| path.display().to_string();
    let (ca, certificate, key) = (name(&ca), name(&certificate), name(&key));
    let storage = name(&folder.path().join("storage"));
    let tls = format!(
        "tls {{ cert_file: \"{certificate}\", key_file: \"{key}\", ca_file: \"{ca}\", verify: true }}"
    );
    std::fs::write(&config, format!("jetstream {{ store_dir: \"{storage}\" }}\n{tls}\n")).unwrap();
    let server = Server::guarded(&program, &config, &log, Vec::new()).unwrap();
    let url = server.url();
    let access = ["--nats-ca", &ca, "--nats-cert", &certificate, "--nats-key", &key];
    let _worker = worker(folder.path(), &url, &access);
    let project = example("maxsub");
    let here = report(&project, &["test", "faulty", "--cases", "500"]);
    let path = project.path().join("twinrun.toml");
    let text = std::fs::read_to_string(&path).unwrap();
    let of_project =
        format!("nats = \"{url}\"\nca = \"{ca}\"\ncertificate = \"{certificate}\"\nkey = \"{key}\"\n");
    std::fs::write(&path, format!("[cluster]\n{of_project}\n{text}")).unwrap();
    assert_eq!(report(&project, &["test", "faulty", "--cases", "500"]), here);
    project.twinrun(&["cluster", "status"]).expect(0, &["sandbox-any"]);
    // Without a certificate, and with none of the authority's.
    let outside = |more: &[&str]| {
        twinrun(folder.path(), &[&["cluster", "status", "--nats", &url], more].concat())
            .expect(3, &["cannot connect to NATS"]);
    };
    outside(&access[..2]);
    outside(&access[2..]);
}

#[test]
fn templates_name_options_that_exist() {
    let folder = root().join("templates/cluster");
    let read = |name: &str| std::fs::read_to_string(folder.join(name)).unwrap();
    let lists = |text: &str, key: &str| -> Vec<Vec<String>> {
        let lines = text.lines().filter_map(|line| line.trim().strip_prefix(key));
        lines
            .map(|list| serde_json::from_str(list.trim()).unwrap_or_else(|error| panic!("{error}: {list}")))
            .collect()
    };
    let mut all = lists(&read("kubernetes.yml"), "args:");
    all.extend(lists(&read("compose.yml"), "command:"));
    let script = read("slurm.sh").replace("\\\n", " ");
    let started = script.lines().find_map(|line| line.strip_prefix("exec twinrun ")).unwrap();
    all.push(started.split_whitespace().map(|word| word.trim_matches('"').to_owned()).collect());
    let workers: Vec<Vec<String>> = all.into_iter().filter(|words| words[0] == "worker").collect();
    assert_eq!(workers.len(), 3, "{workers:?}");
    for words in workers {
        // Values that the shell or the container puts in.
        let value = |word: &String| {
            if word.contains('$') && !word.contains("://") { "1".to_owned() } else { word.clone() }
        };
        let words: Vec<String> = words.iter().map(value).chain(["--help".to_owned()]).collect();
        let words: Vec<&str> = words.iter().map(String::as_str).collect();
        // Options are read before help is given: one that does not exist, or has no such value, is an error.
        twinrun(&root(), &words).expect(0, &["Usage"]);
    }
    // Whole files, where Python has its reader of YAML.
    let files = ["compose.yml", "kubernetes.yml", "nats-values.yml"].map(|name| folder.join(name));
    let script = "import sys, yaml\nfor name in sys.argv[1:]: assert list(yaml.safe_load_all(open(name)))";
    let can = |script: &str| Command::new("python3").args(["-c", script]).output();
    if !can("import yaml").is_ok_and(|ran| ran.status.success()) {
        return skipped("python3 has no yaml").unwrap_or_default();
    }
    let ran = Command::new("python3").args(["-c", script]).args(files).output().unwrap();
    assert!(ran.status.success(), "{}", String::from_utf8_lossy(&ran.stderr));
}
