//! Opaque commands: programs that are not WebAssembly, described by their arguments and parameters, with relations in
//! `twinrun.toml`. Only the description lives here; running is the part of `testing`.
//!
//! A *case* assigns a value to every parameter. A *run* fills the templates (arguments, stdin, files) from its parameters and
//! executes the command, never through a shell, in a fresh folder. A relation makes the parameters of each follow-up from
//! those of the source by transformations, and checks a property between the runs.
//!
//! Templates: `{name}` stands for the value of a parameter, `{name...}` as a whole argument for all elements of a list (none
//! for an empty one), `{{` and `}}` for braces.

use serde::{Deserialize, Serialize};

use crate::ordered::Ordered;

mod coverage;
mod relation;
mod template;

pub use coverage::{CoverageFormat, CoverageSpec};
pub use relation::{Check, CommandRelation, FollowUp, Stream, Transformation};
pub use template::{Part, Template};

/// A command and everything that is needed to run it: the keys of `[subject.NAME]` beside `command`.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct CommandSpec {
    /// The program and its arguments, as templates.
    pub command: Vec<Template>,
    /// What it reads on standard input.
    pub stdin: Option<Template>,
    /// Files in the fresh folder in which it runs: name and content.
    pub files: Ordered<Template>,
    /// Further environment variables; `LC_ALL=C` and `TZ=UTC` are set unless given here.
    pub env: Ordered<String>,
    /// Seconds after which a run is stopped with the verdict `timeout`.
    pub timeout: f64,
    /// Exit codes that are an answer; any other one is a crash. Empty: every exit code is an answer.
    pub exit: Vec<i32>,
    /// The parameters, in drawing order.
    pub parameters: Ordered<Parameter>,
    /// What must hold between parameters; other cases are discarded.
    pub assume: Vec<Expression>,
    /// The relations.
    pub relations: Ordered<CommandRelation>,
    /// How a run tells which lines it executed.
    pub coverage: Option<CoverageSpec>,
}

/// A parameter: where its values come from. Exactly one of the kinds is given, told by its key.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Parameter {
    /// One of these values; a list of lists gives a list parameter.
    Values(Vec<ParameterValue>),
    /// Whole numbers, or decimals if one end has a point: `range = [0, 9]`.
    Range(RangeSpec),
    /// Random text: `text = { max = 20, alphabet = "ab \n" }`.
    Text(TextSpec),
    /// Random lines: `lines = { max = 10, line = { max = 5, alphabet = "abc" } }`; each line ends with a newline.
    Lines(LinesSpec),
    /// The content of one of the files that match a pattern: `corpus = "corpus/*.txt"`.
    Corpus(String),
    /// The user's own script, run with `{"parameter": NAME, "seed": N, "size": N}` on its standard input; it writes
    /// `{"value": …}`.
    Generator(Vec<String>),
}

/// The two ends of a range, both included.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(untagged)]
pub enum RangeSpec {
    /// Whole numbers.
    Int([i64; 2]),
    /// Decimals.
    Float([f64; 2]),
}

/// Random text.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct TextSpec {
    /// The least number of characters.
    #[serde(default)]
    pub min: u32,
    /// The greatest number of characters.
    pub max: u32,
    /// The characters that may occur; printable ASCII if not given.
    #[serde(default = "printable")]
    pub alphabet: String,
}

fn printable() -> String {
    (' '..='~').collect()
}

/// Random lines.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct LinesSpec {
    /// The least number of lines.
    #[serde(default)]
    pub min: u32,
    /// The greatest number of lines.
    pub max: u32,
    /// What a line consists of.
    pub line: TextSpec,
}

/// The value of a parameter.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(untagged)]
pub enum ParameterValue {
    /// `true` or `false`.
    Bool(bool),
    /// A whole number.
    Int(i64),
    /// A decimal.
    Float(f64),
    /// Text.
    Text(String),
    /// Several texts, e.g. options.
    List(Vec<String>),
}

/// An expression over parameters and outputs, e.g. `n > 0`, `number(2) == 2 * number(1)`, `lines(1) >= lines(2)`.
///
/// Names of parameters stand for the source's values. `exit(RUN)`, `lines(RUN)` (how many), `number(RUN)` (the first number
/// in the output), `number(RUN, N)` (the N-th), `length(RUN)`, `param(RUN, "name")` speak of a run; run 1 is the source.
/// Operators: `+ - * / % == != < <= > >= && || !` and parentheses; functions `abs(x)`, `min(a, b)`, `max(a, b)`.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(transparent)]
pub struct Expression(pub String);

impl CommandSpec {
    /// The first thing that cannot be: unknown parameters, runs that do not exist, relations without a check. The first
    /// element of the answer is the path of keys below the subject.
    pub fn mistake(&self) -> Option<(Vec<String>, String)> {
        let known = |template: &Template| {
            template.parameters().find(|it| self.parameters.get(it).is_none()).map(str::to_owned)
        };
        let unknown = |name: &str| {
            let names = self.parameters.names();
            let hint = crate::suggest::suggest(name, &names)
                .map(|it| format!(" (did you mean `{it}`?)"))
                .unwrap_or_default();
            format!("there is no parameter `{name}`{hint}")
        };
        let at = |keys: &[&str]| keys.iter().map(|it| (*it).to_owned()).collect::<Vec<_>>();
        if self.command.is_empty() {
            return Some((at(&["command"]), "the command has no program".to_owned()));
        }
        if let Some(name) = self.command.iter().chain(&self.stdin).find_map(known) {
            return Some((at(&["command"]), unknown(&name)));
        }
        if let Some((file, name)) = self.files.iter().find_map(|(file, it)| Some((file, known(it)?))) {
            return Some((at(&["files", file]), unknown(&name)));
        }
        for (name, relation) in self.relations.iter() {
            let here = at(&["relation", name]);
            if relation.check.is_empty() {
                return Some((
                    here,
                    "the relation checks nothing: add `check = [{ that = \"same_output\" }]`".to_owned(),
                ));
            }
            if !relation.transform.is_empty() && !relation.follow_up.is_empty() {
                return Some((
                    here,
                    "give `transform` for one follow-up or `follow_up` for several, not both".to_owned(),
                ));
            }
            let follow_ups = relation.follow_ups();
            let runs = 1 + follow_ups.len();
            for (index, follow_up) in follow_ups.iter().enumerate() {
                if follow_up.from == 0 || follow_up.from > index + 1 {
                    return Some((
                        here,
                        format!(
                            "follow-up {} starts from run {}, which is not earlier",
                            index + 2,
                            follow_up.from
                        ),
                    ));
                }
                let mut targets = follow_up.transform.iter().filter_map(Transformation::target);
                if let Some(name) = targets.find(|it| self.parameters.get(it).is_none()) {
                    return Some((here, unknown(name)));
                }
            }
            if let Some(run) =
                relation.check.iter().flat_map(Check::runs).find(|run| *run == 0 || *run > runs)
            {
                return Some((
                    here,
                    format!("a check speaks of run {run}, but the relation has {runs} runs"),
                ));
            }
        }
        None
    }
}
