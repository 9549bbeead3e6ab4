//! A smaller relation of which the same false thing is said: lines, statements and parts of expressions are left out as long as it stays so.

use std::error::Error;
use std::path::Path;

use twinrun_prove::Config;

use crate::batch::{Batch, Relation};
use crate::judge::{Falsehood, judge};

/// So many smaller sources are tried in one build.
const AT_ONCE: usize = 24;

/// Makes a relation smaller while a false answer of this kind stays.
///
/// # Errors
/// When the original itself cannot be judged.
pub fn shrink(
    relation: &Relation,
    kind: Falsehood,
    config: &Config,
    folder: &Path,
    root: &Path,
) -> Result<Relation, Box<dyn Error>> {
    let mut best = relation.clone();
    let is_false = |relation: &Relation| -> bool {
        let Ok(batch) = Batch::build(vec![relation.clone()], folder, root) else { return false };
        let Ok(judged) = judge(&batch, config, &mut |_, _| ()) else { return false };
        judged[0].false_answers.iter().any(|answer| answer.kind == kind)
    };
    loop {
        let candidates = smaller(&best.source);
        let found = candidates.chunks(AT_ONCE).flatten().find_map(|source| {
            let candidate = Relation { source: source.clone(), ..best.clone() };
            is_false(&candidate).then_some(candidate)
        });
        match found {
            Some(candidate) => best = candidate,
            None => return Ok(best),
        }
    }
}

/// Sources with something left out, the shortest first.
fn smaller(source: &str) -> Vec<String> {
    let mut all = Vec::new();
    let head = source.find("#ifndef __wasm__").unwrap_or(source.len());
    let (text, tail) = source.split_at(head);
    // Whole lines.
    let lines: Vec<&str> = text.lines().collect();
    for index in 0..lines.len() {
        let rest: Vec<&str> =
            lines.iter().enumerate().filter(|(at, _)| *at != index).map(|(_, line)| *line).collect();
        all.push(rest.join("\n") + "\n" + tail);
    }
    // Statements: from after one semicolon or brace to the next semicolon.
    let ends: Vec<usize> =
        text.char_indices().filter(|(_, c)| matches!(c, ';' | '{' | '}')).map(|(at, _)| at + 1).collect();
    for pair in ends.windows(2) {
        if text[pair[0]..pair[1]].ends_with(';') {
            all.push(format!("{}{}{tail}", &text[..pair[0]], &text[pair[1]..]));
        }
    }
    // Parenthesised parts: replaced by 0, by 1, or opened.
    let mut open = Vec::new();
    for (at, character) in text.char_indices() {
        match character {
            '(' => open.push(at),
            ')' => {
                let Some(from) = open.pop() else { continue };
                if at - from > 2 && text[..from].ends_with([' ', '(', '!', '-', '~']) {
                    for by in ["0", "1", &text[from + 1..at]] {
                        all.push(format!("{}{by}{}{tail}", &text[..from], &text[at + 1..]));
                    }
                }
            }
            _ => {}
        }
    }
    all.retain(|candidate| candidate.len() < source.len());
    all.sort_by_key(String::len);
    all
}
