//! A piece of source with a place underlined.

use twinrun_base::sites::Location;

use crate::inert::{inert, shorten};
use crate::sources::Sources;
use crate::style::{Ink, Paint, width, wrap};

/// The lines that show `location`, with `label` under it; `most` columns wide.
pub(crate) fn snippet(
    sources: &Sources,
    location: &Location,
    label: &str,
    ink: Ink,
    paint: Paint,
    most: usize,
) -> Vec<String> {
    let place = paint.ink(Ink::Cyan, &inert(&location.to_string()));
    let Some(line) = sources.line(&location.file, location.line) else {
        let label = wrap(label, most.saturating_sub(4)).into_iter().map(|line| format!("    {line}"));
        return std::iter::once(format!("--> {place}")).chain(label).collect();
    };
    let number = location.line.to_string();
    let blank = " ".repeat(number.len());
    let bar = paint.ink(Ink::Dim, "|");
    let (start, end) = match sources.column(location) {
        Some(column) => (column - 1, column - 1 + token(line, column - 1)),
        None => (line.len() - line.trim_start().len(), line.trim_end().chars().count()),
    };
    let most = most.saturating_sub(number.len() + 3);
    let (text, before, under) = window(line, start, end, most);
    let mut lines = vec![
        format!("{blank}--> {place}"),
        format!("{} {bar} {text}", paint.ink(Ink::Dim, &number)),
        format!("{blank} {bar} {before}{}", paint.ink(ink, &"^".repeat(under))),
    ];
    if before.len() + under + 1 + width(label) <= most {
        lines[2] = format!("{} {label}", lines[2]);
    } else {
        lines.extend(wrap(label, most).into_iter().map(|line| format!("{blank} {bar} {line}")));
    }
    lines
}

/// The same in few lines: the place beside its code, the label below, nothing underlined.
pub(crate) fn brief(
    sources: &Sources,
    location: &Location,
    label: &str,
    ink: Ink,
    paint: Paint,
    most: usize,
) -> Vec<String> {
    let place = inert(&location.to_string());
    let Some(line) = sources.line(&location.file, location.line) else {
        return snippet(sources, location, label, ink, paint, most);
    };
    let code = inert(&line.trim().replace('\t', "    "));
    let bar = paint.ink(Ink::Dim, "|");
    // A long path leaves no room beside it.
    let margin = if width(&place) <= most / 3 { width(&place) } else { 2 };
    let room = most.saturating_sub(margin + 3);
    let code = format!("{bar} {}", shorten(&code, room));
    let mut lines = if margin == width(&place) {
        vec![format!("{} {code}", paint.ink(Ink::Cyan, &place))]
    } else {
        vec![paint.ink(Ink::Cyan, &place), format!("{} {code}", " ".repeat(margin))]
    };
    let label = wrap(label, room);
    lines.extend(label.iter().map(|line| format!("{} {bar} {}", " ".repeat(margin), paint.ink(ink, line))));
    lines
}

/// How many characters the token at `start` has: a name, with its arguments if it is a call, or an operator.
fn token(line: &str, start: usize) -> usize {
    let rest: Vec<char> = line.chars().skip(start).collect();
    let name = rest.iter().take_while(|char| char.is_alphanumeric() || **char == '_').count();
    if name == 0 {
        return rest.iter().take(2).take_while(|char| "&|<>=!+-*/%^?".contains(**char)).count().max(1);
    }
    let mut depth = 0;
    for (index, char) in rest.iter().enumerate().skip(name) {
        match char {
            '(' => depth += 1,
            ')' => depth -= 1,
            _ => {}
        }
        if depth == 0 {
            return if *char == ')' { index + 1 } else { name };
        }
    }
    name
}

/// The part of a line that fits, the blanks before the underlined part, and the columns under it.
fn window(line: &str, start: usize, end: usize, most: usize) -> (String, String, usize) {
    let most = most.max(20);
    let all: Vec<char> = line.chars().collect();
    // A little before the place, so that it can be recognised.
    let from = if all.len() <= most { 0 } else { start.saturating_sub(most / 3) };
    let shown = |from: usize, to: usize| -> String {
        let text: String =
            all[from.min(all.len())..to.clamp(from.min(all.len()), all.len())].iter().collect();
        inert(&text.replace('\t', "    "))
    };
    let mut to = all.len().min(from + most);
    while to > from && width(&shown(from, to)) > most {
        to -= 1;
    }
    let (open, close) = (if from > 0 { "…" } else { "" }, if to < all.len() { "…" } else { "" });
    let before = width(open) + width(&shown(from, start.min(to)));
    let under = width(&shown(start.min(to), end.min(to))).max(1);
    (format!("{open}{}{close}", shown(from, to)), " ".repeat(before), under)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(line: &str, column: u32, most: usize, expect: &[&str]) {
        let mut sources = Sources::default();
        sources.insert("a.c", line);
        let location = Location { file: "a.c".into(), line: 1, column };
        assert_eq!(snippet(&sources, &location, "here", Ink::Red, Paint::new(false), most), expect);
    }

    #[test]
    fn the_token_at_the_place_is_underlined() {
        check("  if (a && b)", 9, 80, &[" --> a.c:1:9", "1 |   if (a && b)", "  |         ^^ here"]);
        check(
            "\tx = f(g(1), 2);",
            6,
            80,
            &[" --> a.c:1:6", "1 |     x = f(g(1), 2);", "  |         ^^^^^^^^^^ here"],
        );
        check("é数 = y;", 9, 80, &[" --> a.c:1:9", "1 | é数 = y;", "  |       ^ here"]);
        check("  whole line;  ", 0, 80, &[" --> a.c:1", "1 |   whole line;  ", "  |   ^^^^^^^^^^^ here"]);
    }

    #[test]
    fn a_long_line_is_shown_around_the_place() {
        let line = format!("{}target{}", "x".repeat(500), " + y".repeat(500));
        check(
            &line,
            501,
            44,
            &[
                " --> a.c:1:501",
                "1 | …xxxxxxxxxxxxxtarget + y + y + y + y + y …",
                "  |               ^^^^^^ here",
            ],
        );
    }

    #[test]
    fn places_that_do_not_exist_and_hostile_lines_do_no_harm() {
        check("short", 4_000_000, 80, &[" --> a.c:1:4000000", "1 | short", "  |      ^ here"]);
        check("a\u{1b}[2Jb", 7, 80, &[" --> a.c:1:7", "1 | a\\x1b[2Jb", "  |          ^ here"]);
        let location = Location { file: "gone\u{7}.c".into(), line: 7, column: 1 };
        let lines = snippet(&Sources::default(), &location, "here", Ink::Red, Paint::new(false), 80);
        assert_eq!(lines, ["--> gone\\x07.c:7:1", "    here"]);
    }
}
