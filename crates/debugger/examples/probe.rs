use std::path::Path;
use twinrun_debugger::backends::node::{Isolation, Node};
use twinrun_debugger::*;
fn main() {
    let a: Vec<String> = std::env::args().collect();
    let mut node = Node::new(Path::new(&a[1]), Isolation::Context, Limits::default()).unwrap();
    let source = std::fs::read_to_string(&a[2]).unwrap();
    let p = Program::new("p", Language::JavaScript, &source);
    let mut actions = vec![];
    for x in &a[3..] {
        let at = |s: &str| { let (l, c) = s.split_once(':').unwrap(); Position::new(l.parse().unwrap(), c.parse().unwrap()) };
        actions.push(match x.as_str() { "c" => Action::Control(Control::Continue), "o" => Action::Control(Control::StepOver), "i" => Action::Control(Control::StepInto), "u" => Action::Control(Control::StepOut),
          b if b.starts_with("-") => Action::Remove{at: at(&b[1..])}, b => Action::set(at(b)) });
    }
    let t = replay(&mut node, &p, &actions).unwrap();
    for s in &t.steps { println!("{} -> {}", s.action, s.answer); if let Answer::Paused(p) = &s.answer { println!("   {} hit={} ", p.reason, p.at_breakpoint); for f in &p.frames { println!("   {} {:?}", f.function, f.location); for sc in &f.scopes { println!("      {:?} {} {:?}", sc.kind, sc.label, sc.variables.iter().map(|v| format!("{}={}", v.name, v.value)).collect::<Vec<_>>()); } } } }
    println!("{:?} {}", t.output, t.ending);
}
