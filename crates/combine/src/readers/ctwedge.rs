//! CTWedge: `Model`, `Parameters:` with sets, ranges and Booleans, `Constraints:` between `#` signs.

use super::suggest::warn_of_values;
use super::{column, split_list, syntax, unquote};
use crate::error::{Error, Place};
use crate::expression::{Expression, Names, parse};
use crate::model::{Constraint, Model, Parameter, Value};
use crate::value::Concrete;

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
    for parameter in 0..model.parameters.len() {
        split_wide(&mut model, parameter);
    }
    model.validate()?;
    warn_of_values(&mut model);
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
    if let Some((low, high)) = wide(domain) {
        let set = Concrete::Integers(low, high);
        return Ok(Parameter::single(&name, &format!("{low}..{high}"), set));
    }
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

/// Values of one range that are covered one by one.
const MOST_VALUES: i128 = 10_000;

/// The ends of a range of all integers between them that has more values than that.
fn wide(domain: &str) -> Option<(i64, i64)> {
    let (low, high) = domain.strip_prefix('[')?.strip_suffix(']')?.split_once("..")?;
    let (low, high) = (low.trim().parse().ok()?, high.trim().parse().ok()?);
    // In 128 bits: the ends may be those of all 64-bit numbers.
    (i128::from(high) - i128::from(low) >= MOST_VALUES).then_some((low, high))
}

/// A wide range becomes its ends, the numbers that constraints on it name with their neighbours, and classes of what lies
/// between: no array could have a row for each of millions of values, and these are where a program changes its mind.
fn split_wide(model: &mut Model, parameter: usize) {
    let Concrete::Integers(low, high) = model.parameters[parameter].values[0].set else { return };
    let named = model.constraints.iter().map(|constraint| &constraint.expression);
    let named = named.filter(|it| it.cells().iter().any(|cell| cell.parameter == parameter));
    let mut points = vec![low, high];
    for number in named.flat_map(Expression::numbers) {
        // A constant beyond the ends of 64 bits is saturated, and then outside or an end.
        let number = number.round() as i64;
        points.extend([number.saturating_sub(1), number, number.saturating_add(1)]);
    }
    points.retain(|point| (low..=high).contains(point));
    points.sort_unstable();
    points.dedup();
    let mut values: Vec<Value> = Vec::new();
    for (at, &point) in points.iter().enumerate() {
        values.push(Value::plain(&point.to_string()));
        if let Some(&next) = points.get(at + 1).filter(|&&next| next - 1 > point) {
            let (from, to) = (point + 1, next - 1);
            let between =
                Value { set: Concrete::Integers(from, to), ..Value::plain(&format!("{from}..{to}")) };
            values.push(if from == to { Value::plain(&from.to_string()) } else { between });
        }
    }
    let parameter = &mut model.parameters[parameter];
    model.warnings.push(format!(
        "`{}` has {} values: its ends, the numbers that constraints name and the ranges between them are covered",
        parameter.name,
        i128::from(high) - i128::from(low) + 1
    ));
    parameter.values = values;
}

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
        let message =
            format!("a range with a step and more than {MOST_VALUES} values: give it a larger step");
        return syntax(number, column(line, domain), message);
    }
    Ok((low..=high).step_by(step as usize).map(|value| value.to_string()).collect())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Config, generate, verify};

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
    fn a_range_of_all_numbers_is_covered_by_its_ends_and_what_constraints_name() {
        let all = |step: &str| {
            let range = format!("[-9223372036854775808 .. 9223372036854775807]{step}");
            read_ctwedge(&TEXT.replace("[1 .. 9] step 4", &range))
        };
        let model = all("").unwrap();
        let labels: Vec<&str> = model.parameters[2].values.iter().map(|value| value.label.as_str()).collect();
        let [low, high] = ["-9223372036854775808", "9223372036854775807"];
        let between = ["-9223372036854775807..-1", "3..9223372036854775806"];
        assert_eq!(labels, [low, between[0], "0", "1", "2", between[1], high]);
        assert_eq!(model.warnings.len(), 1);
        // `lines > 1 or not camera`: of the seven, four cannot be where the camera is, and the camera needs colour.
        let array = generate(&model, &Config::default()).unwrap();
        assert!(verify(&model, &array.rows, 2).unwrap().complete());
        let camera = |row: &&Vec<usize>| row[1] == 0;
        assert!(array.rows.iter().filter(camera).all(|row| row[2] >= 4));
        assert!(all(" step 3").unwrap_err().to_string().contains("larger step"));
        assert_eq!(all(" step 9223372036854775807").unwrap().parameters[2].values.len(), 3);
    }

    #[test]
    fn errors_name_the_place() {
        let wrong = TEXT.replace("not camera", "not camra");
        assert_eq!(
            read_ctwedge(&wrong).unwrap_err().to_string(),
            "line 11, column 9: there is no parameter or value `camra` (did you mean `camera`?)"
        );
        assert!(
            read_ctwedge(&TEXT.replace("{color, black_white}", "{}"))
                .unwrap_err()
                .to_string()
                .contains("`display` has no values")
        );
    }
}
