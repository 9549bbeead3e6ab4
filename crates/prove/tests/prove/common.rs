//! Opens subjects of the repository.

use std::path::{Path, PathBuf};

use twinrun_prove::{Config, Report, prove};
use twinrun_solve::Program;
use twinrun_subject::build::Environment;
use twinrun_subject::{Project, SubjectKind, open};
use twinrun_testing::engine::WasmSubject;

/// The workspace.
pub(crate) fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..").canonicalize().expect("the workspace")
}

/// A built subject of one C source.
pub(crate) fn source(text: &str) -> WasmSubject {
    let folder = tempfile::tempdir().expect("a folder");
    let write = |name: &str, text: &str| std::fs::write(folder.path().join(name), text).expect("it is ours");
    write("twinrun.toml", "[subject.it]\nsources = [\"it.c\"]\n");
    write("it.c", text);
    built(folder.path(), "it")
}

/// A built subject of a project below `subjects/`.
pub(crate) fn subject(project: &str, name: &str) -> WasmSubject {
    built(&root().join("subjects").join(project), name)
}

fn built(folder: &Path, name: &str) -> WasmSubject {
    let project = Project::find(folder).expect("the project");
    let opened = open(&project, name, &Environment::of_process(&root())).expect("it builds");
    let SubjectKind::Module(modules) = opened.kind else { panic!("{name} is a module") };
    WasmSubject::of_built(name, modules, opened.limits, "test").expect("it compiles")
}

/// The usual configuration.
pub(crate) fn config() -> Config {
    let solver = Program::find(&root()).expect("a solver");
    // Far more than is needed, so that a busy machine changes nothing.
    let long = 600 * twinrun_base::work::SECOND;
    Config { work: long, patience: long / 4, ..Config::new(solver) }
}

/// Proves a relation of a subject.
pub(crate) fn report(project: &str, name: &str, relation: &str, config: &Config) -> Report {
    prove(&subject(project, name), relation, config, &mut |_| ()).expect("it can be run")
}

/// Proves the relation `it` of a C source.
pub(crate) fn of_source(source: &str, config: &Config) -> Report {
    let subject = self::source(&format!("#include <twinrun.h>\n{source}"));
    prove(&subject, "it", config, &mut |_| ()).expect("it can be run")
}

/// Without what would hide a wrong proof: no test before it, no running of every case.
pub(crate) fn bare() -> Config {
    Config { no_pretest: true, no_enumeration: true, no_safety: true, ..config() }
}
