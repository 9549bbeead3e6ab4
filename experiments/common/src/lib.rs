//! Result files of benchmarks and experiments: one JSON file and the same as a Markdown table beside it.

use std::fmt::Write as _;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::{fs, io};

use serde_json::{Map, Value, json};

/// What one benchmark or experiment measured.
#[derive(Debug, Default)]
pub struct Results {
    /// The file stem: `NAME` for an experiment, `bench-NAME` for a benchmark.
    pub name: String,
    /// The figures that the study is judged by.
    pub totals: Map<String, Value>,
    /// One object a row; the first row's keys are the columns of the Markdown table.
    pub rows: Vec<Map<String, Value>>,
    /// Prose that stands above the Markdown table: how it was measured, what falls short and why.
    pub notes: Vec<String>,
}

impl Results {
    /// Starts an empty result named by its file stem.
    pub fn new(name: &str) -> Self {
        Results { name: name.to_owned(), ..Results::default() }
    }

    /// Sets one total.
    pub fn total(&mut self, key: &str, value: impl Into<Value>) {
        self.totals.insert(key.to_owned(), value.into());
    }

    /// Adds a row, given as a JSON object.
    ///
    /// # Panics
    /// When `row` is not an object.
    pub fn row(&mut self, row: &Value) {
        self.rows.push(row.as_object().expect("a row is a JSON object").clone());
    }

    /// Writes `experiments/results/NAME.json` and `NAME.md` under the workspace and returns the JSON path.
    ///
    /// # Errors
    /// When the files cannot be written.
    pub fn write(&self) -> io::Result<PathBuf> {
        let folder = workspace_root().join("experiments/results");
        fs::create_dir_all(&folder)?;
        let json =
            json!({ "machine": machine(), "commit": commit(), "totals": self.totals, "rows": self.rows });
        let path = folder.join(format!("{}.json", self.name));
        fs::write(&path, serde_json::to_string_pretty(&json)? + "\n")?;
        fs::write(folder.join(format!("{}.md", self.name)), self.markdown())?;
        Ok(path)
    }

    /// The Markdown form: notes, totals, then all rows as one table.
    pub fn markdown(&self) -> String {
        let mut text = format!("# {}\n\nCommit {}, {}.\n\n", self.name, commit(), machine());
        for note in &self.notes {
            let _ = writeln!(text, "{note}\n");
        }
        text.push_str("| total | value |\n| --- | --- |\n");
        for (key, value) in &self.totals {
            let _ = writeln!(text, "| {key} | {} |", cell(value));
        }
        if let Some(first) = self.rows.first() {
            let columns: Vec<&String> = first.keys().collect();
            let _ = write!(text, "\n|");
            columns.iter().for_each(|column| text.push_str(&format!(" {column} |")));
            text.push_str(&format!("\n|{}\n", " --- |".repeat(columns.len())));
            for row in &self.rows {
                text.push('|');
                for column in &columns {
                    text.push_str(&format!(" {} |", row.get(*column).map(cell).unwrap_or_default()));
                }
                text.push('\n');
            }
        }
        text
    }
}

/// CPU seconds used so far by this process and its waited-for children.
pub fn cpu_seconds() -> f64 {
    [libc::RUSAGE_SELF, libc::RUSAGE_CHILDREN]
        .into_iter()
        .map(|who| {
            // SAFETY: `rusage` is plain data for which all-zero is valid, and the call only writes into it.
            let usage = unsafe {
                let mut usage: libc::rusage = std::mem::zeroed();
                libc::getrusage(who, &raw mut usage);
                usage
            };
            let seconds = |time: libc::timeval| time.tv_sec as f64 + time.tv_usec as f64 / 1e6;
            seconds(usage.ru_utime) + seconds(usage.ru_stime)
        })
        .sum()
}

/// The workspace folder that this crate was built in.
pub fn workspace_root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..").canonicalize().expect("the workspace exists")
}

/// A hash of some files and of the files under some folders of the workspace: results stay valid as long as it is the same.
pub fn sources(paths: &[impl AsRef<Path>]) -> String {
    use std::hash::{DefaultHasher, Hash as _, Hasher as _};
    let mut files = Vec::new();
    let mut open: Vec<PathBuf> = paths.iter().map(|path| workspace_root().join(path)).collect();
    while let Some(path) = open.pop() {
        match fs::read_dir(&path) {
            Ok(entries) => open.extend(entries.flatten().map(|entry| entry.path())),
            Err(_) => files.push(path),
        }
    }
    files.sort();
    let mut hasher = DefaultHasher::new();
    files.iter().for_each(|path| fs::read(path).unwrap_or_default().hash(&mut hasher));
    format!("{:016x}", hasher.finish())
}

fn machine() -> String {
    let cores = std::thread::available_parallelism().map_or(1, usize::from);
    let cpu = fs::read_to_string("/proc/cpuinfo").unwrap_or_default();
    let model =
        cpu.lines().find(|line| line.starts_with("model name")).and_then(|line| line.split(": ").nth(1));
    format!("{cores} cores, {}", model.unwrap_or("unknown processor"))
}

fn commit() -> String {
    let git = |arguments: &[&str]| {
        let output = Command::new("git").args(arguments).current_dir(workspace_root()).output().ok()?;
        output.status.success().then(|| String::from_utf8_lossy(&output.stdout).trim().to_owned())
    };
    let changed =
        git(&["status", "--porcelain", "--", "crates", "sdk", "subjects"]).is_some_and(|out| !out.is_empty());
    let hash = git(&["rev-parse", "--short=12", "HEAD"]).unwrap_or_else(|| "unknown".to_owned());
    if changed { format!("{hash} with changes") } else { hash }
}

/// What a recorded result depends on beside its job: the commit, with a hash of what is changed beyond it.
pub fn method_version() -> String {
    commit()
}

fn cell(value: &Value) -> String {
    match value {
        Value::String(text) => text.replace('|', "\\|"),
        Value::Number(number) if number.is_f64() => {
            let number = number.as_f64().unwrap_or_default();
            if number.abs() >= 100.0 { format!("{number:.1}") } else { format!("{number:.3}") }
        }
        other => other.to_string(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_markdown_table_has_the_columns_of_the_first_row() {
        let mut results = Results::new("sample");
        results.total("ratio", 1.25);
        results.row(&json!({"program": "a|b", "seconds": 0.5}));
        let text = results.markdown();
        assert!(text.contains("| ratio | 1.250 |"), "{text}");
        assert!(text.contains("| program | seconds |\n| --- | --- |\n| a\\|b | 0.500 |"), "{text}");
    }
}
