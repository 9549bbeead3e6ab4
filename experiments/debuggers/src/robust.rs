//! What the command line leaves behind and how late it is when it is stopped in the middle of its work.

use std::path::Path;
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

use serde_json::json;

use crate::Failure;

/// Debugger, programs, further words.
const RUNS: [(&str, &str, &[&str]); 5] = [
    ("node", "subjects/javascript", &["--binary", ".deps/node/11.15.0/bin/node"]),
    ("node", "subjects/javascript", &["--binary", ".deps/node/26.10.0/bin/node"]),
    ("chromium", "subjects/javascript", &[]),
    ("lldb-dap", "subjects/debugger-c", &[]),
    ("debugpy", "subjects/debugger-python", &[]),
];

/// When each is stopped: while it starts, while it works and reduces.
const SECONDS: [u64; 2] = [1, 6];

/// Writes `robust.json`.
pub(crate) fn write(root: &Path, folder: &Path) -> Result<(), Failure> {
    let binary = root.join("target/debug/twinrun");
    if !binary.exists() {
        return Err("build the command line first: cargo build --bin twinrun".into());
    }
    let (mut late, mut orphans, mut silent, mut rows) = (0f64, 0, 0, Vec::new());
    for (debugger, programs, words) in RUNS {
        for seconds in SECONDS {
            for interrupt in [false, true] {
                let scratch = std::env::temp_dir().join(format!("twinrun-robust-{}", std::process::id()));
                std::fs::create_dir_all(&scratch)?;
                let time = if interrupt { "600s".to_owned() } else { format!("{seconds}s") };
                let mut child = Command::new(&binary)
                    .args(["debugger", "--debugger", debugger, "--tests", "1000", "--fresh", "--time", &time])
                    .arg("--project")
                    .arg(&scratch)
                    .args(words)
                    .arg(programs)
                    .current_dir(root)
                    .stdin(Stdio::null())
                    .stdout(Stdio::piped())
                    .stderr(Stdio::null())
                    .spawn()?;
                let began = Instant::now();
                let planned = Duration::from_secs(seconds);
                if interrupt {
                    std::thread::sleep(planned);
                    Command::new("kill").args(["-INT", &child.id().to_string()]).status()?;
                }
                let number = child.id();
                let said = {
                    use std::io::Read as _;
                    let mut text = String::new();
                    child.stdout.take().into_iter().for_each(|mut out| drop(out.read_to_string(&mut text)));
                    text
                };
                let status = child.wait()?;
                let over = began.elapsed().saturating_sub(planned).as_secs_f64();
                // What it started is given a moment to be gone.
                std::thread::sleep(Duration::from_millis(300));
                let left = marked(number);
                late = late.max(over);
                orphans += left;
                let summary = said.contains(" tests, ");
                // Within the first second a debugger may not even be there.
                silent += usize::from(!summary && seconds > 1);
                eprintln!(
                    "{debugger} stopped after {seconds} s ({}): {over:.2} s late, {left} left, {status}",
                    if interrupt { "Ctrl-C" } else { "--time" }
                );
                rows.push(json!({ "debugger": debugger, "words": words, "seconds": seconds, "interrupt": interrupt, "late": over, "left": left, "summary": summary }));
                let _ = std::fs::remove_dir_all(&scratch);
            }
        }
    }
    let whole = json!({ "late_seconds_max": (late * 10.0).round() / 10.0, "orphans": orphans, "without_summary": silent, "runs": rows });
    std::fs::write(folder.join("robust.json"), serde_json::to_string_pretty(&whole)?)?;
    Ok(())
}

/// Processes with the mark of what one run started.
fn marked(run: u32) -> usize {
    let wanted = format!("TWINRUN_DEBUGGEE={run}-");
    let processes = std::fs::read_dir("/proc").into_iter().flatten().flatten();
    processes
        .filter_map(|process| std::fs::read(process.path().join("environ")).ok())
        .filter(|environment| {
            environment.split(|byte| *byte == 0).any(|entry| entry.starts_with(wanted.as_bytes()))
        })
        .count()
}
