//! The failing region as a picture: one square for each pair of values.

use std::fmt::Write;

use twinrun_base::Verdict;
use twinrun_report::html::text;

use crate::outcome::Region;

/// The side of a square.
const SIDE: usize = 10;
/// Room for the axes.
const LEFT: usize = 54;
const BELOW: usize = 34;

/// The picture with its legend.
pub(super) fn picture(region: &Region) -> String {
    let (columns, rows) = (region.x.1.len(), region.y.1.len());
    let (width, height) = (LEFT + columns * SIDE + 8, rows * SIDE + BELOW + 8);
    let mut svg = String::new();
    for row in 0..rows {
        let cells = &region.cells[row * columns..(row + 1) * columns];
        let top = 4 + (rows - 1 - row) * SIDE;
        let mut from = 0;
        // Equal neighbours become one rectangle.
        while from < columns {
            let many = cells[from..].iter().take_while(|cell| **cell == cells[from]).count();
            let _ = write!(
                svg,
                "<rect class=\"{}\" x=\"{}\" y=\"{top}\" width=\"{}\" height=\"{SIDE}\"/>",
                class(cells[from], region.exact),
                LEFT + from * SIDE,
                many * SIDE
            );
            from += many;
        }
    }
    let (column, row) = region.here;
    let _ = write!(
        svg,
        "<rect class=\"cell-here\" x=\"{}\" y=\"{}\" width=\"{SIDE}\" height=\"{SIDE}\"/>",
        LEFT + column * SIDE,
        4 + (rows - 1 - row) * SIDE
    );
    let number = |value: f64| text(&format!("{value}").chars().take(9).collect::<String>());
    let foot = 4 + rows * SIDE;
    let ends =
        |values: &[f64]| (values.first().copied().unwrap_or(0.0), values.last().copied().unwrap_or(0.0));
    let ((left, right), (low, high)) = (ends(&region.x.1), ends(&region.y.1));
    let _ = write!(
        svg,
        "<text x=\"{LEFT}\" y=\"{}\">{}</text><text x=\"{}\" y=\"{}\" text-anchor=\"end\">{}</text>\
         <text x=\"{}\" y=\"{}\" text-anchor=\"middle\">{}</text>\
         <text x=\"{}\" y=\"{foot}\" text-anchor=\"end\">{}</text><text x=\"{}\" y=\"14\" text-anchor=\"end\">{}</text>\
         <text x=\"{}\" y=\"{}\" text-anchor=\"end\">{}</text>",
        foot + 14,
        number(left),
        LEFT + columns * SIDE,
        foot + 14,
        number(right),
        LEFT + columns * SIDE / 2,
        foot + 26,
        text(&region.x.0),
        LEFT - 6,
        number(low),
        LEFT - 6,
        number(high),
        LEFT - 6,
        4 + rows * SIDE / 2,
        text(&region.y.0),
    );
    let label = format!(
        "How the relation ends for {} from {left} to {right} and {} from {low} to {high}; the rest of the minimal case is kept",
        region.x.0, region.y.0
    );
    let mut kinds: Vec<Verdict> = region.cells.clone();
    kinds.sort_unstable();
    kinds.dedup();
    let legend: String = kinds
        .iter()
        .map(|kind| {
            let class = class(*kind, region.exact);
            let name = class.trim_start_matches("cell-");
            let word = if name == "proved" { "holds, proved" } else { name };
            format!("<span><svg viewBox=\"0 0 10 10\" aria-hidden=\"true\"><rect class=\"{class}\" width=\"10\" height=\"10\"/></svg>{word}</span>")
        })
        .collect();
    format!(
        "<h3>The failing region</h3><div class=\"region\"><svg viewBox=\"0 0 {width} {height}\" shape-rendering=\"crispEdges\" role=\"img\" aria-label=\"{}\">{svg}</svg>\
         <div class=\"legend\">{legend}<span><svg viewBox=\"0 0 10 10\" aria-hidden=\"true\"><rect class=\"cell-here\" width=\"10\" height=\"10\"/></svg>the minimal case</span></div></div>",
        text(&label)
    )
}

fn class(verdict: Verdict, exact: bool) -> &'static str {
    match verdict {
        Verdict::Holds if exact => "cell-proved",
        Verdict::Holds => "cell-holds",
        Verdict::Violated => "cell-violated",
        Verdict::Crashed => "cell-crashed",
        Verdict::Timeout => "cell-timeout",
        Verdict::Discarded => "cell-discarded",
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_value_has_its_square_and_names_are_inert() {
        let cells = vec![Verdict::Holds, Verdict::Holds, Verdict::Violated, Verdict::Holds];
        let region = Region {
            x: ("a<b>".into(), vec![0.0, 1.0]),
            y: ("y".into(), vec![5.0, 6.0]),
            cells,
            here: (0, 1),
            exact: true,
        };
        let html = picture(&region);
        assert_eq!(html.matches("class=\"cell-violated\"").count(), 2, "one square, one in the legend");
        assert!(html.contains("a&lt;b&gt;") && !html.contains("a<b>") && html.contains("holds, proved"));
    }
}
