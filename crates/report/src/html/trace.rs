//! Two traces side by side: any number of rows, of which the script draws only those in view; equal stretches fold.

use std::fmt::Write;

use serde_json::{Value, json};

use crate::html::text;
use crate::inert::{inert, shorten};

/// Characters of one step that are shown.
const MOST: usize = 160;

/// One thing that happens in a trace.
#[derive(Clone, Debug, Default)]
pub struct Step {
    /// Where, in a few characters.
    pub place: String,
    /// What: the source, or an action.
    pub what: String,
    /// How it turned out.
    pub outcome: String,
}

/// Two traces.
#[derive(Clone, Debug, Default)]
pub struct Traces<'a> {
    /// What stands left.
    pub left: &'a str,
    /// What stands right.
    pub right: &'a str,
    /// The distinct steps.
    pub steps: Vec<Step>,
    /// The step left and right of each row; -1 where that side has none.
    pub rows: &'a [(i32, i32)],
    /// Rows that were left out at the end.
    pub left_out: u64,
}

/// The traces as HTML; `id` is unique on the page.
pub fn traces(id: &str, traces: &Traces<'_>) -> String {
    let differ = traces.rows.iter().filter(|(left, right)| left != right).count();
    let short = |part: &str| inert(&shorten(part, MOST));
    let steps: Vec<Value> = traces
        .steps
        .iter()
        .map(|step| json!([short(&step.place), short(step.what.trim()), short(&step.outcome)]))
        .collect();
    let rows: Vec<i32> = traces.rows.iter().flat_map(|(left, right)| [*left, *right]).collect();
    let data =
        json!({ "left": short(traces.left), "right": short(traces.right), "steps": steps, "rows": rows });
    // Inside a script element only `<` could end it.
    let data = data.to_string().replace('<', "\\u003c");
    let label = format!("{} beside {}", traces.left, traces.right);
    let mut html = format!(
        "<div class=\"trace\" data-trace=\"{id}\"><div class=\"bar\"><span class=\"dim\">{} rows, {differ} differ</span>\
         <button type=\"button\" data-fold aria-pressed=\"true\">Fold equal rows</button>\
         <button type=\"button\" data-step=\"-1\" aria-label=\"Previous difference\">↑</button>\
         <button type=\"button\" data-step=\"1\" aria-label=\"Next difference\">↓</button></div>\
         <div class=\"heads\" aria-hidden=\"true\"><b>{}</b><b>{}</b></div>\
         <div class=\"rows\" tabindex=\"0\" role=\"region\" aria-label=\"{}\"></div></div>\
         <script type=\"application/json\" id=\"{id}\">{data}</script>",
        traces.rows.len(),
        text(traces.left),
        text(traces.right),
        text(&label),
    );
    if traces.left_out > 0 {
        let _ = write!(html, "<p class=\"dim\">{} further branches are left out.</p>", traces.left_out);
    }
    html
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn hostile_steps_cannot_end_the_data() {
        let step = Step {
            place: "</script><script>alert(1)".into(),
            what: "\u{1b}[0m".into(),
            outcome: "→ 1".into(),
        };
        let html = traces("t", &Traces { steps: vec![step], rows: &[(0, -1)], ..Traces::default() });
        assert_eq!(html.matches("</script>").count(), 1);
        assert!(html.contains("\\u003c/script>") && html.contains("1 rows, 1 differ"));
        assert!(!html.contains('\u{1b}'));
    }
}
