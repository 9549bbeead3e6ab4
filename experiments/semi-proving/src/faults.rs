//! Faulty versions: the program with one change each, and the lines of that change.

use std::error::Error;
use std::fs;
use std::path::{Path, PathBuf};

use serde::Deserialize;

/// A fault as `faults.toml` has it.
#[derive(Clone, Debug, Deserialize)]
pub(crate) struct Fault {
    pub(crate) name: String,
    pub(crate) kind: String,
    pub(crate) file: String,
    find: String,
    replace: String,
}

#[derive(Deserialize)]
struct Faults {
    fault: Vec<Fault>,
}

/// All faults of a subject.
pub(crate) fn read(folder: &Path) -> Result<Vec<Fault>, Box<dyn Error>> {
    let text = fs::read_to_string(folder.join("faults.toml"))?;
    Ok(toml::from_str::<Faults>(&text)?.fault)
}

impl Fault {
    /// Writes the faulty version to a folder and gives the faulty lines: those that the change left, or where it took all away, its neighbours.
    pub(crate) fn apply(&self, from: &Path, to: &Path) -> Result<Vec<u32>, Box<dyn Error>> {
        fs::create_dir_all(to)?;
        let mut lines = Vec::new();
        for entry in fs::read_dir(from)? {
            let path: PathBuf = entry?.path();
            if !path.is_file() {
                continue;
            }
            let name = path.file_name().unwrap_or_default().to_string_lossy().into_owned();
            let mut text = fs::read_to_string(&path)?;
            if name == self.file {
                if text.matches(&self.find).count() != 1 {
                    return Err(format!("{}: the text to change is not there exactly once", self.name).into());
                }
                let changed = text.replace(&self.find, &self.replace);
                lines = changed_lines(&text, &changed);
                text = changed;
            }
            // Unchanged files keep their time, so that nothing is built twice.
            if fs::read_to_string(to.join(&name)).is_ok_and(|known| known == text) {
                continue;
            }
            fs::write(to.join(&name), text)?;
        }
        Ok(lines)
    }
}

fn changed_lines(old: &str, new: &str) -> Vec<u32> {
    let (old, new): (Vec<&str>, Vec<&str>) = (old.lines().collect(), new.lines().collect());
    let before = old.iter().zip(&new).take_while(|(a, b)| a == b).count();
    let room = old.len().min(new.len()) - before;
    let after = old.iter().rev().zip(new.iter().rev()).take(room).take_while(|(a, b)| a == b).count();
    let end = new.len() - after;
    if before < end {
        (before as u32 + 1..=end as u32).collect()
    } else {
        vec![before as u32, before as u32 + 1]
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_removed_line_is_known_by_its_neighbours() {
        assert_eq!(changed_lines("a\nb\nc\n", "a\nc\n"), [1, 2]);
        assert_eq!(changed_lines("a\nb\nc\n", "a\nx\nc\n"), [2]);
    }
}
