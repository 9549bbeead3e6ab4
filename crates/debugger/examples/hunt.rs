use std::collections::BTreeMap;
use std::path::Path;
use twinrun_debugger::backends::node::{Isolation, Node};
use twinrun_debugger::*;
fn main() {
    let a: Vec<String> = std::env::args().collect();
    let mut node = Node::new(Path::new(&a[1]), Isolation::Context, Limits::default()).unwrap();
    let seeds: u64 = a[3].parse().unwrap();
    let mut groups: BTreeMap<String, Vec<Box<Warning>>> = BTreeMap::new();
    let (mut tests, mut rounds, mut sessions, mut unsteady, mut leaked) = (0, 0, 0, 0, 0);
    let mut discarded: BTreeMap<String, usize> = BTreeMap::new();
    let start = std::time::Instant::now();
    let mut files: Vec<_> = std::fs::read_dir(&a[2]).unwrap().map(|e| e.unwrap().path()).collect();
    files.sort();
    for seed in 0..seeds {
        for f in &files {
            let p = Program::new(f.file_name().unwrap().to_str().unwrap(), Language::JavaScript, &javascript::steady(&std::fs::read_to_string(f).unwrap()));
            let r = match run_test(&mut node, &p, seed * 1000 + 7, &Config::default()) { Ok(r) => r, Err(e) => { println!("ERROR {} {seed}: {e}", p.name); node.discard(); continue } };
            tests += 1; rounds += r.rounds.len(); sessions += r.sessions;
            match r.verdict { Verdict::Holds => {}, Verdict::Unsteady => { unsteady += 1; println!("unsteady {} {}", p.name, r.seed) }, Verdict::Discarded(w) => *discarded.entry(w).or_default() += 1, Verdict::Leaked(w) => { leaked += 1; println!("leaked {} {}", w.group(), w.initial.program.name) }, Verdict::Warning(w) => groups.entry(w.group()).or_default().push(w) }
        }
    }
    for (g, ws) in &groups { println!("\n######## {} x {}", ws.len(), g); println!("{}", ws.iter().min_by_key(|w| w.initial.program.source.len()).unwrap().text()); }
    for (g, ws) in &groups { println!("{:4} {}", ws.len(), g); }
    println!("tests {tests} rounds {rounds} sessions {sessions} unsteady {unsteady} leaked {leaked} discarded {discarded:?} in {:?}: {:.1} sessions/s", start.elapsed(), f64::from(sessions as u32) / start.elapsed().as_secs_f64());
}
