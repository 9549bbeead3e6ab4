//! The project file: any text is a project or a mistake with its place, and a project answers every question about itself.

use std::path::Path;

use twinrun_subject::{Error, Project};

/// The bytes are the text of `twinrun.toml`.
pub fn project(data: &[u8]) {
    let text = String::from_utf8_lossy(data).into_owned();
    // A folder that does not exist: nothing is found by chance.
    let path = Path::new("/nowhere/at/all/twinrun.toml");
    match Project::parse(path, text.clone()) {
        Ok(project) => {
            for name in project.subjects() {
                let subject = project.subject(&name).expect("a subject that is listed is known");
                project.limits(subject);
                project.roots(subject);
                if let Err(error) = project.source(&name, subject) {
                    answered(&error, &text);
                }
                project.command(subject);
            }
            project.executes();
            assert!(!project.name().is_empty() || project.file.project.name.is_some());
            assert_eq!(Project::parse(path, text).expect("it was read before"), project);
        }
        Err(error) => answered(&error, &text),
    }
}

/// An error speaks, and a mistake lies within the text.
fn answered(error: &Error, text: &str) {
    assert!(!error.to_string().is_empty());
    if let Error::Project(mistake) = error {
        assert!(!mistake.message.is_empty());
        assert!(mistake.span.start <= mistake.span.end && mistake.span.end <= text.len(), "{mistake:?}");
        assert!(mistake.line >= 1 && mistake.line <= text.matches('\n').count() + 1, "{mistake:?}");
        assert!(mistake.column >= 1);
    }
}
