//! Which source files are the user's: told by path, because compilation units do not tell (templates of the C++ library and
//! Rust's core sit in the user's unit).

use std::collections::BTreeMap;
use std::path::{Component, Path, PathBuf};
use std::sync::Arc;

/// Folders whose files are user code, and folders inside them that are not.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Roots {
    /// The project's folder, absolute; relative paths of the debug information start here.
    pub project: PathBuf,
    /// Further folders (or single files) of user code, absolute.
    pub user: Vec<PathBuf>,
    /// Folders that are never user code although they lie in one that is: the SDK, build folders, toolchains.
    pub foreign: Vec<PathBuf>,
    /// The sources by their paths, where they came with the module from another machine: then the disk is not looked at.
    pub shipped: Option<Arc<BTreeMap<PathBuf, Vec<u8>>>>,
}

/// Folder names below the project that hold what tools made or fetched.
const TOOL_FOLDERS: [&str; 4] = [".twinrun", ".deps", "target", "node_modules"];

impl Roots {
    /// The files below `project` are user code.
    pub fn new(project: impl AsRef<Path>) -> Roots {
        let project = project.as_ref();
        Roots { project: absolute(project), user: Vec::new(), foreign: Vec::new(), shipped: None }
    }

    /// The path as it is shown (relative to the project where it lies inside it) and whether it is user code.
    ///
    /// A relative path is user code only if the file is there: C libraries are built with relative paths too.
    pub fn classify(&self, path: &Path) -> (String, bool) {
        let full = normal(&self.project.join(path));
        let inside = full.strip_prefix(&self.project).ok();
        let tool = inside.is_some_and(|rest| {
            rest.components()
                .any(|part| matches!(part, Component::Normal(name) if TOOL_FOLDERS.iter().any(|tool| name == *tool)))
        });
        let listed = self.user.iter().any(|root| full.starts_with(root));
        let foreign = self.foreign.iter().any(|root| full.starts_with(root));
        let absent = path.is_relative() && !self.exists(&full);
        let shown = inside.unwrap_or(&full).to_string_lossy().into_owned();
        (shown, !foreign && !absent && ((inside.is_some() && !tool) || listed))
    }

    /// The text of a source that is shown by this path.
    pub fn read(&self, shown: &str) -> Option<Vec<u8>> {
        let path = self.project.join(shown);
        match &self.shipped {
            Some(shipped) => shipped.get(&path).cloned(),
            None => std::fs::read(path).ok(),
        }
    }

    fn exists(&self, full: &Path) -> bool {
        match &self.shipped {
            Some(shipped) => shipped.contains_key(full),
            None => full.exists(),
        }
    }
}

/// The path made absolute and free of `.` and `..`, links resolved where it exists.
pub(crate) fn absolute(path: &Path) -> PathBuf {
    std::fs::canonicalize(path)
        .or_else(|_| std::path::absolute(path).map(|path| normal(&path)))
        .unwrap_or_else(|_| path.to_owned())
}

/// The path without `.` and `..`, by text alone.
pub(crate) fn normal(path: &Path) -> PathBuf {
    let mut out = PathBuf::new();
    for part in path.components() {
        match part {
            Component::CurDir => {}
            Component::ParentDir => {
                if !out.pop() {
                    out.push("..");
                }
            }
            part => out.push(part),
        }
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn files_of_the_project_are_user_code_and_the_library_is_not() {
        let folder = tempfile::tempdir().expect("a folder");
        std::fs::write(folder.path().join("here.c"), "").expect("a file");
        let mut roots = Roots::new("/p");
        roots.user.push("/elsewhere/lib".into());
        roots.foreign.push("/p/sdk".into());
        let check = |path: &str, shown: &str, user: bool| {
            assert_eq!(roots.classify(Path::new(path)), (shown.to_owned(), user), "{path}");
        };
        check("build/crt1.c", "build/crt1.c", false);
        check("/p/src/a.c", "src/a.c", true);
        check("/p/src/../b.c", "b.c", true);
        check("/p/.twinrun/sdk/twinrun.h", ".twinrun/sdk/twinrun.h", false);
        check("/p/target/debug/build/x.rs", "target/debug/build/x.rs", false);
        check("/p/sdk/twinrun.h", "sdk/twinrun.h", false);
        check("/usr/include/c++/v1/vector", "/usr/include/c++/v1/vector", false);
        check("/elsewhere/lib/x.h", "/elsewhere/lib/x.h", true);
        check("/pp/x.h", "/pp/x.h", false);
        let here = Roots::new(folder.path());
        assert!(here.classify(Path::new("here.c")).1 && here.read("here.c").is_some());
        let shipped = Roots { shipped: Some(Arc::default()), ..here };
        assert!(!shipped.classify(Path::new("here.c")).1 && shipped.read("here.c").is_none());
    }
}
