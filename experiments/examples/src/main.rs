//! `./x experiment examples`: every correct example holds on 100,000 cases for each relation (1,000 for commands), and each seeded fault
//! is found.

use std::path::Path;
use std::process::Command;
use std::time::Instant;

use serde_json::{Value, json};
use twinrun_results::{Results, workspace_root};

type Failure = Box<dyn std::error::Error>;

fn main() -> Result<(), Failure> {
    let root = workspace_root();
    let built = Command::new("cargo")
        .args(["build", "--quiet", "--release", "--bin", "twinrun"])
        .current_dir(&root)
        .status()?;
    if !built.success() {
        return Err("twinrun does not build".into());
    }
    let mut results = Results::new("examples");
    results.notes.push("Cases are those that were not discarded, for each relation; `minimal` is the case of the first finding of the faulty version.".to_owned());
    let mut folders: Vec<_> = std::fs::read_dir(root.join("examples"))?
        .map(|entry| Ok(entry?.path()))
        .collect::<Result<_, Failure>>()?;
    folders.sort();
    let (mut holding, mut found, mut relations) = (0, 0, 0);
    for folder in folders.iter().filter(|folder| folder.join("twinrun.toml").exists()) {
        let name = folder.file_name().map(|name| name.to_string_lossy().into_owned()).unwrap_or_default();
        let command = std::fs::read_to_string(folder.join("twinrun.toml"))?.contains("\ncommand = ");
        let cases = if command { "1000" } else { "100000" };
        let began = Instant::now();
        let correct = test(&root, folder, &name, cases)?;
        let seconds = began.elapsed().as_secs_f64();
        let faulty = test(&root, folder, "faulty", cases)?;
        let holds = correct["exit"] == "holds";
        let findings = faulty["findings"].as_array().map_or(0, Vec::len);
        let count = correct["relations"].as_array().map_or(0, Vec::len);
        let minimal = faulty["findings"][0]["case"].as_array().map(|inputs| {
            inputs
                .iter()
                .map(|input| {
                    format!("{} = {}", input["name"].as_str().unwrap_or_default(), short(&input["value"]))
                })
                .collect::<Vec<_>>()
                .join(", ")
        });
        println!(
            "{name}: {count} relations, holds {holds}, {findings} finding(s) in the faulty version, {seconds:.1} s"
        );
        results.row(&json!({"example": name, "relations": count, "cases": cases, "holds": holds, "findings": findings, "seconds": seconds, "minimal": minimal}));
        holding += u32::from(holds);
        found += u32::from(findings > 0);
        relations += count;
    }
    results.total("examples", results.rows.len());
    results.total("relations", relations);
    results.total("correct_hold", holding);
    results.total("faults_found", found);
    println!("written: {}", results.write()?.display());
    Ok(())
}

fn test(root: &Path, folder: &Path, subject: &str, cases: &str) -> Result<Value, Failure> {
    let arguments =
        ["test", subject, "--cases", cases, "--format", "json", "--quiet", "--no-saved", "--fresh"];
    let output =
        Command::new(root.join("target/release/twinrun")).args(arguments).current_dir(folder).output()?;
    serde_json::from_slice(&output.stdout)
        .map_err(|error| format!("{subject}: {error}: {}", String::from_utf8_lossy(&output.stderr)).into())
}

/// A value without its tag.
fn short(value: &Value) -> String {
    value.as_object().and_then(|object| object.values().next()).map(ToString::to_string).unwrap_or_default()
}
