//! Running the tool: in a project, on a hostile module, beside busy processes; and what of two answers may differ.

use std::fs;
use std::io::Read;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

use serde_json::Value;
use twinrun_base::report::TIME_FIELDS;

pub(crate) type Failure = Box<dyn std::error::Error>;

/// A project that is run again and again, with what is kept between runs removed each time.
pub(crate) struct Workplace {
    pub(crate) folder: PathBuf,
    /// Its subjects.
    pub(crate) subjects: Vec<String>,
}

impl Workplace {
    /// A copy of a project.
    pub(crate) fn copy(project: &Path, to: &Path) -> Result<Workplace, Failure> {
        let _ = fs::remove_dir_all(to);
        copy(project, to)?;
        Workplace::at(to)
    }

    /// A project with one ready module.
    pub(crate) fn of_module(bytes: &[u8], to: &Path) -> Result<Workplace, Failure> {
        let _ = fs::remove_dir_all(to);
        fs::create_dir_all(to)?;
        fs::write(to.join("it.wasm"), bytes)?;
        fs::write(to.join("twinrun.toml"), "[subject.it]\nwasm = \"it.wasm\"\n")?;
        Workplace::at(to)
    }

    fn at(folder: &Path) -> Result<Workplace, Failure> {
        let text = fs::read_to_string(folder.join("twinrun.toml"))?;
        let name = |line: &str| Some(line.strip_prefix("[subject.")?.strip_suffix(']')?.to_owned());
        let subjects = text.lines().filter_map(|line| name(line.trim())).filter(|name| !name.contains('.'));
        Ok(Workplace { folder: folder.to_owned(), subjects: subjects.collect() })
    }

    /// Forgets all but what compilers made.
    fn clean(&self) {
        for entry in fs::read_dir(self.folder.join(".twinrun")).into_iter().flatten().flatten() {
            let name = entry.file_name();
            if name != "build" && name != "sdk" {
                // What cannot be removed shows in a difference.
                let _ = fs::remove_dir_all(entry.path());
                let _ = fs::remove_file(entry.path());
            }
        }
    }

    /// The command lines of one command, for all subjects.
    pub(crate) fn lines(&self, command: &str) -> Vec<Vec<String>> {
        let line = |words: &[&str]| words.iter().map(|word| (*word).to_owned()).collect::<Vec<String>>();
        match command {
            // One subject at a time.
            "locate" => self.subjects.iter().map(|subject| line(&["locate", subject])).collect(),
            "test" => vec![line(&["test", "--cases", "2000"])],
            "hunt" => vec![line(&["hunt", "--cases", "1000"])],
            other => vec![line(&[other])],
        }
    }

    /// One run: its answer, what it said, and how long it took.
    pub(crate) fn run(
        &self,
        tool: &Path,
        line: &[String],
        more: &[&str],
        most: Duration,
    ) -> Result<Run, Failure> {
        self.clean();
        let began = Instant::now();
        let child = Command::new(tool)
            .args(line)
            .args(more)
            .args(["--format", "json", "--quiet"])
            .current_dir(&self.folder)
            .stdin(Stdio::null())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()?;
        let (code, answer, said) = wait(child, began + most)?;
        Ok(Run { code, answer, said, seconds: began.elapsed().as_secs_f64() })
    }
}

/// What one run gave.
pub(crate) struct Run {
    /// The exit code; none when it had to be ended.
    pub(crate) code: Option<i32>,
    answer: String,
    pub(crate) said: String,
    pub(crate) seconds: f64,
}

impl Run {
    /// What must be the same each time: the exit code and the answer without its times.
    pub(crate) fn essence(&self) -> String {
        let answer = serde_json::from_str::<Value>(&self.answer).map(without_times);
        // What is no JSON (nothing was there to answer) is compared as it is.
        let answer =
            answer.map_or_else(|_| format!("{}{}", self.answer, self.said), |answer| answer.to_string());
        format!("{:?} {answer}", self.code)
    }

    /// Whether it broke instead of answering.
    pub(crate) fn panicked(&self) -> bool {
        self.code == Some(101) || self.said.contains("panicked at") || self.answer.contains("panicked at")
    }
}

/// An answer without the fields that tell times.
pub(crate) fn without_times(mut value: Value) -> Value {
    fn strip(value: &mut Value) {
        match value {
            Value::Object(fields) => {
                fields.retain(|name, _| !TIME_FIELDS.contains(&name.as_str()));
                fields.values_mut().for_each(strip);
            }
            Value::Array(parts) => parts.iter_mut().for_each(strip),
            _ => {}
        }
    }
    strip(&mut value);
    value
}

/// Processes that do nothing but keep the machine busy; they end with this value.
pub(crate) struct Busy(Vec<Child>);

impl Busy {
    pub(crate) fn start(count: usize) -> Result<Busy, Failure> {
        let own = std::env::current_exe()?;
        let start = |_| Command::new(&own).arg("--busy").stdin(Stdio::piped()).spawn();
        Ok(Busy((0..count).map(start).collect::<Result<_, _>>()?))
    }

    /// What each of them does: until whoever started it is gone.
    pub(crate) fn work() {
        std::thread::spawn(|| {
            let mut number: u64 = 1;
            loop {
                number = std::hint::black_box(number.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1));
            }
        });
        let _ = std::io::stdin().read_to_end(&mut Vec::new());
    }
}

impl Drop for Busy {
    fn drop(&mut self) {
        for child in &mut self.0 {
            // Both fail only for one that has ended.
            let _ = child.kill();
            let _ = child.wait();
        }
    }
}

/// Waits for a process to end, or ends it.
fn wait(mut child: Child, until: Instant) -> Result<(Option<i32>, String, String), Failure> {
    let read = |stream: Option<Box<dyn Read + Send>>| {
        std::thread::spawn(move || {
            let mut bytes = Vec::new();
            let _ = stream.map(|mut stream| stream.read_to_end(&mut bytes));
            String::from_utf8_lossy(&bytes).into_owned()
        })
    };
    let out = read(child.stdout.take().map(|stream| Box::new(stream) as _));
    let err = read(child.stderr.take().map(|stream| Box::new(stream) as _));
    let code = loop {
        if let Some(status) = child.try_wait()? {
            // A signal is no exit: whatever raised it, it broke.
            break Some(status.code().unwrap_or(101));
        }
        if Instant::now() >= until {
            child.kill()?;
            child.wait()?;
            break None;
        }
        std::thread::sleep(Duration::from_millis(5));
    };
    let text = |thread: std::thread::JoinHandle<String>| thread.join().unwrap_or_default();
    Ok((code, text(out), text(err)))
}

fn copy(from: &Path, to: &Path) -> Result<(), Failure> {
    fs::create_dir_all(to)?;
    for entry in fs::read_dir(from)? {
        let entry = entry?;
        let name = entry.file_name();
        if name == ".twinrun" || name == "target" {
            continue;
        }
        if entry.file_type()?.is_dir() {
            copy(&entry.path(), &to.join(name))?;
        } else {
            fs::copy(entry.path(), to.join(name))?;
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_times_may_differ() {
        let parse = |text: &str| without_times(serde_json::from_str(text).expect("JSON"));
        let one = parse(r#"{"a": [{"seconds": 1.5, "n": 1}], "search": {"search_seconds": 2}}"#);
        assert_eq!(one, parse(r#"{"a": [{"seconds": 7, "n": 1}], "search": {}}"#));
        assert_ne!(one, parse(r#"{"a": [{"seconds": 1.5, "n": 2}], "search": {}}"#));
    }
}
