//! Runs the groups of concrete tests through the testing engine: relations of WebAssembly subjects (whole programs among
//! them) and rows of commands.

use std::collections::BTreeMap;

use serde_json::json;
use twinrun_base::{Case, Domain, Group, Input, Rng, Value, Verdict};
use twinrun_combine::groups::{Sample, Test, learn};
use twinrun_combine::{Concrete, Model, Parameter, Random, Scalar, groups, random_rows};
use twinrun_subject::command::{Check, ParameterValue};
use twinrun_testing::command::{CommandRun, CommandSubject};
use twinrun_testing::executor::{ExecuteError, Executor};
use twinrun_testing::generate::Generator;
use twinrun_testing::target::{Build, Target};

use crate::error::Error;
use crate::targets::{Opened, Ready};

/// What one group gave.
pub(crate) struct Judged {
    /// The group as it was run.
    pub(crate) group: Group,
    /// The runs were given what the rows say; unknown where the relation does not name the inputs of its runs.
    pub(crate) confirmed: Option<bool>,
}

/// Runs groups of one subject.
pub(crate) enum Runner<'a> {
    /// Relations of a module, by name.
    Wasm(Vec<WasmRelation<'a>>),
    /// A command: each row is run once.
    Command { subject: &'a CommandSubject, done: BTreeMap<String, CommandRun> },
}

/// One relation of a module.
pub(crate) struct WasmRelation<'a> {
    name: String,
    executor: Box<dyn Executor + 'a>,
    generator: Generator,
    /// What the relation draws, by name.
    domains: BTreeMap<String, Domain>,
}

impl<'a> Runner<'a> {
    /// A runner for the relations of a model. Targets are made by the caller, in the order of the relations.
    pub(crate) fn wasm(targets: &'a [Box<dyn Target + 'a>], seed: u64) -> Result<Runner<'a>, Error> {
        let relation = |target: &'a (dyn Target + 'a)| -> Result<WasmRelation<'a>, Error> {
            let executor = target
                .executor(Build::Plain)?
                .ok_or_else(|| ExecuteError::new("the subject has no plain build"))?;
            let generator = Generator::new(Rng::new(seed), &[]);
            let mut relation = WasmRelation {
                name: target.relation().to_owned(),
                executor,
                generator,
                domains: BTreeMap::new(),
            };
            // What is drawn may depend on what was drawn before: several cases are looked at.
            for _ in 0..PROBES {
                let drawn = relation.draw(Case::default())?;
                for input in drawn.inputs {
                    relation.domains.entry(input.name).or_insert(input.domain);
                }
            }
            Ok(relation)
        };
        Ok(Runner::Wasm(targets.iter().map(|target| relation(&**target)).collect::<Result<_, _>>()?))
    }

    /// A runner for rows of a command.
    pub(crate) fn command(subject: &'a CommandSubject, model: &Model) -> Result<Runner<'a>, Error> {
        for name in subject.parameters() {
            if model.parameter(&name).is_none() {
                return Err(Error::Usage(format!(
                    "the command's parameter `{name}` is not in the model: add it to the parameters, with one value if it does not vary"
                )));
            }
        }
        Ok(Runner::Command { subject, done: BTreeMap::new() })
    }

    /// Runs one group: the tests of its runs, the source first.
    pub(crate) fn run(&mut self, model: &Model, relation: usize, tests: &[&Test]) -> Result<Judged, Error> {
        match self {
            Runner::Wasm(relations) => {
                let name = &model.relations[relation].name;
                let own = relations.iter_mut().find(|own| own.name == *name);
                own.ok_or_else(|| Error::Usage(format!("there is no relation `{name}`")))?.run(model, tests)
            }
            Runner::Command { subject, done } => {
                let relation = &model.relations[relation];
                let checks = checks(subject, &relation.name, &relation.output)?;
                let mut runs = Vec::new();
                for test in tests {
                    let parameters = parameters(model, test);
                    let key = format!("{parameters:?}");
                    if !done.contains_key(&key) {
                        done.insert(key.clone(), subject.run_row(parameters)?);
                    }
                    runs.push(done[&key].clone());
                }
                let runs: Vec<&CommandRun> = runs.iter().collect();
                let group = subject.judge_rows(&relation.name, &checks, &runs)?;
                Ok(Judged { group, confirmed: Some(true) })
            }
        }
    }
}

/// Cases drawn to see what a relation draws.
const PROBES: usize = 16;
/// Cases from which an input rule is taken.
const SAMPLES: usize = 120;

impl WasmRelation<'_> {
    /// The case that the relation draws when some inputs are given.
    fn draw(&mut self, given: Case) -> Result<Case, Error> {
        self.generator.begin_with(given);
        self.executor.run(&mut self.generator)?;
        Ok(self.generator.case())
    }

    fn run(&mut self, model: &Model, tests: &[&Test]) -> Result<Judged, Error> {
        let drawn = self.draw(self.given(model, tests[0]))?;
        let group = self.executor.explain(&drawn)?.group;
        let mut confirmed = None;
        for (run, test) in group.runs.iter().zip(tests) {
            for (parameter, value) in model.parameters.iter().zip(test.values()) {
                let given = run.given.iter().find(|(name, _)| *name == parameter.name);
                if let Some(given) = given.and_then(|(_, given)| scalar(given)) {
                    let same = given.compare(value) == std::cmp::Ordering::Equal;
                    confirmed = Some(confirmed.unwrap_or(true) && same);
                }
            }
        }
        // A group that ended early has not shown its follow-ups.
        let whole = group.runs.len() == tests.len() || group.verdict != Verdict::Holds;
        Ok(Judged { group, confirmed: confirmed.map(|same| same && whole) })
    }

    /// A test as the inputs of a case, each of the kind that the relation draws.
    fn given(&self, model: &Model, test: &Test) -> Case {
        let mut inputs = Vec::new();
        for (parameter, value) in model.parameters.iter().zip(test.values()) {
            let Some(domain) = self.domains.get(&parameter.name) else { continue };
            let value = match (domain, value) {
                (Domain::Int { .. }, Scalar::Number(number)) => Value::Int(number.round() as i64),
                (Domain::Float { .. }, Scalar::Number(number)) => Value::Float(*number),
                (Domain::Text { .. }, scalar) => Value::Bytes(scalar.to_string().into_bytes()),
                _ => continue,
            };
            inputs.push(Input { name: parameter.name.clone(), domain: domain.clone(), value });
        }
        Case { inputs }
    }

    /// What the runs of the relation are given on some cases of the model.
    fn samples(&mut self, model: &Model, seed: u64) -> Result<Vec<Sample>, Error> {
        let wrong = |error: twinrun_combine::Error| Error::Usage(error.to_string());
        let rows = random_rows(model, SAMPLES, seed).map_err(wrong)?;
        let tests = groups::concretise(model, &rows, &[], &mut Random::new(seed)).tests;
        let mut samples: Vec<Sample> = Vec::new();
        for test in &tests {
            let drawn = self.draw(self.given(model, test))?;
            let group = self.executor.explain(&drawn)?.group;
            let named = group.runs.iter().all(|run| !run.given.is_empty());
            if group.runs.len() < 2
                || !named
                || samples.first().is_some_and(|it| it.len() != group.runs.len())
            {
                continue;
            }
            // An input that a run does not name is the one that was drawn.
            let value = |run: &twinrun_base::Run, parameter: &Parameter, own: &Scalar| {
                let given =
                    run.given.iter().find(|(name, _)| *name == parameter.name).map(|(_, value)| value);
                given.or_else(|| drawn.get(&parameter.name)).and_then(scalar).unwrap_or_else(|| own.clone())
            };
            let of_run = |run: &twinrun_base::Run| {
                model
                    .parameters
                    .iter()
                    .zip(test.values())
                    .map(|(parameter, own)| value(run, parameter, own))
                    .collect()
            };
            samples.push(group.runs.iter().map(of_run).collect());
        }
        Ok(samples)
    }
}

/// Takes the input rules that the model leaves to the subject's relations; returns each with its name.
pub(crate) fn take_rules(
    model: &mut Model,
    ready: &Ready,
    runner: &mut Runner<'_>,
    seed: u64,
) -> Result<Vec<(String, String)>, Error> {
    let mut taken = Vec::new();
    for index in 0..model.relations.len() {
        if !model.relations[index].taken {
            continue;
        }
        let name = model.relations[index].name.clone();
        let Runner::Wasm(relations) = runner else {
            return Err(Error::Usage(format!(
                "relation `{name}` has no `input`: only relations in the code of a subject tell what their runs are given, and `{}` is a command",
                ready.name
            )));
        };
        let Some(own) = relations.iter_mut().find(|own| own.name == name) else {
            return Err(Error::Usage(format!("the subject `{}` has no relation `{name}`", ready.name)));
        };
        let (relation, text) = match learn(model, &name, &own.samples(model, seed)?) {
            Ok(found) => found,
            Err(first) => {
                // Numbers that the relation draws besides may be what changes: they join the rows.
                let before = model.parameters.len();
                for (name, domain) in &own.domains {
                    if let Domain::Int { lo, hi, .. } = domain
                        && model.parameter(name).is_none()
                    {
                        let set = Concrete::Integers(*lo, *hi);
                        model.parameters.push(Parameter::single(name, "any", set));
                    }
                }
                model.seeds.iter_mut().for_each(|seed| seed.resize(model.parameters.len(), None));
                let samples = own.samples(model, seed)?;
                learn(model, &name, &samples).map_err(|_| {
                    model.parameters.truncate(before);
                    Error::Usage(first.to_string())
                })?
            }
        };
        let output = std::mem::take(&mut model.relations[index].output);
        model.relations[index] = groups::Relation { output, ..relation };
        taken.push((name, text));
    }
    Ok(taken)
}

fn scalar(value: &Value) -> Option<Scalar> {
    match value {
        Value::Int(number) => Some(Scalar::Number(*number as f64)),
        Value::Float(number) => Some(Scalar::Number(*number)),
        Value::Bytes(bytes) => Some(Scalar::Text(String::from_utf8_lossy(bytes).into_owned())),
        _ => None,
    }
}

/// A row as parameters of a command.
fn parameters(model: &Model, test: &Test) -> Vec<(String, ParameterValue)> {
    let value = |scalar: &Scalar| match scalar {
        Scalar::Number(number) if number.fract() == 0.0 && number.abs() < 9e15 => {
            ParameterValue::Int(*number as i64)
        }
        Scalar::Number(number) => ParameterValue::Float(*number),
        Scalar::Text(text) => ParameterValue::Text(text.clone()),
    };
    model
        .parameters
        .iter()
        .zip(test.values())
        .map(|(parameter, own)| (parameter.name.clone(), value(own)))
        .collect()
}

/// What is checked between the runs of a command: the checks of its relation of this name, a built-in check, or an
/// expression.
fn checks(subject: &CommandSubject, relation: &str, output: &str) -> Result<Vec<Check>, Error> {
    if output.is_empty() {
        return subject.checks(relation).map(<[Check]>::to_vec).ok_or_else(|| {
            Error::Usage(format!(
                "relation `{relation}` has no output rule: write `output`, e.g. \"same_output\" or \"number(2) <= number(1)\", or give \
                 the command a relation of this name"
            ))
        });
    }
    let built_in: Result<Check, _> = serde_json::from_value(json!({ "that": output }));
    let check =
        built_in.or_else(|_| serde_json::from_value(json!({ "that": "expression", "holds": output })));
    check.map(|check| vec![check]).map_err(|error| Error::Usage(format!("relation `{relation}`: {error}")))
}

/// The targets of a model's relations; none for a command.
pub(crate) fn targets<'r>(model: &Model, ready: &'r Ready) -> Result<Vec<Box<dyn Target + 'r>>, Error> {
    match &ready.opened {
        Opened::Wasm(_) => model.relations.iter().map(|relation| ready.target(&relation.name)).collect(),
        Opened::Command(_) => Ok(Vec::new()),
    }
}
