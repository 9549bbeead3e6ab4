//! CTWedge: `Model`, `Parameters:` with sets, ranges and Booleans, `Constraints:` between `#` signs.

use super::{column, split_list, syntax, unquote};
use crate::error::{Error, Place};
use crate::expression::{Names, parse};
use crate::model::{Constraint, Model, Parameter, Value};

/// Reads a model.
///
/// # Errors
/// With the place of the first thing that makes no sense.
pub fn read_ctwedge(text: &str) -> Result<Model, Error> {
    let mut model = Model::default();
    let text = without_comments(text);
    let constraints_at = section(&text, "Constraints").map_or(text.len(), |(at, _)| at);
    let (upper, lower) = text.split_at(constraints_at);
    let mut inside = false;
    // A set may span lines: lines are joined until its brace closes.
    let mut open: Option<(String, usize)> = None;
    for (number, line) in upper.lines().enumerate() {
        let content = line.trim();
        if content.is_empty() || content.starts_with("Model ") {
            continue;
        }
        if let Some((0, end)) = section(content, "Parameters").filter(|_| !inside) {
            let rest = &content[end..];
            inside = true;
            if !rest.trim().is_empty() {
                return syntax(
                    number + 1,
                    column(line, rest),
                    "expected the first parameter on a line of its own",
                );
            }
            continue;
        }
        if !inside {
            return syntax(number + 1, column(line, content), "expected `Model NAME` or `Parameters:`");
        }
        let (joined, start) = open.get_or_insert_with(|| (String::new(), number + 1));
        joined.push_str(line);
        if joined.matches('{').count() > joined.matches('}').count() {
            continue;
        }
        let parameter = parameter(joined, *start)?;
        model.parameters.push(parameter);
        open = None;
    }
    if let Some((_, line)) = open {
        return syntax(line, 1, "this set is never closed by `}`");
    }
    read_constraints(&text, lower, constraints_at, &mut model)?;
    model.validate()?;
    Ok(model)
}

/// Where a section's name with its colon begins and ends; a space may stand before the colon.
fn section(text: &str, name: &str) -> Option<(usize, usize)> {
    text.match_indices(name).find_map(|(at, _)| {
        let after = &text[at + name.len()..];
        let colon = after.trim_start().starts_with(':');
        let alone = text[..at]
            .trim_end_matches([' ', '\t'])
            .chars()
            .next_back()
            .is_none_or(|c| c == '\n' || c == '\r');
        (colon && alone).then(|| (at, at + name.len() + after.find(':').unwrap_or(0) + 1))
    })
}

fn read_constraints(text: &str, lower: &str, base: usize, model: &mut Model) -> Result<(), Error> {
    let mut at = lower.find(':').map_or(lower.len(), |at| at + 1);
    while let Some(open) = lower[at..].find('#') {
        let from = at + open + 1;
        let Some(length) = lower[from..].find('#') else {
            return Err(Error::Syntax {
                place: Place::of(text, base + from - 1),
                message: "this constraint is never closed by `#`".to_owned(),
            });
        };
        let body = &lower[from..from + length];
        let skipped = body.len() - body.trim_start().len();
        let place = Place::of(text, base + from + skipped);
        let expression = parse(body.trim(), place, Names::single(&model.parameters))?;
        let text = body.split_whitespace().collect::<Vec<_>>().join(" ");
        model.constraints.push(Constraint { text, expression, place });
        at = from + length + 1;
    }
    if !lower[at..].trim().is_empty() {
        let rest = at + lower[at..].len() - lower[at..].trim_start().len();
        return Err(Error::Syntax {
            place: Place::of(text, base + rest),
            message: "expected `#` and a constraint".to_owned(),
        });
    }
    Ok(())
}

/// Blanks comments out, so that places stay right.
fn without_comments(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    let (mut block, mut line, mut last) = (false, false, '\0');
    let mut chars = text.chars().peekable();
    while let Some(c) = chars.next() {
        if c == '\n' {
            line = false;
        } else if !block && !line && c == '/' && matches!(chars.peek(), Some('/' | '*')) {
            block = chars.peek() == Some(&'*');
            line = !block;
        }
        let hidden = (block || line) && c != '\n';
        out.push(if hidden { ' ' } else { c });
        if block && last == '*' && c == '/' {
            block = false;
        }
        last = c;
    }
    out
}

fn parameter(line: &str, number: usize) -> Result<Parameter, Error> {
    let Some((name, domain)) = line.split_once(':') else {
        return syntax(
            number,
            column(line, line.trim()),
            "expected `name: {values}`, `name: [from .. to]` or `name: Boolean`",
        );
    };
    let name = name.trim().to_owned();
    let domain = domain.trim().trim_end_matches(';').trim();
    let values: Vec<String> = if domain.eq_ignore_ascii_case("boolean") {
        vec!["true".to_owned(), "false".to_owned()]
    } else if let Some(inner) = domain.strip_prefix('{').and_then(|rest| rest.strip_suffix('}')) {
        let separated =
            if inner.contains(',') { split_list(inner) } else { inner.split_whitespace().collect() };
        separated.into_iter().map(|item| unquote(item).to_owned()).filter(|label| !label.is_empty()).collect()
    } else if domain.starts_with('[') {
        range(line, number, domain)?
    } else {
        return syntax(
            number,
            column(line, domain),
            format!("parameter `{name}` has no values: expected a set, a range or Boolean"),
        );
    };
    if values.is_empty() {
        return syntax(number, column(line, domain), format!("parameter `{name}` has no values"));
    }
    Ok(Parameter { name, values: values.iter().map(|label| Value::plain(label)).collect() })
}

/// Values of one range.
const MOST_VALUES: i128 = 10_000;

fn range(line: &str, number: usize, domain: &str) -> Result<Vec<String>, Error> {
    let wrong = || {
        syntax(number, column(line, domain), "expected a range such as `[1 .. 10]` or `[0 .. 100] step 5`")
    };
    let Some((bounds, step)) = domain[1..].split_once(']') else { return wrong() };
    let Some((low, high)) = bounds.split_once("..") else { return wrong() };
    let step = step.trim().strip_prefix("step").map_or("1", str::trim);
    let (Ok(low), Ok(high), Ok(step)) =
        (low.trim().parse::<i64>(), high.trim().parse::<i64>(), step.parse::<i64>())
    else {
        return wrong();
    };
    if step <= 0 {
        return wrong();
    }
    // In 128 bits: the ends may be those of all 64-bit numbers.
    if (i128::from(high) - i128::from(low)) / i128::from(step) >= MOST_VALUES {
        let message = format!("a range of more than {MOST_VALUES} values: give it a step");
        return syntax(number, column(line, domain), message);
    }
    Ok((low..=high).step_by(step as usize).map(|value| value.to_string()).collect())
}

#[cfg(test)]
mod tests {
    use super::*;

    const TEXT: &str = "Model phone\n// a comment\nParameters:\n  display: {color, black_white}\n  camera: Boolean\n  lines: [1 .. 9] step 4\n\nConstraints:\n  # camera => display = color #\n  # lines > 1 or\n    not camera #\n";

    #[test]
    fn a_whole_model_is_read() {
        let model = read_ctwedge(TEXT).unwrap();
        assert_eq!(model.parameters[2].values.len(), 3);
        assert_eq!(model.constraints[1].place, Place { line: 10, column: 5 });
        assert_eq!(model.constraints[1].text, "lines > 1 or not camera");
    }

    #[test]
    fn a_space_may_stand_before_a_colon() {
        let spaced = TEXT.replace("Parameters:", "Parameters :").replace("Constraints:", "Constraints :");
        let model = read_ctwedge(&spaced).unwrap();
        assert_eq!((model.parameters.len(), model.constraints.len()), (3, 2));
    }

    #[test]
    fn a_range_of_all_numbers_needs_a_step() {
        let all = |step: &str| {
            let range = format!("[-9223372036854775808 .. 9223372036854775807]{step}");
            read_ctwedge(&TEXT.replace("[1 .. 9] step 4", &range))
        };
        assert!(all("").unwrap_err().to_string().contains("give it a step"));
        assert_eq!(all(" step 9223372036854775807").unwrap().parameters[2].values.len(), 3);
    }

    #[test]
    fn errors_name_the_place() {
        let wrong = TEXT.replace("not camera", "not camra");
        assert_eq!(
            read_ctwedge(&wrong).unwrap_err().to_string(),
            "line 11, column 9: there is no parameter or value `camra`"
        );
        assert!(
            read_ctwedge(&TEXT.replace("{color, black_white}", "{}"))
                .unwrap_err()
                .to_string()
                .contains("`display` has no values")
        );
    }
}
