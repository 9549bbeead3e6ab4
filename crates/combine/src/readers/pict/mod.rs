//! PICT's text, read as PICT reads it: parameters first, then sub-models, then constraints; the first line that looks like
//! the next section begins it. Case does not matter unless the options say so; every value of a parameter may have further
//! names; what PICT warns of and leaves out is a warning here too.

mod constraints;

use super::suggest::nearest;
use super::{column, syntax};
use crate::error::Error;
use crate::expression::matches_pattern;
use crate::model::{Mixed, Model, Parameter, Value};

/// PICT's command line as far as it changes how a model is read.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PictOptions {
    /// `/c`: names and values differ by case.
    pub case_sensitive: bool,
    /// `/d`: what stands between values.
    pub values: char,
    /// `/a`: what stands between the names of a value.
    pub names: char,
    /// `/n`: what begins a negative value.
    pub negative: char,
    /// `/o`: the strength, if it is given.
    pub order: Option<usize>,
    /// `/e`: a file of rows to begin with.
    pub seeds: Option<String>,
}

impl Default for PictOptions {
    fn default() -> PictOptions {
        PictOptions {
            case_sensitive: false,
            values: ',',
            names: '|',
            negative: '~',
            order: None,
            seeds: None,
        }
    }
}

impl PictOptions {
    /// Reads options as PICT's command line has them, such as `/o:3 /d:; /c`.
    ///
    /// # Errors
    /// When one is unknown or lacks its value.
    pub fn parse(text: &str) -> Result<PictOptions, Error> {
        let mut options = PictOptions::default();
        for word in text.split_whitespace() {
            let body = word.strip_prefix(['/', '-']).unwrap_or(word);
            let (name, value) = body.split_once(':').unwrap_or((body, ""));
            let wrong = || Error::Model(format!("`{word}` is none of PICT's options /o /e /d /a /n /c"));
            let one = || value.chars().next().filter(|_| value.chars().count() == 1).ok_or_else(wrong);
            match name.to_ascii_lowercase().as_str() {
                "c" => options.case_sensitive = true,
                "d" => options.values = one()?,
                "a" => options.names = one()?,
                "n" => options.negative = one()?,
                "o" if value.eq_ignore_ascii_case("max") => options.order = Some(usize::MAX),
                "o" => options.order = Some(value.parse().map_err(|_| wrong())?),
                "e" if !value.is_empty() => options.seeds = Some(value.to_owned()),
                // What PICT prints, and from where it starts, says nothing about the model.
                "r" | "s" | "f" | "v" => {}
                _ => return Err(wrong()),
            }
        }
        Ok(options)
    }

    /// Whether two names are the same.
    pub(super) fn same(&self, a: &str, b: &str) -> bool {
        if self.case_sensitive { a == b } else { a.to_uppercase() == b.to_uppercase() }
    }
}

/// Reads a model with PICT's default options.
///
/// # Errors
/// With the place of the first thing that makes no sense.
pub fn read_pict(text: &str) -> Result<Model, Error> {
    read_pict_with(text, &PictOptions::default())
}

/// Reads a model.
///
/// # Errors
/// With the place of the first thing that makes no sense, as far as PICT itself would not go on.
pub fn read_pict_with(text: &str, options: &PictOptions) -> Result<Model, Error> {
    let text = text.strip_prefix('\u{feff}').unwrap_or(text);
    let mut model = Model::default();
    let mut orders: Vec<(usize, usize)> = Vec::new();
    let mut lines = text.lines().enumerate().filter(|(_, line)| {
        let content = line.trim();
        !content.is_empty() && !content.starts_with('#')
    });
    let mut next = lines.next();
    while let Some((number, line)) = next.filter(|(_, line)| !is_set(line) && !is_constraint(line)) {
        let order = parameter(line, number + 1, options, &mut model)?;
        orders.extend(order.map(|order| (model.parameters.len() - 1, order)));
        next = lines.next();
    }
    let mut sets = Vec::new();
    if next.is_some_and(|(_, line)| is_set(line)) {
        while let Some((number, line)) = next.filter(|(_, line)| !is_constraint(line)) {
            sets.extend(submodel(line, number + 1, options, &mut model)?);
            next = lines.next();
        }
    }
    if let Some(first) = next {
        let rules: Vec<(usize, &str)> = std::iter::once(first).chain(lines).collect();
        constraints::read(&rules, options, &mut model)?;
    }
    unique(&model, options)?;
    strengths(&mut model, &sets, &orders, options)?;
    model.validate()?;
    Ok(model)
}

/// A sub-model: it starts with `{`, and has `}` somewhere.
fn is_set(line: &str) -> bool {
    line.trim().starts_with('{') && line.contains('}')
}

/// The patterns by which PICT knows the first constraint; a line such as `NOT ([A] = 1);` is none of them.
fn is_constraint(line: &str) -> bool {
    const PATTERNS: [&str; 8] = [
        "IF",
        "IF*[*]*",
        "[*]*",
        "(*[*]*",
        "IF*ISNEGATIVE",
        "IF*ISNEGATIVE*(*",
        "IF*ISPOSITIVE",
        "IF*ISPOSITIVE*(*",
    ];
    let content = line.trim().to_uppercase();
    PATTERNS.iter().any(|pattern| matches_pattern(&content, pattern))
}

/// One parameter, and its own strength when it has one: `name @ 2: value (weight), name | further name, ~negative, <Other>`,
/// or the older form `name, value, value`.
fn parameter(
    line: &str,
    number: usize,
    options: &PictOptions,
    model: &mut Model,
) -> Result<Option<usize>, Error> {
    let Some((name, list)) = line.split_once(':').or_else(|| line.split_once(options.values)) else {
        let content = line.trim();
        return syntax(
            number,
            column(line, content),
            format!(
                "parameter `{content}` has no values; constraints begin with a line that starts with IF, [ or ("
            ),
        );
    };
    let (name, order) = match name.split_once('@').map(|(name, order)| (name, order.trim().parse::<f64>())) {
        Some((name, Ok(order))) => (name.trim(), (order >= 1.0).then_some(order as usize)),
        _ => (name.trim(), None),
    };
    let mut values: Vec<Value> = Vec::new();
    for item in list.split(options.values) {
        let text = item.trim();
        let reference = text.strip_prefix('<').and_then(|rest| rest.strip_suffix('>'));
        let other = reference
            .and_then(|other| model.parameters.iter().position(|own| options.same(&own.name, other)));
        match other {
            Some(other) => {
                for value in model.parameters[other].values.clone() {
                    keep(&mut values, value, name, &mut model.warnings);
                }
            }
            None => keep(&mut values, value(text, options), name, &mut model.warnings),
        }
    }
    model.parameters.push(Parameter { name: name.to_owned(), values });
    Ok(order)
}

/// A value with its names and its weight. The first name says whether it is negative.
fn value(text: &str, options: &PictOptions) -> Value {
    let (text, weight) = weighted(text);
    let mut names = text.split(options.names).map(str::trim);
    let first = names.next().unwrap_or("");
    let (label, invalid) =
        first.strip_prefix(options.negative).map_or((first, false), |rest| (rest.trim(), true));
    Value { weight, invalid, aliases: names.map(str::to_owned).collect(), ..Value::plain(label) }
}

/// Adds a value; one that is there already is the same value, whatever PICT prints twice.
fn keep(values: &mut Vec<Value>, value: Value, parameter: &str, warnings: &mut Vec<String>) {
    match values.iter_mut().find(|own| own.label == value.label) {
        Some(own) => {
            own.weight = own.weight.saturating_add(value.weight);
            warnings.push(format!("parameter `{parameter}` has the value `{}` twice", value.label));
        }
        None => values.push(value),
    }
}

fn weighted(text: &str) -> (&str, u32) {
    let split = text.strip_suffix(')').and_then(|rest| rest.rsplit_once('('));
    match split.and_then(|(label, weight)| Some((label.trim(), weight.trim().parse::<f64>().ok()?))) {
        Some((label, weight)) if weight >= 1.0 => (label, weight.min(1e6) as u32),
        _ => (text, 1),
    }
}

/// The parameters of a sub-model, and its strength when it has one.
type Set = (Vec<usize>, Option<usize>);

/// Reads a sub-model; nothing when PICT leaves it out with a warning.
fn submodel(
    line: &str,
    number: usize,
    options: &PictOptions,
    model: &mut Model,
) -> Result<Option<Set>, Error> {
    let content = line.trim();
    let wrong = |what: &str| {
        syntax(
            number,
            column(line, content),
            format!("{what}: a sub-model is `{{A, B, C}}` or `{{A, B, C}} @ 2`"),
        )
    };
    let Some((names, rest)) = content.strip_prefix('{').and_then(|rest| rest.split_once('}')) else {
        return wrong("this is no sub-model");
    };
    if names.trim().is_empty() {
        return wrong("this sub-model has no parameters");
    }
    let find = |name: &str| model.parameters.iter().position(|own| options.same(&own.name, name.trim()));
    let all = |separator: char| names.split(separator).map(find).collect::<Option<Vec<usize>>>();
    let Some(mut parameters) = all(',').or_else(|| all(options.values)) else {
        let unknown = names.split(',').find(|name| find(name).is_none()).unwrap_or("").trim().to_owned();
        let hint = nearest(&unknown, model.parameters.iter().map(|own| own.name.as_str()));
        model.warnings.push(format!(
            "line {number}: there is no parameter `{unknown}`{hint}; the sub-model is left out"
        ));
        return Ok(None);
    };
    parameters.sort_unstable();
    parameters.dedup();
    let rest = rest.trim();
    if rest.is_empty() {
        return Ok(Some((parameters, None)));
    }
    match rest.strip_prefix('@').map(|order| order.trim().parse::<f64>()) {
        Some(Ok(order)) if order >= 1.0 => Ok(Some((parameters, Some(order as usize)))),
        _ => wrong("this sub-model's strength makes no sense"),
    }
}

/// Names may not be the same, by the case rule in force.
fn unique(model: &Model, options: &PictOptions) -> Result<(), Error> {
    for (at, parameter) in model.parameters.iter().enumerate() {
        if model.parameters[..at].iter().any(|other| options.same(&other.name, &parameter.name)) {
            return Err(Error::Model(format!("two parameters are called `{}`", parameter.name)));
        }
    }
    Ok(())
}

/// Sets the strengths as PICT understands them: its own counts sub-models and the parameters outside them, a sub-model
/// without a strength has that of the model, and a parameter's own strength holds for all choices that contain it.
fn strengths(
    model: &mut Model,
    sets: &[Set],
    orders: &[(usize, usize)],
    options: &PictOptions,
) -> Result<(), Error> {
    let outside =
        (0..model.parameters.len()).filter(|own| !sets.iter().any(|(set, _)| set.contains(own))).count();
    let units = outside + sets.len();
    let order = match options.order {
        None => 2.min(units),
        Some(usize::MAX) => units,
        Some(order) if order > units => {
            let what =
                if sets.is_empty() { "parameters" } else { "sub-models and of parameters outside them" };
            return Err(Error::Model(format!("strength {order} is above the number of {what}, {units}")));
        }
        Some(order) => order,
    };
    model.strength = Some(order);
    for (parameters, own) in sets {
        let strength = own.unwrap_or(order.min(parameters.len()));
        if strength > parameters.len() {
            return Err(Error::Model(format!(
                "strength {strength} of a sub-model is above the number of its parameters, {}",
                parameters.len()
            )));
        }
        model.mixed.push(Mixed { parameters: parameters.clone(), strength });
    }
    for &(parameter, strength) in orders.iter().filter(|(_, strength)| *strength > order) {
        let others: Vec<usize> = (0..model.parameters.len()).filter(|&other| other != parameter).collect();
        let mut chosen_sets = Vec::new();
        crate::check::for_each_choice(&others, strength - 1, &mut |chosen| {
            if chosen_sets.len() <= MOST_CHOICES {
                chosen_sets.push(chosen.to_vec());
            }
        });
        if chosen_sets.len() > MOST_CHOICES {
            let name = &model.parameters[parameter].name;
            return Err(Error::Model(format!(
                "strength {strength} of `{name}` alone spans too many choices of parameters"
            )));
        }
        for mut parameters in chosen_sets {
            parameters.push(parameter);
            parameters.sort_unstable();
            model.mixed.push(Mixed { parameters, strength });
        }
    }
    Ok(())
}

/// Choices of parameters that a parameter's own strength may take.
const MOST_CHOICES: usize = 2000;

#[cfg(test)]
mod tests;
