//! Small projects in fresh folders, and the command run in them.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Output};

/// A project that goes away with the test.
pub(crate) struct Project {
    folder: tempfile::TempDir,
}

/// What the command printed and how it ended.
#[derive(Debug)]
pub(crate) struct Ran {
    pub(crate) code: i32,
    pub(crate) out: String,
    pub(crate) err: String,
}

impl Ran {
    fn new(output: &Output) -> Ran {
        let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
        Ran { code: output.status.code().unwrap_or(-1), out: text(&output.stdout), err: text(&output.stderr) }
    }

    /// It ended with this code and said all of this, on either stream.
    #[track_caller]
    pub(crate) fn expect(&self, code: i32, said: &[&str]) -> &Ran {
        assert_eq!(self.code, code, "{self:#?}");
        for words in said {
            assert!(
                self.out.contains(words) || self.err.contains(words),
                "`{words}` was not said:\n{}\n{}",
                self.out,
                self.err
            );
        }
        self
    }

    /// The report as JSON.
    pub(crate) fn json(&self) -> serde_json::Value {
        serde_json::from_str(&self.out).unwrap_or_else(|error| panic!("{error}: {self:#?}"))
    }
}

impl Project {
    /// A project of these files.
    pub(crate) fn new(files: &[(&str, &str)]) -> Project {
        let folder = tempfile::tempdir().unwrap();
        for (name, content) in files {
            let path = folder.path().join(name);
            fs::create_dir_all(path.parent().unwrap()).unwrap();
            fs::write(path, content).unwrap();
        }
        Project { folder }
    }

    /// One C file with relations, as the subject `it`.
    pub(crate) fn c(source: &str) -> Project {
        Project::new(&[
            ("twinrun.toml", "[subject.it]\nsources = [\"it.c\"]\n"),
            ("it.c", &format!("#include <twinrun.h>\n{source}")),
        ])
    }

    pub(crate) fn path(&self) -> &Path {
        self.folder.path()
    }

    pub(crate) fn twinrun(&self, arguments: &[&str]) -> Ran {
        twinrun(self.path(), arguments)
    }
}

/// Runs the command in a folder.
pub(crate) fn twinrun(folder: &Path, arguments: &[&str]) -> Ran {
    Ran::new(&command(folder, arguments).output().unwrap())
}

/// The command, ready to run in a folder.
pub(crate) fn command(folder: &Path, arguments: &[&str]) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_twinrun"));
    command.args(arguments).current_dir(folder).env("NO_COLOR", "1");
    // The wheels that `./x` installs, for a machine without Debian's clang.
    command.env("TWINRUN_DEPS", root().join(".deps"));
    command
}

/// Ctrl-C, without the program `kill`: a bare system has none.
pub(crate) fn interrupt(child: &Child) {
    // SAFETY: a plain system call; the child has not been waited for, so its number is still its own.
    assert_eq!(unsafe { libc::kill(child.id() as libc::pid_t, libc::SIGINT) }, 0);
}

/// A report without the fields that tell times: all the rest must be the same each time.
pub(crate) fn without_times(mut report: serde_json::Value) -> serde_json::Value {
    use serde_json::Value;
    fn strip(value: &mut Value) {
        match value {
            Value::Object(fields) => {
                fields.retain(|name, _| !twinrun_base::report::TIME_FIELDS.contains(&name.as_str()));
                fields.values_mut().for_each(strip);
            }
            Value::Array(parts) => parts.iter_mut().for_each(strip),
            _ => {}
        }
    }
    strip(&mut report);
    report
}

/// The workspace.
pub(crate) fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..").canonicalize().unwrap()
}

/// A copy of an example, so that tests leave nothing in the workspace.
pub(crate) fn example(name: &str) -> Project {
    let from = root().join("examples").join(name);
    let project = Project::new(&[]);
    copy(&from, project.path());
    // A crate finds the SDK beside the workspace, and so must its copy.
    let manifest = project.path().join("Cargo.toml");
    if let Ok(text) = fs::read_to_string(&manifest) {
        fs::write(&manifest, text.replace("../../sdk", &root().join("sdk").display().to_string())).unwrap();
    }
    project
}

fn copy(from: &Path, to: &Path) {
    fs::create_dir_all(to).unwrap();
    for entry in fs::read_dir(from).unwrap().map(Result::unwrap) {
        let (path, target) = (entry.path(), to.join(entry.file_name()));
        let skipped = ["target", ".twinrun"].iter().any(|name| entry.file_name() == *name);
        if path.is_dir() && !skipped {
            copy(&path, &target);
        } else if path.is_file() {
            fs::copy(&path, &target).unwrap();
        }
    }
}
