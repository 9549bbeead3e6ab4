//! The page of an array: rows as coloured cells with the names of their values, groups as arcs between rows, a legend, how
//! coverage grows, and rows and groups as tables that sort.

use std::fmt::Write as _;

use twinrun_report::html::{self, Part, page};

use crate::check::Verification;
use crate::generate::Array;
use crate::groups::{Group, distinct};
use crate::growth::growth;
use crate::model::Model;
use crate::present::{summary, thousands};

/// Rows that are drawn: a picture of more helps nobody and is slow to scroll.
const DRAWN: usize = 500;
/// Height of a row, and room for a letter, in pixels.
const HEIGHT: usize = 20;
const LETTER: usize = 7;
/// Letters of a name that are drawn; the whole name shows under the mouse.
const NAMED: usize = 14;

/// The page of an array that was made.
pub fn html(model: &Model, array: &Array, groups: &[Group]) -> String {
    let counted = distinct(groups);
    let mut parts = vec![part("picture", "Picture", picture(model, &array.rows, &counted))];
    parts.extend(coverage(model, &array.rows, array.strength, array.tuples));
    parts.push(part("rows", "Rows", rows(model, &array.rows)));
    if !counted.is_empty() {
        parts.push(part("groups", "Groups", group_table(model, &counted)));
    }
    page("Covering array", &html::text(summary(model, array).trim()), &parts)
}

/// The page of an array that was checked.
pub fn checked_html(model: &Model, array: &[Vec<usize>], strength: usize, found: &Verification) -> String {
    let lead = crate::present::verification(model, array.len(), strength, found);
    let first = lead.lines().next().unwrap_or_default();
    let mut parts = Vec::new();
    if found.missing_count + found.broken.len() + found.mixed_invalid.len() > 0 {
        let lines: String =
            lead.lines().skip(1).map(|line| format!("<li>{}</li>", html::text(line))).collect();
        let listed = format!("<ul class=\"places\">{lines}</ul>");
        let more = found.missing_count - found.missing.len();
        let more = if more > 0 {
            format!("<p class=\"dim\">and {} more</p>", thousands(more))
        } else {
            String::new()
        };
        parts.push(part("missing", "What is missing", listed + &more));
    }
    parts.push(part("picture", "Picture", picture(model, array, &[])));
    parts.extend(coverage(model, array, strength, found.covered + found.missing_count));
    parts.push(part("rows", "Rows", rows(model, array)));
    page("Covering array, checked", &html::text(first), &parts)
}

fn part(id: &str, title: &str, content: String) -> Part {
    Part { id: id.to_owned(), title: title.to_owned(), mood: None, content, searched: true }
}

/// The colour of a value: hues of one parameter are as far apart as its values allow.
fn hue(value: usize, values: usize) -> usize {
    360 * value / values.max(1)
}

/// The colour of a relation's arcs.
fn arc_colour(relation: usize, relations: usize) -> String {
    format!("hsl({},70%,45%)", (360 * relation / relations.max(1) + 10) % 360)
}

fn rows(model: &Model, rows: &[Vec<usize>]) -> String {
    let heads: String =
        model.parameters.iter().map(|it| format!("<th>{}</th>", html::text(&it.name))).collect();
    let row = |(number, row): (usize, &Vec<usize>)| {
        let cells = row.iter().zip(&model.parameters);
        let cell = |(&value, parameter): (&usize, &crate::model::Parameter)| {
            let shown = &parameter.values[value];
            let class = if shown.invalid { " class=\"invalid\"" } else { "" };
            // The place of the value in its parameter, so that classes sort as the model lists them.
            format!("<td data-sort=\"{value}\"{class}>{}</td>", html::text(&shown.label))
        };
        let cells: String = cells.map(cell).collect();
        format!("<tr id=\"row-{0}\"><td class=\"number\">{0}</td>{cells}</tr>", number + 1)
    };
    let body: String = rows.iter().enumerate().map(row).collect();
    format!(
        "<div class=\"wide\"><table data-sortable><thead><tr><th class=\"number\">Row</th>{heads}</tr></thead><tbody>{body}</tbody></table></div>"
    )
}

fn group_table(model: &Model, groups: &[Group]) -> String {
    let row = |group: &Group| {
        let tests: Vec<String> =
            group.tests.iter().map(|test| format!("<a href=\"#row-{0}\">{0}</a>", test + 1)).collect();
        format!(
            "<tr><td>{}</td><td data-sort=\"{}\">{}</td></tr>",
            html::text(&model.relations[group.relation].name),
            group.tests.first().map_or(0, |test| test + 1),
            tests.join(", ")
        )
    };
    let body: String = groups.iter().map(row).collect();
    format!(
        "<div class=\"wide\"><table data-sortable><thead><tr><th>Relation</th><th>Rows</th></tr></thead><tbody>{body}</tbody></table></div>"
    )
}

/// What the colours and arcs mean.
fn legend(model: &Model, groups: &[Group], drawn: usize, rows: usize) -> String {
    let mut text = "<p class=\"dim\">One line a row, one column a parameter. A cell's colour is the place of its value among the \
                    values of its parameter; invalid values have a dashed border."
        .to_owned();
    if drawn < rows {
        let _ = write!(
            text,
            " The first {drawn} of {} rows are drawn; the table below has all.",
            thousands(rows)
        );
    }
    if groups.is_empty() {
        return text + "</p>";
    }
    text.push_str(
        " An arc joins the rows of one group; its colour is the relation:</p><div class=\"legend\">",
    );
    for (index, relation) in model.relations.iter().enumerate() {
        let own = groups.iter().filter(|group| group.relation == index).count();
        let _ = write!(
            text,
            "<span><svg viewBox=\"0 0 14 14\" aria-hidden=\"true\"><path d=\"M2,1 Q18,7 2,13\" fill=\"none\" stroke-width=\"2\" stroke=\"{}\"/></svg>{} ({own})</span>",
            arc_colour(index, model.relations.len()),
            html::text(&relation.name)
        );
    }
    text + "</div>"
}

fn cut(name: &str) -> String {
    if name.chars().count() <= NAMED {
        return name.to_owned();
    }
    name.chars().take(NAMED - 1).chain(['…']).collect()
}

fn picture(model: &Model, rows: &[Vec<usize>], groups: &[Group]) -> String {
    let drawn = &rows[..rows.len().min(DRAWN)];
    let shown: Vec<&Group> =
        groups.iter().filter(|group| group.tests.iter().all(|&test| test < drawn.len())).collect();
    let width = |parameter: &crate::model::Parameter| {
        let longest =
            parameter.values.iter().map(|value| cut(&value.label).chars().count()).max().unwrap_or(1);
        (longest * LETTER + 10).max(HEIGHT + 2)
    };
    let widths: Vec<usize> = model.parameters.iter().map(width).collect();
    let longest = model.parameters.iter().map(|it| cut(&it.name).chars().count()).max().unwrap_or(1);
    // Names stand at 60 degrees: sin 60° of their length, and some room.
    let (left, top) = (46, longest * LETTER * 87 / 100 + 24);
    let arcs = if shown.is_empty() { 40 } else { 180 };
    let mut edges = vec![left];
    widths.iter().for_each(|width| edges.push(edges[edges.len() - 1] + width));
    let edge = edges[edges.len() - 1];
    let size = (edge + arcs, top + drawn.len() * HEIGHT + 10);
    let mut svg = format!(
        "<svg role=\"img\" aria-label=\"The array: one line a row, one column a parameter\" fill=\"currentColor\" width=\"{}\" height=\"{}\" font-family=\"sans-serif\" font-size=\"12\">",
        size.0, size.1
    );
    for ((parameter, &x), width) in model.parameters.iter().zip(&edges).zip(&widths) {
        let _ = write!(
            svg,
            "<text transform=\"translate({},{}) rotate(-60)\">{}<title>{}</title></text>",
            x + width / 2,
            top - 6,
            html::text(&cut(&parameter.name)),
            html::text(&parameter.name)
        );
    }
    for (number, row) in drawn.iter().enumerate() {
        let y = top + number * HEIGHT;
        let _ = write!(
            svg,
            "<text x=\"{}\" y=\"{}\" text-anchor=\"end\">{}</text>",
            left - 6,
            y + 14,
            number + 1
        );
        for (column, &value) in row.iter().enumerate() {
            let parameter = &model.parameters[column];
            let own = &parameter.values[value];
            let border = if own.invalid { " stroke=\"currentColor\" stroke-dasharray=\"3 2\"" } else { "" };
            // Dark letters on light colours in either theme.
            let _ = write!(
                svg,
                "<g><title>{} = {}</title><rect x=\"{x}\" y=\"{y}\" width=\"{}\" height=\"{}\" fill=\"hsl({},55%,78%)\"{border}/><text x=\"{}\" y=\"{}\" text-anchor=\"middle\" fill=\"#1d2227\">{}</text></g>",
                html::text(&parameter.name),
                html::text(&own.label),
                widths[column] - 1,
                HEIGHT - 1,
                hue(value, parameter.values.len()),
                edges[column] + widths[column] / 2,
                y + 14,
                html::text(&cut(&own.label)),
                x = edges[column],
            );
        }
    }
    for group in shown {
        for pair in group.tests.windows(2) {
            let (from, to) = (top + pair[0] * HEIGHT + HEIGHT / 2, top + pair[1] * HEIGHT + HEIGHT / 2);
            let bend = edge + (20 + from.abs_diff(to) / 3).min(2 * arcs - 30);
            let _ = write!(
                svg,
                "<path d=\"M{0},{from} Q{bend},{1} {0},{to}\" fill=\"none\" stroke-width=\"1.5\" stroke=\"{2}\"><title>{3}: rows {4} and {5}</title></path>",
                edge + 4,
                usize::midpoint(from, to),
                arc_colour(group.relation, model.relations.len()),
                html::text(&model.relations[group.relation].name),
                pair[0] + 1,
                pair[1] + 1
            );
        }
    }
    svg.push_str("</svg>");
    format!("{}<div class=\"wide\">{svg}</div>", legend(model, groups, drawn.len(), rows.len()))
}

/// The share of combinations that the first rows cover, as a curve with its half, nine tenths and end told in words.
fn coverage(model: &Model, rows: &[Vec<usize>], strength: usize, tuples: usize) -> Option<Part> {
    let covered = growth(model, rows, strength)?;
    let tuples = tuples.max(*covered.last()?);
    let (width, height, left, top) = (560, 220, 52, 10);
    let x = |row: usize| left + row * width / rows.len();
    let y = |count: usize| top + height - (count as u128 * height as u128 / tuples.max(1) as u128) as usize;
    let mut line = format!("M{},{}", x(0), y(0));
    covered.iter().enumerate().for_each(|(at, &count)| {
        let _ = write!(line, " L{},{}", x(at + 1), y(count));
    });
    let mut svg = format!(
        "<svg role=\"img\" aria-label=\"Share of combinations covered by the first rows\" fill=\"currentColor\" width=\"{}\" height=\"{}\" font-family=\"sans-serif\" font-size=\"12\">",
        left + width + 20,
        top + height + 40
    );
    for share in [0, 25, 50, 75, 100] {
        let level = top + height - share * height / 100;
        let _ = write!(
            svg,
            "<path d=\"M{left},{level} H{}\" stroke=\"currentColor\" stroke-opacity=\".2\"/><text x=\"{}\" y=\"{}\" text-anchor=\"end\">{share} %</text>",
            left + width,
            left - 6,
            level + 4
        );
    }
    for row in [0, rows.len() / 2, rows.len()] {
        let _ = write!(
            svg,
            "<text x=\"{}\" y=\"{}\" text-anchor=\"middle\">{row}</text>",
            x(row),
            top + height + 18
        );
    }
    let _ = write!(
        svg,
        "<text x=\"{}\" y=\"{}\" text-anchor=\"middle\">rows</text><path d=\"{line}\" fill=\"none\" stroke=\"hsl(210,70%,50%)\" stroke-width=\"2\"/></svg>",
        left + width / 2,
        top + height + 34
    );
    let rows_for =
        |percent: usize| covered.iter().position(|&count| count * 100 >= percent * tuples).map(|at| at + 1);
    let told: Vec<String> = [50, 90, 99]
        .into_iter()
        .filter_map(|percent| rows_for(percent).map(|rows| format!("{percent} % after {rows}")))
        .collect();
    let end = *covered.last()? as f64 * 100.0 / tuples.max(1) as f64;
    let told = format!(
        "<p class=\"dim\">Share of the {} feasible combinations that the first rows cover: {}; {:.1} % at the end.</p>",
        thousands(tuples),
        if told.is_empty() { "less than half".to_owned() } else { told.join(", ") },
        (end * 10.0).floor() / 10.0
    );
    Some(part("coverage", "Coverage growth", format!("{told}<div class=\"wide\">{svg}</div>")))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::readers::read_pict;

    #[test]
    fn cells_are_named_and_tables_sort() {
        let model = read_pict("A: <, 2\nB: 1, 22, ~9\n").unwrap();
        let array = Array {
            rows: vec![vec![0, 1], vec![1, 0], vec![0, 2]],
            strength: 2,
            tuples: 6,
            ..Array::default()
        };
        let page = html(&model, &array, &[]);
        assert_eq!(page.matches("<rect").count(), 6);
        assert!(page.contains("A = &lt;") && page.contains(">22</text>"));
        assert_eq!(page.matches("stroke-dasharray").count(), 1);
        assert!(page.contains("<table data-sortable>"));
        assert!(page.contains("50.0 % at the end"), "{page}");
    }

    #[test]
    fn a_checked_array_says_what_is_missing() {
        let model = read_pict("A: 1, 2\nB: x, y\n").unwrap();
        let rows = vec![vec![0, 0], vec![1, 1]];
        let page = checked_html(&model, &rows, 2, &crate::verify(&model, &rows, 2).unwrap());
        assert!(page.contains("missing: A = 1, B = y"), "{page}");
    }
}
