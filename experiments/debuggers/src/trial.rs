//! A campaign with one debugger on given programs for some seconds of processor time: what it counted and each warning, as JSON.

use std::path::Path;
use std::time::Duration;

use serde_json::json;
use twinrun_debugger::backends::node::{Isolation, Node};
use twinrun_debugger::{Backend, Config, Language, Limits, Program, Verdict, reduce, replay_data, run_test};

use crate::Failure;

/// Processor seconds of this process and of all that it started, waited for or not.
fn spent() -> f64 {
    let us = std::process::id().to_string();
    let stat = |pid: &str| -> Option<(String, f64, f64)> {
        let text = std::fs::read_to_string(format!("/proc/{pid}/stat")).ok()?;
        let rest: Vec<&str> = text.rsplit_once(')')?.1.split_whitespace().collect();
        let ticks = |at: usize| rest.get(at).and_then(|word| word.parse::<f64>().ok()).unwrap_or(0.0) / 100.0;
        Some((rest.get(1)?.to_string(), ticks(11) + ticks(12), ticks(13) + ticks(14)))
    };
    let own = stat(&us).map_or(0.0, |(_, own, waited)| own + waited);
    let pids = std::fs::read_dir("/proc").into_iter().flatten().flatten();
    let names = pids.filter_map(|entry| entry.file_name().into_string().ok());
    let children: f64 = names
        .filter(|name| name.starts_with(|c: char| c.is_ascii_digit()))
        .filter_map(|name| stat(&name))
        .filter(|(parent, _, _)| *parent == us)
        .map(|(_, own, waited)| own + waited)
        .sum();
    own + children
}

pub(crate) fn run(binary: &str, list: &str, seconds: f64, out: &str) -> Result<(), Failure> {
    let list: Vec<(String, String)> = serde_json::from_str(&std::fs::read_to_string(list)?)?;
    let programs: Vec<Program> =
        list.iter().map(|(name, source)| Program::new(name, Language::JavaScript, source)).collect();
    let limits = Limits { answer: Duration::from_secs(5), ..Limits::default() };
    let mut node = Node::new(Path::new(binary), Isolation::Context, limits)?;
    let (mut tests, mut cases, mut unsteady, mut leaked) = (0usize, 0usize, 0usize, 0usize);
    let mut explained = std::collections::BTreeMap::<String, usize>::new();
    let mut warnings = Vec::new();
    let mut discarded = std::collections::BTreeMap::<String, usize>::new();
    'all: for seed in 0.. {
        for program in &programs {
            if spent() > seconds {
                break 'all;
            }
            let Ok(report) = run_test(&mut node, program, seed, &Config::default()) else {
                node.discard();
                *discarded.entry("failed".to_owned()).or_default() += 1;
                continue;
            };
            tests += 1;
            cases += report.rounds.len();
            for (why, times) in &report.explained {
                *explained.entry(why.clone()).or_default() += times;
            }
            match report.verdict {
                Verdict::Holds => {}
                Verdict::Unsteady(what) => {
                    unsteady += 1;
                    *discarded.entry(format!("unsteady: {what}")).or_default() += 1;
                }
                Verdict::Leaked(_) => leaked += 1,
                Verdict::Discarded(why) => *discarded.entry(why).or_default() += 1,
                Verdict::Warning(warning) => {
                    let reduced = reduce(&mut node, &warning, 60).unwrap_or(*warning);
                    warnings.push(json!({ "group": reduced.group(), "text": reduced.text(), "data": replay_data(&reduced),
                        "transformation": reduced.plan.transformation, "program": reduced.initial.program.name }));
                }
            }
        }
    }
    let all = json!({ "debugger": node.name(), "tests": tests, "cases": cases, "unsteady": unsteady, "leaked": leaked,
        "discarded": discarded, "explained": explained, "cpu": spent(), "warnings": warnings });
    std::fs::write(out, serde_json::to_string_pretty(&all)?)?;
    eprintln!("{}: {tests} tests, {cases} cases, {} warnings", node.name(), warnings.len());
    Ok(())
}
