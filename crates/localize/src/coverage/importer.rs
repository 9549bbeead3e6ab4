//! Numbers the lines and branches of imported coverage, run after run, and checks each file against the one that lies here.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};
use std::time::SystemTime;

use twinrun_base::Location;
use twinrun_subject::command::CoverageFormat;
use twinrun_testing::command::CommandSubject;

use super::{CoverageError, FileCoverage, parse};
use crate::lines::{Line, Lines};

/// A line, or one branch of it.
type Key = (String, u32, Option<u32>);

/// Turns coverage of one run after another into slices.
#[derive(Clone, Debug)]
pub struct Importer {
    format: CoverageFormat,
    project: PathBuf,
    map: Vec<(String, String)>,
    /// When the program was built.
    built: Option<SystemTime>,
    keys: BTreeMap<Key, usize>,
    functions: BTreeMap<(String, u32), String>,
    /// What is known of a path: its place in the project and its number of lines, or that it is none of ours.
    files: BTreeMap<String, Option<(String, u32)>>,
}

impl Importer {
    /// For coverage of this format; `map` gives beginnings of paths and what they are here, `built` is when the program was
    /// built, where that is known.
    pub fn new(
        format: CoverageFormat,
        project: &Path,
        map: impl IntoIterator<Item = (String, String)>,
        built: Option<SystemTime>,
    ) -> Importer {
        let project = fs::canonicalize(project).unwrap_or_else(|_| project.to_owned());
        let (keys, functions, files) = (BTreeMap::new(), BTreeMap::new(), BTreeMap::new());
        Importer { format, project, map: map.into_iter().collect(), built, keys, functions, files }
    }

    /// For the coverage of a command, as its project describes it; none where it does not.
    pub fn of_command(subject: &CommandSubject, folder: &Path) -> Option<Importer> {
        let spec = subject.coverage()?;
        // An interpreter of the system is no build of this project: it is older than every source, and that says nothing.
        let inside = |path: &PathBuf| {
            let (path, folder) = (fs::canonicalize(path), fs::canonicalize(folder));
            path.ok().zip(folder.ok()).is_some_and(|(path, folder)| path.starts_with(folder))
        };
        let program = subject.program().filter(inside);
        let built = program.and_then(|path| fs::metadata(path).ok()?.modified().ok());
        let map = spec.map.iter().map(|(from, to)| (from.to_owned(), to.clone()));
        Some(Importer::new(spec.format, folder, map, built))
    }

    /// The slice of a run, one bit for each line or branch that it executed.
    ///
    /// # Errors
    /// When the coverage cannot be read, or does not fit the sources.
    pub fn slice(&mut self, text: &[u8]) -> Result<Vec<u64>, CoverageError> {
        let files = parse(self.format, text)?;
        let mut slice = Vec::new();
        let mut ours = false;
        for file in &files {
            let Some((shown, most)) = self.place(&file.path)? else { continue };
            ours = true;
            self.check(file, &shown, most)?;
            for (line, count) in &file.lines {
                self.mark((shown.clone(), *line, None), *count, &mut slice);
            }
            for ((line, branch), count) in &file.branches {
                if file.lines.contains_key(line) {
                    self.mark((shown.clone(), *line, Some(*branch)), *count, &mut slice);
                }
            }
            for (line, name) in &file.functions {
                self.functions.entry((shown.clone(), *line)).or_insert_with(|| name.clone());
            }
        }
        match files.first() {
            Some(first) if !ours => Err(CoverageError::Foreign(first.path.clone())),
            _ => Ok(slice),
        }
    }

    fn mark(&mut self, key: Key, count: u64, slice: &mut Vec<u64>) {
        let next = self.keys.len();
        let number = *self.keys.entry(key).or_insert(next);
        if slice.len() <= number / 64 {
            slice.resize(number / 64 + 1, 0);
        }
        slice[number / 64] |= u64::from(count > 0) << (number % 64);
    }

    /// Where a file lies in the project and how many lines it has; `None` for files of others (system headers, libraries).
    fn place(&mut self, path: &str) -> Result<Option<(String, u32)>, CoverageError> {
        if let Some(known) = self.files.get(path) {
            return Ok(known.clone());
        }
        let mapped = self.map.iter().find_map(|(from, to)| {
            path.strip_prefix(from.as_str()).map(|rest| format!("{to}{}", rest.trim_start_matches('/')))
        });
        let was_mapped = mapped.is_some();
        let full = self.project.join(mapped.as_deref().unwrap_or(path));
        let full = fs::canonicalize(&full).unwrap_or(full);
        let found = match full.strip_prefix(&self.project) {
            Ok(inside) => match fs::read_to_string(&full) {
                Ok(text) => Some((inside.to_string_lossy().into_owned(), text.lines().count() as u32)),
                Err(_) => return Err(missing(path)),
            },
            // Headers and libraries of the system are nobody's suspects; what is neither there nor here needs a map.
            Err(_) if full.exists() && !was_mapped => None,
            Err(_) => return Err(missing(path)),
        };
        if let (Some((shown, _)), Some(built)) = (&found, self.built)
            && let Ok(changed) = fs::metadata(&full).and_then(|it| it.modified())
            && changed > built
        {
            let why = "it is newer than the program".to_owned();
            return Err(CoverageError::Changed { file: shown.clone(), why });
        }
        self.files.insert(path.to_owned(), found.clone());
        Ok(found)
    }

    fn check(&self, file: &FileCoverage, shown: &str, most: u32) -> Result<(), CoverageError> {
        match file.lines.keys().next_back() {
            // A last region may end behind the last line.
            Some(last) if *last > most + 1 => Err(CoverageError::Changed {
                file: shown.to_owned(),
                why: format!("the coverage knows a line {last}, the file has {most}"),
            }),
            _ => Ok(()),
        }
    }

    /// The lines, with the numbers of the slices as blocks.
    pub fn lines(&self) -> Lines {
        let places: BTreeMap<(&str, u32), u32> = {
            let distinct: std::collections::BTreeSet<(&str, u32)> =
                self.keys.keys().map(|(file, line, _)| (file.as_str(), *line)).collect();
            distinct.into_iter().zip(0..).collect()
        };
        let lines = places.keys().map(|(file, line)| Line {
            location: Location { file: (*file).to_owned(), line: *line, column: 0 },
            function: self.functions.get(&((*file).to_owned(), *line)).cloned().unwrap_or_default(),
        });
        let mut blocks = vec![Vec::new(); self.keys.len()];
        for ((file, line, _), number) in &self.keys {
            blocks[*number] = places.get(&(file.as_str(), *line)).copied().into_iter().collect();
        }
        Lines { lines: lines.collect(), blocks }
    }
}

fn missing(path: &str) -> CoverageError {
    let parent = Path::new(path).parent().unwrap_or(Path::new(""));
    CoverageError::Missing { path: path.to_owned(), parent: parent.display().to_string() }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::evidence::bits;

    fn project() -> tempfile::TempDir {
        let folder = tempfile::tempdir().unwrap();
        fs::create_dir(folder.path().join("src")).unwrap();
        fs::write(folder.path().join("src/a.c"), "int f(int x) {\n    return x;\n}\n").unwrap();
        folder
    }

    fn lcov(path: &str, lines: &[(u32, u32)]) -> Vec<u8> {
        let lines: String = lines.iter().map(|(line, count)| format!("DA:{line},{count}\n")).collect();
        format!("SF:{path}\n{lines}end_of_record\n").into_bytes()
    }

    #[test]
    fn lines_that_were_run_are_in_the_slice() {
        let folder = project();
        let mut importer = Importer::new(CoverageFormat::Lcov, folder.path(), [], None);
        let slice = importer.slice(&lcov("src/a.c", &[(1, 1), (2, 0)])).unwrap();
        let lines = importer.lines();
        let run: Vec<u32> =
            bits(&slice).map(|block| lines.lines[lines.blocks[block][0] as usize].location.line).collect();
        assert_eq!(run, [1]);
        assert_eq!(lines.lines.len(), 2);
    }

    #[test]
    fn paths_can_be_mapped_and_without_a_map_the_error_says_how() {
        let folder = project();
        let text = lcov("/elsewhere/build/src/a.c", &[(1, 1)]);
        let mut plain = Importer::new(CoverageFormat::Lcov, folder.path(), [], None);
        let error = plain.slice(&text).unwrap_err();
        assert!(error.to_string().contains("map = { \"/elsewhere/build/src\" = "), "{error}");
        let map = [("/elsewhere/build".to_owned(), String::new())];
        let mut mapped = Importer::new(CoverageFormat::Lcov, folder.path(), map, None);
        assert!(mapped.slice(&text).is_ok());
        assert_eq!(mapped.lines().lines[0].location.file, "src/a.c");
    }

    #[test]
    fn a_source_that_changed_is_noticed_by_its_age_or_its_length() {
        let folder = project();
        let mut longer = Importer::new(CoverageFormat::Lcov, folder.path(), [], None);
        let error = longer.slice(&lcov("src/a.c", &[(90, 1)])).unwrap_err();
        assert!(matches!(error, CoverageError::Changed { .. }), "{error}");
        let mut older = Importer::new(CoverageFormat::Lcov, folder.path(), [], Some(SystemTime::UNIX_EPOCH));
        assert!(matches!(older.slice(&lcov("src/a.c", &[(1, 1)])), Err(CoverageError::Changed { .. })));
    }

    #[test]
    fn coverage_of_other_files_alone_belongs_to_another_build() {
        let (folder, other) = (project(), project());
        let path = other.path().join("src/a.c").canonicalize().unwrap();
        let mut importer = Importer::new(CoverageFormat::Lcov, folder.path(), [], None);
        let error = importer.slice(&lcov(&path.to_string_lossy(), &[(1, 1)])).unwrap_err();
        assert!(matches!(error, CoverageError::Foreign(_)), "{error}");
    }

    #[test]
    fn empty_coverage_is_an_error() {
        let folder = project();
        let mut importer = Importer::new(CoverageFormat::Gcov, folder.path(), [], None);
        assert_eq!(importer.slice(b" \n"), Err(CoverageError::Empty));
    }
}
