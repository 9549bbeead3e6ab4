//! Feature models: DIMACS clauses, and FeatureIDE's tree of features with rules. A feature is a parameter that is true or
//! false; abstract features, which only structure the tree, are features too.

use super::suggest::nearest;
use super::{syntax, xml};
use crate::error::{Error, Place};
use crate::expression::{Cell, Expression};
use crate::model::{Constraint, Model, Parameter, Value};

fn feature(name: &str) -> Parameter {
    Parameter { name: name.to_owned(), values: vec![Value::plain("true"), Value::plain("false")] }
}

fn selected(parameter: usize, wanted: bool) -> Expression {
    Expression::Among(Cell { run: 0, parameter }, vec![wanted.to_string()])
}

/// Reads clauses: `c 7 name` names a variable, `p cnf VARIABLES CLAUSES` begins, every clause ends with 0.
///
/// # Errors
/// With the place of the first word that is wrong.
pub fn read_dimacs(text: &str) -> Result<Model, Error> {
    let mut model = Model::default();
    let mut names: Vec<(usize, &str)> = Vec::new();
    let mut clause: Vec<i64> = Vec::new();
    for (number, line) in text.lines().enumerate() {
        let mut words = line.split_whitespace();
        let first = words.next().unwrap_or("");
        match first {
            "" => continue,
            "c" => {
                if let (Some(Ok(variable)), Some(name)) = (words.next().map(str::parse), words.next()) {
                    names.push((variable, name));
                }
                continue;
            }
            "p" => {
                let count =
                    words.nth(1).and_then(|word| word.parse::<usize>().ok()).filter(|count| *count <= MOST);
                let Some(count) = count else {
                    return syntax(number + 1, 1, "expected `p cnf VARIABLES CLAUSES`");
                };
                model.parameters = (1..=count).map(|variable| feature(&format!("x{variable}"))).collect();
                continue;
            }
            _ => {}
        }
        for word in line.split_whitespace() {
            let column = super::column(line, word);
            let literal = word.parse::<i64>().ok().filter(|literal| {
                usize::try_from(literal.unsigned_abs())
                    .is_ok_and(|variable| variable <= model.parameters.len())
            });
            match literal {
                Some(0) => {
                    let place = Place { line: number + 1, column: 1 };
                    model.constraints.push(rule(std::mem::take(&mut clause), &model.parameters, place));
                }
                Some(literal) => clause.push(literal),
                None => return syntax(number + 1, column, format!("`{word}` is no variable of this model")),
            }
        }
    }
    for (variable, name) in names {
        let taken = model.parameters.iter().any(|other| other.name == name);
        if let Some(parameter) =
            variable.checked_sub(1).and_then(|at| model.parameters.get_mut(at)).filter(|_| !taken)
        {
            name.clone_into(&mut parameter.name);
        }
    }
    if !clause.is_empty() {
        return syntax(text.lines().count(), 1, "the last clause is not ended by 0");
    }
    model.validate()?;
    Ok(model)
}

/// More variables than this are taken for a mistake.
const MOST: usize = 100_000;

fn rule(clause: Vec<i64>, parameters: &[Parameter], place: Place) -> Constraint {
    let variable = |literal: i64| literal.unsigned_abs() as usize - 1;
    let text = |&literal: &i64| {
        format!("{}{}", if literal < 0 { "not " } else { "" }, parameters[variable(literal)].name)
    };
    let text = clause.iter().map(text).collect::<Vec<_>>().join(" or ");
    let parts = clause.iter().map(|&literal| selected(variable(literal), literal > 0)).collect();
    Constraint { text, expression: Expression::Or(parts), place }
}

/// Reads FeatureIDE's XML: `<struct>` with `and`, `or`, `alt` and `feature`, and `<constraints>` with rules.
///
/// # Errors
/// With the place of the first thing that makes no sense.
pub fn read_feature_ide(text: &str) -> Result<Model, Error> {
    let root = xml::parse(text)?;
    let mut model = Model::default();
    let Some(top) = root.within("struct").iter().find(|child| is_feature(child)) else {
        return syntax(root.place.line, root.place.column, "there is no feature in <struct>");
    };
    let at = tree(top, &mut model)?;
    let text = format!("{} is the root", model.parameters[at].name);
    model.constraints.push(Constraint { text, expression: selected(at, true), place: top.place });
    for written in root.within("constraints") {
        let Some(inner) = written.children.iter().find(|child| child.name != "description") else { continue };
        let expression = formula(inner, &model)?;
        let text = spoken(inner);
        model.constraints.push(Constraint { text, expression, place: written.place });
    }
    model.validate()?;
    Ok(model)
}

fn is_feature(element: &xml::Element) -> bool {
    ["and", "or", "alt", "feature"].contains(&element.name.as_str())
}

/// Adds a feature and those below it, with what the tree says about them; gives its number.
fn tree(element: &xml::Element, model: &mut Model) -> Result<usize, Error> {
    let place = element.place;
    let Some(name) = element.attribute("name") else {
        return syntax(place.line, place.column, "this feature has no name");
    };
    let own = model.parameters.len();
    model.parameters.push(feature(name));
    let mut below: Vec<(usize, bool)> = Vec::new();
    for child in element.children.iter().filter(|child| is_feature(child)) {
        below.push((tree(child, model)?, child.attribute("mandatory") == Some("true")));
    }
    let mut add =
        |text: String, expression: Expression| model.constraints.push(Constraint { text, expression, place });
    for &(child, mandatory) in &below {
        add(
            format!("{name} is above one of its features"),
            selected(child, true).implies(selected(own, true)),
        );
        if mandatory && element.name == "and" {
            add(
                format!("{name} has a mandatory feature"),
                selected(own, true).implies(selected(child, true)),
            );
        }
    }
    if ["or", "alt"].contains(&element.name.as_str()) && !below.is_empty() {
        let some = Expression::Or(below.iter().map(|&(child, _)| selected(child, true)).collect());
        add(format!("{name} has at least one of its features"), selected(own, true).implies(some));
    }
    if element.name == "alt" {
        for (at, &(a, _)) in below.iter().enumerate() {
            for &(b, _) in &below[at + 1..] {
                let not_both = Expression::Or(vec![selected(a, false), selected(b, false)]);
                add(format!("{name} has at most one of its features"), not_both);
            }
        }
    }
    Ok(own)
}

fn formula(element: &xml::Element, model: &Model) -> Result<Expression, Error> {
    let place = element.place;
    let parts =
        || element.children.iter().map(|child| formula(child, model)).collect::<Result<Vec<_>, Error>>();
    let wrong = |message: String| syntax(place.line, place.column, message);
    match element.name.as_str() {
        "var" => {
            let name = element.text.trim();
            match model.parameter(name) {
                Some(parameter) => Ok(selected(parameter, true)),
                None => {
                    let hint = nearest(name, model.parameters.iter().map(|own| own.name.as_str()));
                    wrong(format!("there is no feature `{name}`{hint}"))
                }
            }
        }
        "not" | "imp" | "eq" => {
            let mut parts = parts()?.into_iter();
            match (element.name.as_str(), parts.next(), parts.next()) {
                ("not", Some(one), None) => Ok(Expression::Not(Box::new(one))),
                ("imp", Some(one), Some(other)) => Ok(one.implies(other)),
                ("eq", Some(one), Some(other)) => {
                    Ok(Expression::And(vec![one.clone().implies(other.clone()), other.implies(one)]))
                }
                _ => wrong(format!("<{}> has too few or too many parts", element.name)),
            }
        }
        "conj" => parts().map(Expression::And),
        "disj" => parts().map(Expression::Or),
        "atmost1" => {
            let parts = parts()?;
            let pairs = parts.iter().enumerate().flat_map(|(at, a)| {
                parts[at + 1..]
                    .iter()
                    .map(move |b| Expression::Not(Box::new(Expression::And(vec![a.clone(), b.clone()]))))
            });
            Ok(Expression::And(pairs.collect()))
        }
        other => wrong(format!("<{other}> is no part of a rule")),
    }
}

fn spoken(element: &xml::Element) -> String {
    let parts: Vec<String> = element.children.iter().map(spoken).collect();
    match element.name.as_str() {
        "var" => element.text.trim().to_owned(),
        "not" => format!("not {}", parts.join(" ")),
        "imp" => parts.join(" implies "),
        "eq" => parts.join(" iff "),
        "conj" => format!("({})", parts.join(" and ")),
        "disj" => format!("({})", parts.join(" or ")),
        other => format!("{other}({})", parts.join(", ")),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::generate::{Config, generate};

    #[test]
    fn clauses_with_names_are_read() {
        let model = read_dimacs("c 1 base\nc 2 net\np cnf 3 2\n-2 1 0\n2\n3 0\n").unwrap();
        assert_eq!(model.parameters[1].name, "net");
        assert_eq!(model.constraints[1].text, "x2 or x3");
        assert_eq!(model.constraints.len(), 2);
        assert!(read_dimacs("p cnf 2 1\n1 5 0\n").unwrap_err().to_string().contains("`5` is no variable"));
        assert!(read_dimacs("p cnf 2 1\n1 2\n").unwrap_err().to_string().contains("not ended"));
    }

    const PHONE: &str = "<featureModel><struct><and mandatory=\"true\" name=\"Phone\"><feature mandatory=\"true\" name=\"Calls\"/><alt name=\"Screen\"><feature name=\"Color\"/><feature name=\"Basic\"/></alt><or name=\"Media\"><feature name=\"Camera\"/><feature name=\"MP3\"/></or></and></struct><constraints><rule><imp><var>Camera</var><var>Color</var></imp></rule></constraints></featureModel>";

    #[test]
    fn a_tree_means_what_its_products_are() {
        let model = read_feature_ide(PHONE).unwrap();
        let all = generate(&model, &Config { strength: Some(6), ..Config::default() }).unwrap();
        let has = |row: &[usize], name: &str| row[model.parameter(name).unwrap()] == 0;
        for row in &all.rows {
            assert!(has(row, "Phone") && has(row, "Calls"));
            assert_eq!(has(row, "Screen"), has(row, "Color") != has(row, "Basic"), "{row:?}");
            assert_eq!(has(row, "Media"), has(row, "Camera") || has(row, "MP3"));
            assert!(!has(row, "Camera") || has(row, "Color"));
        }
        // Screen: none, colour or basic. Media: none, MP3, camera or both; a camera needs the colour screen.
        assert_eq!(all.rows.len(), 3 * 2 + 2);
        let wrong = PHONE.replace("<var>Camera", "<var>Camra");
        assert!(read_feature_ide(&wrong).unwrap_err().to_string().contains("did you mean `Camera`?"));
    }
}
