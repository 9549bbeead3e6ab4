//! JSON of `gcov --json-format`: one document for each data file, one behind the other.

use serde::Deserialize;

use super::{CoverageError, FileCoverage, json};

#[derive(Deserialize)]
struct Document {
    #[serde(default)]
    current_working_directory: String,
    files: Vec<File>,
}

#[derive(Deserialize)]
struct File {
    file: String,
    #[serde(default)]
    functions: Vec<Function>,
    lines: Vec<Line>,
}

#[derive(Deserialize)]
struct Function {
    name: String,
    #[serde(default)]
    demangled_name: String,
}

#[derive(Deserialize)]
struct Line {
    line_number: u32,
    count: u64,
    #[serde(default)]
    function_name: String,
    #[serde(default)]
    branches: Vec<Branch>,
}

#[derive(Deserialize)]
struct Branch {
    count: u64,
}

pub(super) fn parse(text: &[u8]) -> Result<Vec<FileCoverage>, CoverageError> {
    let mut found: Vec<FileCoverage> = Vec::new();
    for document in serde_json::Deserializer::from_slice(text).into_iter::<Document>() {
        let document = document.map_err(|error| json("gcov JSON", &error))?;
        for file in document.files {
            let path = match file.file.starts_with('/') || document.current_working_directory.is_empty() {
                true => file.file.clone(),
                false => format!("{}/{}", document.current_working_directory, file.file),
            };
            let place = found.iter().position(|it| it.path == path).unwrap_or_else(|| {
                found.push(FileCoverage { path, ..FileCoverage::default() });
                found.len() - 1
            });
            add(&mut found[place], &file);
        }
    }
    Ok(found)
}

fn add(into: &mut FileCoverage, file: &File) {
    for line in &file.lines {
        // A template or an inlined header comes several times: its counts add up.
        *into.lines.entry(line.line_number).or_default() += line.count;
        for (branch, count) in (0..).zip(&line.branches) {
            *into.branches.entry((line.line_number, branch)).or_default() += count.count;
        }
        let known = file.functions.iter().find(|it| it.name == line.function_name);
        let name = known.map(|it| &it.demangled_name).filter(|name| !name.is_empty());
        let name = name.unwrap_or(&line.function_name);
        if !name.is_empty() {
            into.functions.entry(line.line_number).or_insert_with(|| name.clone());
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_branches_and_functions_are_read_from_all_documents() {
        let text = br#"{"current_working_directory": "/w", "files": [{"file": "a.c", "functions": [{"name": "f", "demangled_name": "f"}],
            "lines": [{"line_number": 3, "count": 2, "function_name": "f", "branches": [{"count": 2}, {"count": 0}]}]}]}
            {"files": [{"file": "/w/a.c", "lines": [{"line_number": 3, "count": 1, "branches": []}, {"line_number": 4, "count": 0}]}]}"#;
        let files = parse(text).unwrap();
        assert_eq!(files.len(), 1);
        assert_eq!(files[0].path, "/w/a.c");
        assert_eq!(files[0].lines, [(3, 3), (4, 0)].into());
        assert_eq!(files[0].branches, [((3, 0), 2), ((3, 1), 0)].into());
        assert_eq!(files[0].functions[&3], "f");
    }

    #[test]
    fn a_cut_document_is_truncated_and_another_one_malformed() {
        assert!(matches!(parse(br#"{"files": [{"file": "a.c", "li"#), Err(CoverageError::Truncated(_))));
        assert!(matches!(parse(b"TN:\nSF:a.c\n"), Err(CoverageError::Malformed { .. })));
    }
}
