//! The tables of semi-proving as text: columns as wide as what stands in them.

use crate::report::Condition;
use crate::tables::Tables;

/// What is longer does not widen its column.
const WIDEST: usize = 72;

/// The tables, indented like the report.
pub(crate) fn render(tables: &Tables) -> String {
    let mut text = String::new();
    for run in &tables.runs {
        let given = match run.given.len() {
            0 => String::new(),
            _ => format!(", given {}", run.given.join(", ")),
        };
        text.push_str(&format!("\n  paths of run {}{given}\n", run.run));
        let mut rows = vec![["path", "taken when", "answers"].map(str::to_owned)];
        for path in &run.paths {
            rows.push([path.path.to_string(), condition(Some(&path.condition)), path.outputs.join(", ")]);
        }
        text.push_str(&columns(&rows));
        text.push_str(&left_out(run.paths_left_out, "paths"));
    }
    text.push_str("\n  pairs of paths\n");
    let mut rows = vec![["paths", "holds when", "fails when"].map(str::to_owned)];
    for pair in &tables.pairs {
        let numbers: Vec<String> = pair.paths.iter().map(usize::to_string).collect();
        let fails = condition(pair.fails_when.as_ref());
        let fails = if pair.broken { format!("{fails} (some inputs crash or do not end)") } else { fails };
        rows.push([numbers.join(" and "), condition(pair.holds_when.as_ref()), fails]);
    }
    text.push_str(&columns(&rows));
    text.push_str(&left_out(tables.pairs_left_out, "pairs"));
    text
}

fn left_out(count: usize, what: &str) -> String {
    if count == 0 { String::new() } else { format!("    … and {count} {what} more\n") }
}

fn condition(condition: Option<&Condition>) -> String {
    match condition {
        None => "never".to_owned(),
        Some(known) if known.exact => known.to_string(),
        Some(known) => format!("{known} (there may be more)"),
    }
}

fn columns<const N: usize>(rows: &[[String; N]]) -> String {
    let length = |cell: &String| cell.chars().count();
    let width =
        |column: usize| rows.iter().map(|row| length(&row[column]).min(WIDEST)).max().unwrap_or_default();
    let widths: Vec<usize> = (0..N).map(width).collect();
    let mut text = String::new();
    for row in rows {
        let cells = row.iter().zip(&widths).map(|(cell, &width)| format!("{cell:width$}"));
        let line = cells.collect::<Vec<_>>().join("  ");
        text.push_str(&format!("    {}\n", line.trim_end()));
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::tables::{PairRow, PathRow, RunTable};

    #[test]
    fn columns_are_as_wide_as_their_cells() {
        let exactly = |text: &str| Condition { alternatives: vec![text.to_owned()], exact: true };
        let path =
            PathRow { path: 1, condition: exactly("b < a < c"), outputs: vec!["median = a".to_owned()] };
        let run = RunTable { run: 1, given: vec!["u = a".to_owned()], paths: vec![path], paths_left_out: 2 };
        let pair = PairRow {
            paths: vec![1, 12],
            holds_when: None,
            fails_when: Some(exactly("b < a < c")),
            broken: false,
        };
        let tables = Tables { runs: vec![run], pairs: vec![pair], pairs_left_out: 0, complete: true };
        assert_eq!(
            render(&tables),
            "\n  paths of run 1, given u = a\n    path  taken when  answers\n    1     b < a < c   median = a\n    … and 2 paths more\n\n  \
             pairs of paths\n    paths     holds when  fails when\n    1 and 12  never       b < a < c\n"
        );
    }
}
