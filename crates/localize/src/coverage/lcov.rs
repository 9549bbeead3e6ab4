//! LCOV trace files: `SF:`, `DA:`, `BRDA:`, `FN:` records up to `end_of_record`.

use super::{CoverageError, FileCoverage};

pub(super) fn parse(text: &[u8]) -> Result<Vec<FileCoverage>, CoverageError> {
    let text = std::str::from_utf8(text).map_err(|error| malformed(0, &error.to_string()))?;
    let mut files = Vec::new();
    let mut open: Option<FileCoverage> = None;
    let mut starts: Vec<(u32, String)> = Vec::new();
    for (number, line) in (1..).zip(text.lines()) {
        let line = line.trim();
        if line == "end_of_record" {
            let mut file = open.take().ok_or_else(|| malformed(number, "end_of_record without SF"))?;
            name_functions(&mut file, &mut starts);
            files.push(file);
            continue;
        }
        let Some((key, value)) = line.split_once(':') else {
            if line.is_empty() || line.starts_with('#') {
                continue;
            }
            return Err(malformed(number, &format!("`{line}` is no record")));
        };
        if key == "SF" {
            if open.is_some() {
                return Err(malformed(number, "SF before end_of_record"));
            }
            open = Some(FileCoverage { path: value.to_owned(), ..FileCoverage::default() });
            continue;
        }
        let Some(file) = &mut open else { continue };
        let fields: Vec<&str> = value.split(',').collect();
        let field = |index: usize| fields.get(index).copied().unwrap_or_default();
        let number_at = |index: usize| field(index).parse::<i64>().ok();
        match key {
            "DA" => {
                let (Some(line), Some(count)) = (number_at(0), number_at(1)) else {
                    return Err(malformed(number, &format!("`{line}` has no line and count")));
                };
                *file.lines.entry(line as u32).or_default() += count.max(0) as u64;
                if !field(2).is_empty() {
                    file.checksums.insert(line as u32, field(2).to_owned());
                }
            }
            "BRDA" => {
                if let Some(line) = number_at(0) {
                    let branch = file.branches.range((line as u32, 0)..(line as u32 + 1, 0)).count() as u32;
                    file.branches.insert((line as u32, branch), number_at(3).unwrap_or(0).max(0) as u64);
                }
            }
            "FN" => {
                if let Some(line) = number_at(0) {
                    starts.push((line as u32, fields.last().copied().unwrap_or_default().to_owned()));
                }
            }
            _ => {}
        }
    }
    match open {
        Some(file) => Err(CoverageError::Truncated(format!("no end_of_record for {}", file.path))),
        None => Ok(files),
    }
}

/// A line belongs to the function that starts last before it.
fn name_functions(file: &mut FileCoverage, starts: &mut Vec<(u32, String)>) {
    starts.sort();
    for line in file.lines.keys() {
        if let Some((_, name)) = starts.iter().rev().find(|(start, _)| start <= line) {
            file.functions.insert(*line, name.clone());
        }
    }
    starts.clear();
}

fn malformed(line: usize, why: &str) -> CoverageError {
    CoverageError::Malformed { format: "LCOV", why: format!("line {line}: {why}") }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn records_become_lines_branches_and_functions() {
        let files = parse(
            b"TN:\nSF:/w/a.py\nFN:1,f\nDA:1,1\nDA:2,0,abc\nBRDA:2,0,0,-\nBRDA:2,0,1,3\nend_of_record\n",
        )
        .unwrap();
        assert_eq!(files[0].lines, [(1, 1), (2, 0)].into());
        assert_eq!(files[0].branches, [((2, 0), 0), ((2, 1), 3)].into());
        assert_eq!(files[0].functions[&2], "f");
        assert_eq!(files[0].checksums[&2], "abc");
    }

    #[test]
    fn a_missing_end_is_truncation_and_other_text_is_no_record() {
        assert!(matches!(parse(b"SF:/w/a.py\nDA:1,1\n"), Err(CoverageError::Truncated(_))));
        assert!(matches!(parse(b"<html>\n"), Err(CoverageError::Malformed { .. })));
        assert!(matches!(parse(b"SF:a\nDA:x,1\nend_of_record\n"), Err(CoverageError::Malformed { .. })));
    }
}
