//! JSON of `llvm-cov export`: segments that change the count from a position on, and branches.

use serde::Deserialize;
use serde_json::Value;

use super::{CoverageError, FileCoverage, json};

#[derive(Deserialize)]
struct Export {
    data: Vec<Data>,
}

#[derive(Deserialize)]
struct Data {
    files: Vec<File>,
    #[serde(default)]
    functions: Vec<Function>,
}

#[derive(Deserialize)]
struct File {
    filename: String,
    segments: Vec<Vec<Value>>,
    #[serde(default)]
    branches: Vec<Vec<Value>>,
}

#[derive(Deserialize)]
struct Function {
    name: String,
    filenames: Vec<String>,
    regions: Vec<Vec<u64>>,
}

pub(super) fn parse(text: &[u8]) -> Result<Vec<FileCoverage>, CoverageError> {
    let export: Export = serde_json::from_slice(text).map_err(|error| json("llvm-cov JSON", &error))?;
    let mut files = Vec::new();
    for data in export.data {
        for file in &data.files {
            let mut coverage = FileCoverage { path: file.filename.clone(), ..FileCoverage::default() };
            lines(&file.segments, &mut coverage);
            for branch in &file.branches {
                let at = |index: usize| branch.get(index).and_then(Value::as_u64).unwrap_or(0);
                let line = at(0) as u32;
                let first = coverage.branches.range((line, 0)..(line + 1, 0)).count() as u32;
                coverage.branches.insert((line, first), at(4));
                coverage.branches.insert((line, first + 1), at(5));
            }
            for function in data.functions.iter().filter(|it| it.filenames.first() == Some(&file.filename)) {
                let Some([first, _, last, ..]) = function.regions.first().map(Vec::as_slice) else {
                    continue;
                };
                for line in coverage.lines.range(*first as u32..=*last as u32).map(|(line, _)| *line) {
                    coverage.functions.insert(line, function.name.clone());
                }
            }
            files.push(coverage);
        }
    }
    Ok(files)
}

/// A segment is [line, column, count, has a count, begins a region, is a gap]; its count holds up to the next one.
///
/// As in `llvm-cov show`, a line has the greatest count among what is open where it begins and the regions that begin on it: what
/// goes on behind a region that ends on the line says nothing about the line.
fn lines(segments: &[Vec<Value>], into: &mut FileCoverage) {
    let mut add = |line: u32, count: u64| {
        let known = into.lines.entry(line).or_default();
        *known = (*known).max(count);
    };
    for (index, segment) in segments.iter().enumerate() {
        let number =
            |segment: &[Value], index: usize| segment.get(index).and_then(Value::as_u64).unwrap_or(0);
        let is = |index: usize| segment.get(index).and_then(Value::as_bool).unwrap_or(false);
        let (line, count) = (number(segment, 0) as u32, number(segment, 2));
        if !is(3) {
            continue;
        }
        if is(4) && !is(5) {
            add(line, count);
        }
        if let Some(next) = segments.get(index + 1) {
            // A segment that begins a line leaves nothing of the one before.
            let last = number(next, 0) as u32 - u32::from(number(next, 1) <= 1);
            (line + 1..=last).for_each(|line| add(line, count));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn segments_become_lines() {
        let text = br#"{"type": "llvm.coverage.json.export", "data": [{"files": [{"filename": "/w/a.c",
            "segments": [[1, 12, 1, true, true, false], [2, 9, 0, true, true, false], [3, 4, 1, true, false, false], [5, 2, 0, false, false, false]],
            "branches": [[2, 5, 2, 8, 0, 1, 0, 0, 4]]}],
            "functions": [{"name": "f", "filenames": ["/w/a.c"], "regions": [[1, 12, 5, 2, 1, 0, 0, 0]]}]}]}"#;
        let files = parse(text).unwrap();
        assert_eq!(files[0].lines, [(1, 1), (2, 1), (3, 0), (4, 1), (5, 1)].into());
        assert_eq!(files[0].branches, [((2, 0), 0), ((2, 1), 1)].into());
        assert_eq!(files[0].functions[&4], "f");
    }

    #[test]
    fn what_follows_a_region_on_its_last_line_is_not_its_count() {
        // 1: while (more()) {    5 times
        // 2:     if (c)
        // 3:         f();        never
        // 4: }
        let segments = r#"[[1, 1, 1, true, true, false], [1, 16, 5, true, true, false], [2, 9, 5, true, true, false],
            [2, 10, 0, true, false, true], [3, 9, 0, true, true, false], [3, 12, 5, true, false, false],
            [4, 2, 1, true, false, false]]"#;
        let segments: Vec<Vec<Value>> = serde_json::from_str(segments).unwrap();
        let mut coverage = FileCoverage::default();
        lines(&segments, &mut coverage);
        assert_eq!(coverage.lines, [(1, 5), (2, 5), (3, 0), (4, 5)].into());
    }

    #[test]
    fn a_cut_export_is_truncated() {
        assert!(matches!(parse(br#"{"data": [{"files": ["#), Err(CoverageError::Truncated(_))));
    }
}
