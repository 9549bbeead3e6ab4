//! Remote objects of the inspector as text: values to a depth, without identities, source text or stack positions, for
//! those may change with every transformation.

use serde_json::Value;

/// A value with the properties that its preview shows.
pub(crate) fn render(object: &Value) -> String {
    let class = object["className"].as_str().unwrap_or("Object");
    match object["type"].as_str().unwrap_or("unknown") {
        "undefined" => "undefined".to_owned(),
        "function" => "function".to_owned(),
        "string" => object["value"].to_string(),
        "symbol" => object["description"].as_str().unwrap_or("symbol").to_owned(),
        "object" if object["subtype"] == "null" => "null".to_owned(),
        "object" if object["subtype"] == "error" => {
            let description = object["description"].as_str().unwrap_or(class);
            first_line(description).to_owned()
        }
        "object" => {
            // Descriptions of plain objects are their class, of arrays and maps also their length, of dates and
            // regular expressions their value.
            let description = object["description"].as_str().unwrap_or(class);
            let head = first_line(description);
            match object.get("preview") {
                Some(preview) => format!("{head} {}", render_preview(preview)),
                None => head.to_owned(),
            }
        }
        _ => match object.get("unserializableValue").and_then(Value::as_str) {
            Some(special) => special.to_owned(),
            None => object["value"].to_string(),
        },
    }
}

fn render_preview(preview: &Value) -> String {
    let mut parts: Vec<String> = Vec::new();
    for property in preview["properties"].as_array().into_iter().flatten() {
        let name = property["name"].as_str().unwrap_or_default();
        // Positions inside generators and functions move with every edit.
        if name.starts_with("[[GeneratorLocation")
            || name.starts_with("[[FunctionLocation")
            || name == "stack"
        {
            continue;
        }
        parts.push(format!("{name}: {}", render_part(property)));
    }
    for entry in preview["entries"].as_array().into_iter().flatten() {
        match entry.get("key") {
            Some(key) => parts.push(format!("{} => {}", render_part(key), render_part(&entry["value"]))),
            None => parts.push(render_part(&entry["value"])),
        }
    }
    if preview["overflow"] == true {
        parts.push("…".to_owned());
    }
    format!("{{{}}}", parts.join(", "))
}

fn render_part(part: &Value) -> String {
    let value = part["value"].as_str().or_else(|| part["description"].as_str()).unwrap_or_default();
    match part["type"].as_str().unwrap_or_default() {
        "function" => "function".to_owned(),
        "string" => format!("{value:?}"),
        "object" => first_line(value).to_owned(),
        "accessor" => "accessor".to_owned(),
        _ => value.to_owned(),
    }
}

/// One call of the console as a line of output.
pub(crate) fn console_line(parameters: &Value) -> String {
    let words: Vec<String> = parameters["args"].as_array().into_iter().flatten().map(render).collect();
    format!("{}: {}", parameters["type"].as_str().unwrap_or("log"), words.join(" "))
}

/// The first line of an exception, without where it was thrown.
pub(crate) fn exception_line(details: &Value) -> String {
    match details.get("exception") {
        Some(exception) => render(exception),
        None => first_line(details["text"].as_str().unwrap_or("unknown exception")).to_owned(),
    }
}

fn first_line(text: &str) -> &str {
    text.lines().next().unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn values_carry_no_source_text_and_no_positions() {
        let function = json!({"type": "function", "description": "function f(fresh) { return 1; }"});
        assert_eq!(render(&function), "function");
        let error = json!({"type": "object", "subtype": "error", "description": "TypeError: no\n    at f (a.js:3:4)"});
        assert_eq!(render(&error), "TypeError: no");
    }

    #[test]
    fn previews_show_properties_and_entries() {
        let map = json!({"type": "object", "subtype": "map", "description": "Map(1)", "preview": {
            "properties": [{"name": "size", "type": "number", "value": "1"}],
            "entries": [{"key": {"type": "string", "description": "a"}, "value": {"type": "number", "description": "2"}}],
            "overflow": false}});
        assert_eq!(render(&map), r#"Map(1) {size: 1, "a" => 2}"#);
        assert_eq!(render(&json!({"type": "number", "unserializableValue": "-0"})), "-0");
        assert_eq!(render(&json!({"type": "string", "value": "x\"y"})), r#""x\"y""#);
    }
}
