//! ACTS: its text form with `[Parameter]`, `[Relation]`, `[Constraint]` and `[Test Set]` sections, and its XML.

use super::suggest::warn_of_values;
use super::{column, split_list, syntax, unquote, xml};
use crate::error::{Error, Place};
use crate::expression::{Names, parse};
use crate::model::{Constraint, Mixed, Model, Parameter, Value};

/// Reads a model.
///
/// # Errors
/// With the place of the first thing that makes no sense.
pub fn read_acts(text: &str) -> Result<Model, Error> {
    let mut model = Model::default();
    let mut section = String::new();
    let mut header: Vec<usize> = Vec::new();
    for (number, line) in text.lines().enumerate() {
        let number = number + 1;
        let content = line.trim();
        if content.is_empty() || content.starts_with("--") || content.starts_with('#') {
            continue;
        }
        if let Some(name) = content.strip_prefix('[').and_then(|rest| rest.strip_suffix(']'))
            && ["system", "parameter", "relation", "constraint", "test set", "misc"]
                .contains(&name.to_lowercase().as_str())
        {
            section = name.to_lowercase();
            continue;
        }
        match section.as_str() {
            "parameter" => model.parameters.push(parameter(line, number)?),
            "relation" => relation(line, number, &mut model)?,
            "constraint" => {
                let place = Place { line: number, column: column(line, content) };
                let expression = parse(content, place, Names::single(&model.parameters))?;
                model.constraints.push(Constraint { text: content.to_owned(), expression, place });
            }
            "test set" => seed(line, number, &mut header, &mut model)?,
            "" => {
                return syntax(
                    number,
                    column(line, content),
                    "expected a section such as [System] or [Parameter]",
                );
            }
            _ => {}
        }
    }
    model.validate()?;
    warn_of_values(&mut model);
    Ok(model)
}

/// Reads the XML form: `<Parameters>`, `<Relations>` with strengths of their own, `<Constraints>`.
///
/// # Errors
/// With the place of the first thing that makes no sense.
pub fn read_acts_xml(text: &str) -> Result<Model, Error> {
    let root = xml::parse(text)?;
    let mut model = Model::default();
    for written in root.within("Parameters") {
        let Some(name) = written.attribute("name") else {
            return syntax(written.place.line, written.place.column, "this parameter has no name");
        };
        // Types are numbered: 0 int, 1 enum, 2 boolean, 3 number, 4 range.
        let boolean = matches!(written.attribute("type"), Some("2" | "boolean"));
        let label = |value: &xml::Element| {
            let text = value.text.trim();
            if boolean { text.to_lowercase() } else { text.to_owned() }
        };
        let valid = written.within("values").iter().map(|value| Value::plain(&label(value)));
        let invalid = written.within("invalidValues").iter();
        let invalid = invalid.map(|value| Value { invalid: true, ..Value::plain(&label(value)) });
        model.parameters.push(Parameter { name: name.to_owned(), values: valid.chain(invalid).collect() });
    }
    for written in root.within("Relations") {
        let strength = written.attribute("Strength").and_then(|strength| strength.trim().parse().ok());
        let Some(strength) = strength else {
            return syntax(written.place.line, written.place.column, "this relation has no strength");
        };
        let mut parameters = Vec::new();
        for own in written.all("Parameter") {
            let name = own.attribute("name").unwrap_or("");
            match model.parameter(name) {
                Some(parameter) => parameters.push(parameter),
                None => {
                    return syntax(
                        own.place.line,
                        own.place.column,
                        format!("there is no parameter `{name}`"),
                    );
                }
            }
        }
        // The relation over everything is the strength of the model.
        if parameters.len() == model.parameters.len() && model.strength.is_none_or(|own| own < strength) {
            model.strength = Some(strength);
        } else if !parameters.is_empty() {
            model.mixed.push(Mixed { parameters, strength });
        }
    }
    for written in root.within("Constraints") {
        let Some(text) = written.attribute("text").map(str::trim).filter(|text| !text.is_empty()) else {
            continue;
        };
        let expression = parse(text, written.place, Names::single(&model.parameters))?;
        model.constraints.push(Constraint { text: text.to_owned(), expression, place: written.place });
    }
    model.validate()?;
    warn_of_values(&mut model);
    Ok(model)
}

fn parameter(line: &str, number: usize) -> Result<Parameter, Error> {
    let Some((head, list)) = line.split_once(':') else {
        return syntax(number, 1, "expected `name (type): values`");
    };
    let (name, kind) = match head.trim().strip_suffix(')').and_then(|rest| rest.rsplit_once('(')) {
        Some((name, kind)) => (name.trim(), kind.trim().to_lowercase()),
        None => (head.trim(), "enum".to_owned()),
    };
    if name.is_empty() {
        return syntax(number, 1, "this parameter has no name");
    }
    // Values after a semicolon are invalid ones.
    let (valid, invalid) =
        list.split_once(';').map_or((list, None), |(valid, invalid)| (valid, Some(invalid)));
    let mut values = Vec::new();
    for (part, is_invalid) in [(Some(valid), false), (invalid, true)] {
        for item in part
            .map(|part| split_list(part.trim().trim_start_matches('[').trim_end_matches(']')))
            .unwrap_or_default()
        {
            let label = unquote(item);
            if label.is_empty() {
                let what = if list.trim().is_empty() { "has no values" } else { "has an empty value" };
                return syntax(number, column(line, item), format!("parameter `{name}` {what}"));
            }
            let label = if kind.starts_with("bool") { label.to_lowercase() } else { label.to_owned() };
            values.push(Value { invalid: is_invalid, ..Value::plain(&label) });
        }
    }
    Ok(Parameter { name: name.to_owned(), values })
}

/// `R1: (a, b, c, 3)`: these parameters at strength 3.
fn relation(line: &str, number: usize, model: &mut Model) -> Result<(), Error> {
    let list = line.split_once(':').map_or(line, |(_, list)| list).trim();
    let list = list.trim_start_matches('(').trim_end_matches(')');
    let mut items = split_list(list);
    let strength = items.pop().unwrap_or("");
    let Ok(strength) = strength.trim().parse() else {
        return syntax(number, column(line, strength), "expected a strength at the end of the relation");
    };
    let mut parameters = Vec::new();
    for item in items {
        match model.parameter(item.trim()) {
            Some(parameter) => parameters.push(parameter),
            None => {
                return syntax(
                    number,
                    column(line, item.trim()),
                    format!("there is no parameter `{}`", item.trim()),
                );
            }
        }
    }
    model.mixed.push(Mixed { parameters, strength });
    Ok(())
}

/// The first line of a test set names the parameters, the others are rows; `*` leaves a value open.
fn seed(line: &str, number: usize, header: &mut Vec<usize>, model: &mut Model) -> Result<(), Error> {
    let items = split_list(line.trim());
    if header.is_empty() {
        for item in items {
            match model.parameter(item.trim()) {
                Some(parameter) => header.push(parameter),
                None => {
                    return syntax(
                        number,
                        column(line, item.trim()),
                        format!("there is no parameter `{}`", item.trim()),
                    );
                }
            }
        }
        return Ok(());
    }
    let mut row = vec![None; model.parameters.len()];
    for (item, &parameter) in items.iter().zip(header.iter()) {
        let label = unquote(item);
        if label == "*" {
            continue;
        }
        row[parameter] = model.value(parameter, label);
        if row[parameter].is_none() {
            let name = &model.parameters[parameter].name;
            return syntax(
                number,
                column(line, item.trim()),
                format!("parameter `{name}` has no value `{label}`"),
            );
        }
    }
    model.seeds.push(row);
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    const TEXT: &str = "[System]\nName: x\n\n[Parameter]\n-- inputs\nOS (enum): Linux, Mac\nn (int): 1, 2, 3; 99\nfast (boolean): TRUE, FALSE\n\n[Relation]\nR1: (OS, n, fast, 3)\n\n[Constraint]\n(OS = \"Linux\") => (n > 1 || fast)\n\n[Test Set]\nOS, n, fast\nMac, 1, *\n";

    #[test]
    fn a_whole_model_is_read() {
        let model = read_acts(TEXT).unwrap();
        assert!(model.parameters[1].values[3].invalid);
        assert_eq!(model.mixed[0].strength, 3);
        assert_eq!(model.constraints.len(), 1);
        assert_eq!(model.seeds, [vec![Some(1), Some(0), None]]);
    }

    #[test]
    fn the_xml_form_is_read() {
        let text = "<?xml version=\"1.0\"?>\n<System name=\"x\"><Parameters><Parameter id=\"1\" name=\"OS\" type=\"1\"><values><value>Linux</value><value>Mac</value></values><invalidValues><value>DOS</value></invalidValues></Parameter><Parameter id=\"2\" name=\"n\" type=\"0\"><values><value>1</value><value>2</value></values></Parameter><Parameter id=\"3\" name=\"fast\" type=\"2\"><values><value>TRUE</value><value>FALSE</value></values></Parameter></Parameters><Relations><Relation Strength=\"2\"><Parameter name=\"OS\"/><Parameter name=\"n\"/><Parameter name=\"fast\"/></Relation><Relation Strength=\"2\"><Parameter name=\"OS\"/><Parameter name=\"n\"/></Relation></Relations><Constraints><Constraint text=\"OS = &quot;Mac&quot; =&gt; n &gt; 1 || fast\"/></Constraints></System>";
        let model = read_acts_xml(text).unwrap();
        assert!(model.parameters[0].values[2].invalid);
        assert_eq!((model.strength, model.mixed.len(), model.constraints.len()), (Some(2), 1, 1));
        assert!(read_acts_xml(&text.replace("OS = &", "OSS = &")).unwrap_err().to_string().contains("OSS"));
    }

    #[test]
    fn errors_name_the_place() {
        let wrong = TEXT.replace("n > 1", "m > 1");
        assert_eq!(
            read_acts(&wrong).unwrap_err().to_string(),
            "line 14, column 20: there is no parameter or value `m`"
        );
        let empty = TEXT.replace("Linux, Mac", "");
        assert!(read_acts(&empty).unwrap_err().to_string().contains("`OS` has no values"));
    }
}
