//! Text with places for parameters.

use std::fmt;

use serde::{Deserialize, Serialize};

/// A piece of a template.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Part {
    /// Text as it stands.
    Literal(String),
    /// `{name}`: the value of a parameter.
    Parameter(String),
    /// `{name...}`: all elements of a list parameter, as arguments of their own.
    Spread(String),
}

/// Text with places for parameters.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(try_from = "String", into = "String")]
pub struct Template {
    /// The pieces, in order.
    pub parts: Vec<Part>,
}

impl Template {
    /// Reads a template.
    pub fn parse(text: &str) -> Result<Template, String> {
        let mut parts = Vec::new();
        let mut literal = String::new();
        let mut rest = text;
        while let Some(at) = rest.find(['{', '}']) {
            literal.push_str(&rest[..at]);
            let brace = &rest[at..=at];
            rest = &rest[at + 1..];
            if let Some(after) = rest.strip_prefix(brace) {
                literal.push_str(brace);
                rest = after;
                continue;
            }
            let name = (brace == "{").then(|| rest.split_once('}')).flatten();
            let Some((name, after)) = name else {
                return Err(format!(
                    "`{text}`: write `{brace}{brace}` for a single `{brace}`, or `{{name}}` for a parameter"
                ));
            };
            if !literal.is_empty() {
                parts.push(Part::Literal(std::mem::take(&mut literal)));
            }
            let (name, spread) = name.strip_suffix("...").map_or((name, false), |name| (name, true));
            if name.is_empty() || !name.chars().all(|it| it.is_alphanumeric() || it == '_' || it == '-') {
                return Err(format!(
                    "`{text}`: `{{{name}}}` is not the name of a parameter; write `{{{{` for a single `{{`"
                ));
            }
            parts.push(if spread { Part::Spread(name.to_owned()) } else { Part::Parameter(name.to_owned()) });
            rest = after;
        }
        literal.push_str(rest);
        if !literal.is_empty() {
            parts.push(Part::Literal(literal));
        }
        if parts.len() > 1 && parts.iter().any(|part| matches!(part, Part::Spread(_))) {
            return Err(format!("`{text}`: `{{name...}}` must be an argument by itself"));
        }
        Ok(Template { parts })
    }

    /// The parameters that it needs.
    pub fn parameters(&self) -> impl Iterator<Item = &str> {
        self.parts.iter().filter_map(|part| match part {
            Part::Literal(_) => None,
            Part::Parameter(name) | Part::Spread(name) => Some(name.as_str()),
        })
    }
}

impl TryFrom<String> for Template {
    type Error = String;

    fn try_from(text: String) -> Result<Template, String> {
        Template::parse(&text)
    }
}

impl From<Template> for String {
    fn from(template: Template) -> String {
        template.to_string()
    }
}

impl fmt::Display for Template {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.parts.iter().try_for_each(|part| match part {
            Part::Literal(text) => f.write_str(&text.replace('{', "{{").replace('}', "}}")),
            Part::Parameter(name) => write!(f, "{{{name}}}"),
            Part::Spread(name) => write!(f, "{{{name}...}}"),
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_template_survives_its_text() {
        for text in [
            "plain",
            "{a}",
            "x{a}y{b}",
            "{{literal}}",
            "{list...}",
            "a{2,3}".replace("{2,3}", "{{2,3}}").as_str(),
        ] {
            assert_eq!(Template::parse(text).map(|it| it.to_string()).as_deref(), Ok(text));
        }
    }

    #[test]
    fn a_stray_brace_is_refused_with_what_to_write() {
        let check = |text: &str, part: &str| {
            let error = Template::parse(text).expect_err(text);
            assert!(error.contains(part), "{error}");
        };
        check("a{2,3}", "write `{{`");
        check("a}", "`}}`");
        check("x{list...}", "by itself");
    }
}
