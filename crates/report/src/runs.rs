//! The runs of a group as rows: what each was given, what each gave, and where they differ.

use twinrun_base::{Group, ProgramRun, Run, Value};

use crate::inert::{inert, inert_bytes, shorten};

/// Characters of one value that people are shown; formats for machines have it whole.
const MOST: usize = 400;
/// Lines of a program's output that people are shown.
const MOST_LINES: usize = 12;

/// One row: a cell for each run, empty where the run has nothing to say.
pub(crate) struct Row {
    pub(crate) label: String,
    pub(crate) cells: Vec<String>,
    /// An output in which the runs differ.
    pub(crate) differs: bool,
}

/// `run 1 (source)`, `run 2 (follow-up)`.
pub(crate) fn title(index: usize) -> String {
    format!("run {} ({})", index + 1, if index == 0 { "source" } else { "follow-up" })
}

/// The rows of a group: given first, then outputs.
pub(crate) fn rows(group: &Group) -> Vec<Row> {
    let runs = &group.runs;
    let mut rows = named(runs, "given ", |run| &run.given, false);
    rows.extend(named(runs, "", |run| &run.outputs, true));
    if runs.iter().any(|run| run.program.is_some()) {
        rows.extend(program(runs));
    }
    rows
}

/// A value on one line.
pub(crate) fn value(value: &Value) -> String {
    let text = match value {
        Value::Bytes(bytes) => format!("\"{}\"", inert_bytes(bytes)),
        other => inert(&other.to_string()),
    };
    shorten(&text, MOST)
}

/// The case on one line.
pub(crate) fn case(group: &Group) -> String {
    let inputs = group.case.inputs.iter().map(|input| match &input.value {
        bytes @ Value::Bytes(_) => format!("{} = {}", inert(&input.name), value(bytes)),
        _ => shorten(&inert(&input.to_string()), MOST),
    });
    inputs.collect::<Vec<_>>().join(", ")
}

/// One row for each name that any run uses, in the order of first use.
fn named<'a>(
    runs: &'a [Run],
    prefix: &str,
    pairs: impl Fn(&'a Run) -> &'a Vec<(String, Value)>,
    compare: bool,
) -> Vec<Row> {
    let mut names: Vec<&str> = Vec::new();
    for (name, _) in runs.iter().flat_map(&pairs) {
        if !names.contains(&name.as_str()) {
            names.push(name);
        }
    }
    let cell = |run: &'a Run, name: &str| {
        let values = pairs(run).iter().filter(|(other, _)| other == name);
        values.map(|(_, it)| value(it)).collect::<Vec<_>>().join("; ")
    };
    let row = |name: &str| {
        // Whole values, not what is shown of them; as text, because a NaN does not equal itself.
        let mut whole: Vec<String> = runs
            .iter()
            .map(|run| pairs(run).iter().filter(|(other, _)| other == name).collect::<Vec<_>>())
            .filter(|values| !values.is_empty())
            .map(|values| format!("{values:?}"))
            .collect();
        whole.dedup();
        Row {
            label: shorten(&format!("{prefix}{}", inert(name)), 40),
            cells: runs.iter().map(|run| cell(run, name)).collect(),
            differs: compare && whole.len() > 1,
        }
    };
    names.into_iter().map(row).collect()
}

/// Arguments, input, exit code and output of whole programs.
fn program(runs: &[Run]) -> Vec<Row> {
    let empty = ProgramRun::default();
    let programs: Vec<&ProgramRun> = runs.iter().map(|run| run.program.as_ref().unwrap_or(&empty)).collect();
    let row = |label: &str, cell: &dyn Fn(&ProgramRun) -> String, differs: bool| Row {
        label: label.to_string(),
        cells: programs.iter().map(|program| shorten(&cell(program), MOST)).collect(),
        differs,
    };
    let differ = |different: &dyn Fn(&ProgramRun, &ProgramRun) -> bool| {
        programs.windows(2).any(|two| different(two[0], two[1]))
    };
    let mut rows = vec![row("arguments", &|it| arguments(&it.arguments), false)];
    if programs.iter().any(|it| !it.stdin.is_empty()) {
        rows.push(row("stdin", &|it| format!("\"{}\"", inert_bytes(&it.stdin)), false));
    }
    rows.push(row("exit", &|it| it.exit.to_string(), differ(&|a, b| a.exit != b.exit)));
    rows.extend(lines("stdout", &programs.iter().map(|it| it.stdout.as_slice()).collect::<Vec<_>>()));
    rows.extend(lines("stderr", &programs.iter().map(|it| it.stderr.as_slice()).collect::<Vec<_>>()));
    rows
}

/// Arguments as one would type them, quoted where they are not plain words.
fn arguments(arguments: &[Vec<u8>]) -> String {
    let show = |argument: &Vec<u8>| {
        let text = inert_bytes(argument);
        let plain = !text.is_empty()
            && text.chars().all(|char| char.is_alphanumeric() || "-_./:=,+@%".contains(char));
        if plain { text } else { format!("'{}'", text.replace('\'', "'\\''")) }
    };
    arguments.iter().map(show).collect::<Vec<_>>().join(" ")
}

/// A stream line by line, from shortly before the first difference.
fn lines(label: &str, streams: &[&[u8]]) -> Vec<Row> {
    let split: Vec<Vec<&[u8]>> =
        streams.iter().map(|stream| stream.split(|byte| *byte == b'\n').collect()).collect();
    let split: Vec<&[&[u8]]> =
        split.iter().map(|lines| lines.strip_suffix(&[&b""[..]]).unwrap_or(lines)).collect();
    let most = split.iter().map(|lines| lines.len()).max().unwrap_or(0);
    let differs = |at: usize| split.windows(2).any(|two| two[0].get(at) != two[1].get(at));
    let first = (0..most).find(|at| differs(*at)).unwrap_or(0);
    let from = if most <= MOST_LINES { 0 } else { first.saturating_sub(2) };
    let to = most.min(from + MOST_LINES);
    let numbered = |at: usize| if most == 1 { label.to_string() } else { format!("{label}:{}", at + 1) };
    let mut rows: Vec<Row> = (from..to)
        .map(|at| Row {
            label: numbered(at),
            cells: split
                .iter()
                .map(|lines| lines.get(at).map_or(String::new(), |line| shorten(&inert_bytes(line), MOST)))
                .collect(),
            differs: differs(at),
        })
        .collect();
    if to < most {
        let rest = |lines: &&[&[u8]]| match lines.len().saturating_sub(to) {
            0 => String::new(),
            rest => format!("({rest} more lines)"),
        };
        let differs = (to..most).any(differs);
        rows.push(Row { label: "…".into(), cells: split.iter().map(rest).collect(), differs });
    }
    rows
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn output_is_shown_from_shortly_before_the_first_difference() {
        let numbers = |from: u32| (from..from + 100).map(|n| format!("{n}\n")).collect::<String>();
        let (one, two) = (numbers(0), numbers(0).replace("\n50\n", "\nfifty\n"));
        let rows = lines("stdout", &[one.as_bytes(), two.as_bytes()]);
        assert_eq!(rows.len(), MOST_LINES + 1);
        assert_eq!(rows[0].label, "stdout:49");
        assert_eq!(rows[2].cells, ["50", "fifty"]);
        assert_eq!(rows.iter().filter(|row| row.differs).count(), 1);
        assert_eq!(rows.last().unwrap().cells, ["(40 more lines)", "(40 more lines)"]);
    }

    #[test]
    fn a_missing_line_differs_and_no_output_has_no_row() {
        let rows = lines("stdout", &[b"a\nb\n", b"a\n"]);
        assert_eq!(rows.iter().map(|row| row.differs).collect::<Vec<_>>(), [false, true]);
        assert!(lines("stderr", &[b"", b""]).is_empty());
    }

    #[test]
    fn arguments_are_quoted_where_needed() {
        let words = [&b"-n"[..], b"a b", b"", b"it's", b"\x1b[0m"].map(<[u8]>::to_vec);
        assert_eq!(arguments(&words), "-n 'a b' '' 'it'\\''s' '\\x1b[0m'");
    }
}
