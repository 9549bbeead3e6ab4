//! The source text that a report underlines.

use std::collections::BTreeMap;
use std::path::Path;

use twinrun_base::sites::Location;
use twinrun_base::{Finding, Report};

/// A source file beyond this is not shown.
const MOST_BYTES: u64 = 4 << 20;

/// Source files by the names that locations use.
#[derive(Clone, Debug, Default)]
pub struct Sources {
    files: BTreeMap<String, Vec<String>>,
}

impl Sources {
    /// Reads the files that the report's locations name, relative to the project's folder. What cannot be read is left
    /// out: a report without source text is still a report.
    pub fn read(project: &Path, report: &Report) -> Self {
        let mut sources = Self::default();
        for location in report.findings.iter().flat_map(locations) {
            sources.read_file(project, &location.file);
        }
        sources
    }

    /// Reads further files of the project, those that are not known yet.
    pub fn read_more<'a>(&mut self, project: &Path, files: impl IntoIterator<Item = &'a str>) {
        for file in files {
            self.read_file(project, file);
        }
    }

    fn read_file(&mut self, project: &Path, file: &str) {
        if self.files.contains_key(file) {
            return;
        }
        let path = project.join(file);
        let readable = path.metadata().is_ok_and(|it| it.is_file() && it.len() <= MOST_BYTES);
        if let Some(bytes) = readable.then(|| std::fs::read(path).ok()).flatten() {
            self.insert(file, &String::from_utf8_lossy(&bytes));
        }
    }

    /// What the comment directly above a place says, as one text.
    pub(crate) fn comment_above(&self, location: &Location) -> Option<String> {
        let above = usize::try_from(location.line).ok()?.checked_sub(1)?;
        let lines = self.files.get(&location.file)?.get(..above)?;
        let is_comment = |line: &str| {
            ["//", "/*", "*", "#"].iter().any(|start| line.starts_with(start)) || line.ends_with("*/")
        };
        // Attributes and macros stand between what is documented and its comment.
        let is_between = |line: &str| line.starts_with("#[") || line.starts_with("#!");
        let mut found = Vec::new();
        for line in lines.iter().rev().map(|line| line.trim()) {
            if is_between(line) {
                continue;
            }
            if !is_comment(line)
                || line.starts_with("#include")
                || line.starts_with("#define")
                || line.starts_with("#endif")
                || line.starts_with("#if")
            {
                break;
            }
            found.push(line);
            if line.starts_with("/*") {
                break;
            }
        }
        let words = |line: &&str| {
            line.trim_end_matches("*/").trim_start_matches(['/', '*', '#', '!']).trim().to_owned()
        };
        let text =
            found.iter().rev().map(words).filter(|line| !line.is_empty()).collect::<Vec<_>>().join(" ");
        (!text.is_empty()).then_some(text)
    }

    /// Drops files that do not lie in the folder, links followed.
    pub fn keep_inside(&mut self, folder: &Path) {
        let Ok(folder) = folder.canonicalize() else {
            self.files.clear();
            return;
        };
        self.files
            .retain(|file, _| folder.join(file).canonicalize().is_ok_and(|path| path.starts_with(&folder)));
    }

    /// Adds one file.
    pub fn insert(&mut self, file: &str, text: &str) {
        self.files.insert(file.to_string(), text.lines().map(String::from).collect());
    }

    /// A line, counted from 1.
    pub fn line(&self, file: &str, line: u32) -> Option<&str> {
        let lines = self.files.get(file)?;
        lines.get((line as usize).checked_sub(1)?).map(String::as_str)
    }

    /// All lines of a file.
    pub fn lines(&self, file: &str) -> Option<&[String]> {
        self.files.get(file).map(Vec::as_slice)
    }

    /// A location's column counted in characters (compilers count bytes); `None` where it has none.
    pub(crate) fn column(&self, location: &Location) -> Option<usize> {
        let bytes = (location.column as usize).checked_sub(1)?;
        let line = self.line(&location.file, location.line).unwrap_or_default();
        let characters = line.char_indices().take_while(|(at, _)| *at < bytes).count();
        Some(1 + characters + bytes.saturating_sub(line.len()))
    }
}

/// All places that a finding names.
fn locations(finding: &Finding) -> impl Iterator<Item = &Location> {
    let stack = finding.group.crash.iter().flat_map(|crash| &crash.stack);
    let check = finding.group.check.iter().filter_map(|check| check.location.as_ref());
    stack
        .filter_map(|frame| frame.location.as_ref())
        .chain(check)
        .chain(finding.suspects.iter().chain(&finding.critical).map(|suspect| &suspect.location))
        .chain(&finding.relation_location)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check_comment(text: &str, line: u32, expected: Option<&str>) {
        let mut sources = Sources::default();
        sources.insert("a", text);
        let found = sources.comment_above(&Location { file: "a".to_owned(), line, column: 0 });
        assert_eq!(found.as_deref(), expected, "{text}");
    }

    #[test]
    fn the_comment_above_a_place_is_its_statement() {
        check_comment("/* Nothing\n * changes. */\nRELATION(r) {\n", 3, Some("Nothing changes."));
        check_comment("/// Nothing changes.\n#[relation]\nfn r() {\n", 3, Some("Nothing changes."));
        check_comment("/* One. */\n/* Two. */\nRELATION(r) {\n", 3, Some("Two."));
        check_comment("#include <a.h>\nRELATION(r) {\n", 2, None);
        check_comment("int a; // Not this.\n\nRELATION(r) {\n", 3, None);
        check_comment("RELATION(r) {\n", 1, None);
    }

    #[test]
    fn only_files_of_the_folder_are_kept_inside() {
        let folder = tempfile::tempdir().unwrap();
        let project = folder.path().join("project");
        std::fs::create_dir(&project).unwrap();
        for path in [project.join("a.c"), folder.path().join("secret.c")] {
            std::fs::write(path, "int a;\n").unwrap();
        }
        let outside = folder.path().join("secret.c").display().to_string();
        let mut sources = Sources::default();
        sources.read_more(&project, ["a.c", "../secret.c", &outside]);
        sources.keep_inside(&project);
        assert_eq!(sources.files.keys().collect::<Vec<_>>(), ["a.c"]);
    }

    #[test]
    fn columns_are_counted_in_characters() {
        let mut sources = Sources::default();
        sources.insert("a.c", "int é = 数 + 1;\n");
        let column = |column| sources.column(&Location { file: "a.c".into(), line: 1, column });
        assert_eq!([column(0), column(1), column(5), column(10)], [None, Some(1), Some(5), Some(9)]);
        assert_eq!(column(300), Some(300 - 3));
        assert_eq!(sources.line("a.c", 0), None);
        assert_eq!(sources.line("a.c", 2), None);
    }
}
