//! Building a subject with all edits in it. What does not compile is dropped, in a few rounds.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::PathBuf;
use std::sync::Arc;

use twinrun_base::cut;
use twinrun_subject::build::{Environment, Recipe};
use twinrun_subject::project::Source as ProjectSource;
use twinrun_subject::{Error as SubjectError, Project, SubjectKind, open};
use twinrun_testing::engine::Modules;

use crate::cases::Executed;
use crate::conditional::active;
use crate::edits::{Edit, edits};
use crate::error::Error;
use crate::mutant::{Mutant, mutants};
use crate::repair::Config;
use crate::schemata::{Schemata, Writing, schemata};
use crate::source::{Language, ParseError, Source};

/// Rounds of compiling: errors hide behind errors of the same expression. Then functions that still have some lose all their edits, at last files do.
const ROUNDS: usize = 6;

/// A source file of the subject.
#[derive(Clone, Debug)]
pub struct File {
    /// Where it is, absolute.
    pub path: PathBuf,
    /// As people see it: relative to the project where it lies inside.
    pub shown: String,
    /// Its text.
    pub text: String,
    /// The same as far as it is compiled, where the parser understands only that.
    parsed: Option<String>,
    language: Language,
}

/// A subject built with edits.
pub struct Edited {
    /// The files, as they are.
    pub files: Vec<File>,
    /// The edits, each with the index of its file; the number of an edit is its place here.
    pub edits: Vec<(usize, Edit)>,
    /// Which of them are in the module.
    pub live: Vec<bool>,
    /// The module with the edits.
    pub modules: Modules,
}

impl File {
    /// What is parsed, and what stands around switched edits.
    fn code(&self) -> &str {
        self.parsed.as_ref().unwrap_or(&self.text)
    }

    /// Its mutants, of what is compiled where the parser understands only that; they apply to the text as it is.
    ///
    /// # Errors
    /// When the parser understands neither.
    pub fn mutants(&self) -> Result<Vec<Mutant>, ParseError> {
        mutants(self.code(), &self.shown, self.language)
    }
}

impl Edited {
    /// How many edits do not compile or have no place.
    pub fn dropped(&self) -> usize {
        self.live.iter().filter(|live| !**live).count()
    }

    /// An edit with its place, on one line.
    pub fn described(&self, index: usize) -> String {
        let (place, edit) = &self.edits[index];
        let file = &self.files[*place];
        format!("{}:{} {}", file.shown, edit.line, edit.describe(&file.text))
    }
}

/// The subject's own sources: where relations run a whole program, the program's.
///
/// # Errors
/// When there are none, or one cannot be read.
pub fn files(project: &Project, name: &str) -> Result<Vec<File>, Error> {
    let subject = project.subject(name)?;
    let program = project.program(name, subject)?;
    let Some(ProjectSource::Recipe(Recipe { units, .. })) = program.or(project.source(name, subject)?) else {
        return Err(Error::NoSource(name.to_owned()));
    };
    let roots = project.roots(subject);
    let mut files = Vec::new();
    for unit in units {
        let (shown, user) = roots.classify(&unit.source);
        let Some(language) = Language::of(&shown).filter(|_| user) else { continue };
        let text = match &unit.text {
            Some(text) => text.to_string(),
            None => fs::read_to_string(&unit.source)
                .map_err(|source| Error::Read { path: unit.source.clone(), source })?,
        };
        let parse =
            |text: &str| Source::parse(text, &shown, language).ok().map(|it| it.tree.root_node().has_error());
        // What is no function to the parser, because brackets do not match, has no edits: that is an error outside of functions.
        let parsed = match parse(&text) {
            Some(false) => None,
            _ => active(&text, &unit.flags, language == Language::Cpp)
                .filter(|text| parse(text) == Some(false)),
        };
        files.push(File { path: unit.source, shown, text, parsed, language });
    }
    if files.is_empty() { Err(Error::NoSource(name.to_owned())) } else { Ok(files) }
}

/// Builds a subject with the edits on lines that failing cases run; where there are too many, those on the most suspicious lines.
///
/// # Errors
/// When the project cannot be built even without edits.
pub fn edited(
    project: &Project,
    name: &str,
    environment: &Environment,
    executed: &Executed,
    config: &Config,
) -> Result<Edited, Error> {
    let files = files(project, name)?;
    let mut all: Vec<(usize, Edit)> = Vec::new();
    for (place, file) in files.iter().enumerate() {
        // A file that the parser does not understand keeps its text; what stands in the others can still be edited.
        let wanted = |line| executed.fails(&file.shown, line);
        let Ok(found) = edits(file.code(), &file.shown, file.language, &wanted) else {
            continue;
        };
        let allowed =
            |edit: &Edit| !config.forbidden.iter().any(|text| same_code(text, &edit.apply(&file.text)));
        let checked = !config.forbidden.is_empty();
        all.extend(found.into_iter().filter(|edit| !checked || allowed(edit)).map(|edit| (place, edit)));
    }
    if all.len() > config.edits {
        let suspicion = |(place, edit): &(usize, Edit)| executed.suspicion(&files[*place].shown, edit.line);
        let mut ranked: Vec<usize> = (0..all.len()).collect();
        ranked.sort_by(|a, b| suspicion(&all[*b]).total_cmp(&suspicion(&all[*a])).then(a.cmp(b)));
        let kept: BTreeSet<usize> = ranked.into_iter().take(config.edits).collect();
        let mut index = 0..;
        all.retain(|_| index.next().is_some_and(|index| kept.contains(&index)));
    }
    let mut project = project.clone();
    if let Some(subject) = project.file.subject.get_mut(name) {
        subject.checked = Some(false);
        subject.flags.extend(["-ferror-limit=0", "-w", "-fbracket-depth=4096"].map(str::to_owned));
    }
    let mut writings = vec![Writing::Converted; all.len()];
    let mut tries = vec![0; files.len()];
    loop {
        let mut written: Vec<Option<Schemata>> = Vec::new();
        for (place, file) in files.iter().enumerate() {
            let own: Vec<(usize, &Edit, Writing)> = all
                .iter()
                .enumerate()
                .filter(|(_, (of, _))| *of == place)
                .map(|(index, (_, edit))| (index, edit, writings[index]))
                .collect();
            let dropped = own.iter().all(|(_, _, writing)| *writing == Writing::Dropped);
            let switched =
                (!dropped).then(|| schemata(file.code(), &file.shown, file.language, &own)).transpose()?;
            for index in switched.iter().flat_map(|it| &it.homeless) {
                writings[*index] = Writing::Dropped;
            }
            let text = switched.as_ref().map_or(&file.text, |it| &it.text);
            project.replaced.insert(file.path.clone(), text.as_str().into());
            written.push(switched);
        }
        let opened = cut::uncounted(|| open(&project, name, environment));
        let (refused, output, command) = match opened.map(|subject| subject.kind) {
            Ok(SubjectKind::Module(built)) => {
                let live = writings.iter().map(|writing| *writing != Writing::Dropped).collect();
                let program = |module| (String::new(), Arc::new(module));
                let modules = Modules {
                    relations: Arc::new(built.module),
                    programs: built.program.map(program).into_iter().collect(),
                };
                return Ok(Edited { files, edits: all, live, modules });
            }
            Ok(SubjectKind::Command(_)) => return Err(Error::NoSource(name.to_owned())),
            Err(SubjectError::Compile { file, output, command }) => (file, output, command),
            Err(error) => return Err(error.into()),
        };
        let place = files.iter().position(|file| refused == file.path);
        let Some((place, Some(schemata))) = place.map(|place| (place, &written[place])) else {
            return Err(SubjectError::Compile { file: refused, output, command }.into());
        };
        tries[place] += 1;
        let mut blamed: BTreeMap<usize, bool> = BTreeMap::new();
        for it in errors(&output, &refused.display().to_string()) {
            for index in schemata.blamed(it.line, it.column).unwrap_or_default() {
                *blamed.entry(*index).or_insert(true) &= it.conversion;
            }
        }
        let bodies: BTreeSet<usize> = blamed.keys().map(|index| all[*index].1.body.start).collect();
        // What cannot be put down to edits, or to functions, costs the file all of them.
        let hopeless = blamed.is_empty() || tries[place] > ROUNDS + 2;
        for (index, (of, edit)) in all.iter().enumerate() {
            let whole = tries[place] > ROUNDS && bodies.contains(&edit.body.start);
            if *of == place && (hopeless || whole || blamed.contains_key(&index)) {
                writings[index] = match (writings[index], blamed.get(&index)) {
                    (Writing::Converted, Some(true)) if !hopeless && !whole => Writing::Plain,
                    _ => Writing::Dropped,
                };
            }
        }
    }
}

/// Whether two texts differ in white space, or in brackets around single names and numbers, alone.
pub fn same_code(a: &str, b: &str) -> bool {
    a == b || bare(a) == bare(b)
}

/// The text without white space and without brackets around single names and numbers, but for those of calls and keywords.
fn bare(text: &str) -> String {
    let is_word = |letter: char| letter.is_alphanumeric() || letter == '_';
    let mut bare: String = text.split_whitespace().collect();
    let mut from = 0;
    while let Some(open) = bare[from..].find('(').map(|at| from + at) {
        from = open + 1;
        let Some(length) = bare[from..].find(|letter| !is_word(letter)) else { break };
        let behind_word = bare[..open].ends_with(is_word);
        if length > 0 && !behind_word && bare[from + length..].starts_with(')') {
            bare.remove(from + length);
            bare.remove(open);
            // Brackets around these brackets are next.
            from = bare[..open].rfind('(').unwrap_or(open);
        }
    }
    bare
}

/// An error of the compiler.
#[derive(Debug, PartialEq)]
struct Refusal {
    line: usize,
    column: usize,
    /// A value cannot be converted to the type of what it stands for: it may fit as it is.
    conversion: bool,
}

/// The errors in what clang said of a file: `path:line:column: error: …`.
fn errors(output: &str, file: &str) -> Vec<Refusal> {
    let place = |line: &str| {
        let (before, message) = line.split_once(": error: ")?;
        let mut parts = before.rsplitn(3, ':');
        let (column, line, path) = (parts.next()?, parts.next()?, parts.next()?);
        // What stands there is no number or pointer. Where only the edit is none, it does not fit at all.
        let conversion = message.starts_with("used type");
        let refusal = Refusal { line: line.parse().ok()?, column: column.parse().ok()?, conversion };
        (path == file || file.ends_with(path)).then_some(refusal)
    };
    output.lines().filter_map(place).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn brackets_around_names_are_no_other_code() {
        assert!(same_code("a = ((row)) + f(x);", "a = row+f(x);"));
        assert!(!same_code("if (x) y;", "if (y) x;"));
        assert!(!same_code("a = (b + c) * d;", "a = b + c * d;"));
        assert_eq!(bare("if (x) return (y);"), "if(x)return(y);");
    }

    #[test]
    fn errors_are_read_with_their_places() {
        let said = "/a/it.c:3:14: error: used type\n/a/it.c:3:14: note: here\n/b/x.h:1:1: error: other\n1 error generated.\n";
        assert_eq!(errors(said, "/a/it.c"), [Refusal { line: 3, column: 14, conversion: true }]);
    }
}
