//! Lines of source code that count: neither blank nor comment.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

/// How many lines of code the files and the project's own headers that they include have.
pub(crate) fn count(files: &[PathBuf]) -> usize {
    let mut open: Vec<PathBuf> = files.to_vec();
    let mut seen: BTreeSet<PathBuf> = BTreeSet::new();
    let mut lines = 0;
    while let Some(file) = open.pop() {
        let Ok(text) = std::fs::read_to_string(&file) else { continue };
        let file = file.canonicalize().unwrap_or(file);
        if !seen.insert(file.clone()) {
            continue;
        }
        lines += code_lines(&text);
        let folder = file.parent().unwrap_or(Path::new("."));
        for line in text.lines() {
            let Some(rest) = line.trim().strip_prefix("#include \"") else { continue };
            if let Some((name, _)) = rest.split_once('"') {
                open.push(folder.join(name));
            }
        }
    }
    lines
}

/// Lines that are neither blank nor only comment (of C, C++ and Rust).
pub(crate) fn code_lines(text: &str) -> usize {
    let mut inside = false;
    let mut count = 0;
    for line in text.lines() {
        let mut rest = line.trim();
        let mut code = false;
        while !rest.is_empty() {
            if inside {
                match rest.find("*/") {
                    Some(end) => {
                        inside = false;
                        rest = rest[end + 2..].trim_start();
                    }
                    None => rest = "",
                }
            } else if rest.starts_with("//") {
                rest = "";
            } else if rest.starts_with("/*") {
                inside = true;
                rest = &rest[2..];
            } else {
                code = true;
                // What follows on the line matters only where a comment begins.
                match rest.find("/*") {
                    Some(begin) => rest = &rest[begin..],
                    None => rest = "",
                }
            }
        }
        count += usize::from(code);
    }
    count
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn blanks_and_comments_do_not_count() {
        let text = "/* a\n   b */\n\nint x; /* c */\n// d\nint y; /* e\n f */ int z;\n}\n";
        assert_eq!(code_lines(text), 4);
    }
}
