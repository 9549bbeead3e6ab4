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

mod template;

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

/// A relation of a command: `[subject.NAME.relation.RELATION]`.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct CommandRelation {
    /// One sentence for reports.
    pub about: Option<String>,
    /// What must hold for a case to count.
    pub assume: Vec<Expression>,
    /// The transformations of the only follow-up, applied in order to the source's parameters.
    pub transform: Vec<Transformation>,
    /// Several follow-ups, instead of `transform`.
    pub follow_up: Vec<FollowUp>,
    /// The properties; all must hold.
    pub check: Vec<Check>,
}

impl CommandRelation {
    /// The follow-ups, also where the short form `transform` was used.
    pub fn follow_ups(&self) -> Vec<FollowUp> {
        if self.follow_up.is_empty() {
            vec![FollowUp { from: 1, transform: self.transform.clone(), command: None }]
        } else {
            self.follow_up.clone()
        }
    }
}

/// One follow-up run.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct FollowUp {
    /// The run whose parameters it starts from; 1 is the source.
    #[serde(default = "source")]
    pub from: usize,
    /// Applied in order.
    #[serde(default)]
    pub transform: Vec<Transformation>,
    /// Other arguments than the source's, e.g. another option.
    #[serde(default)]
    pub command: Option<Vec<Template>>,
}

fn source() -> usize {
    1
}

fn follow_up() -> usize {
    2
}

/// A built-in transformation of one parameter, or a script: `{ apply = "reverse_lines", to = "text" }`.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(tag = "apply", rename_all = "snake_case", deny_unknown_fields)]
pub enum Transformation {
    /// Another value; a text is a template over the parameters as they are.
    Set {
        /// The parameter.
        to: String,
        /// The value.
        value: ParameterValue,
    },
    /// Adds to a number.
    Add {
        /// The parameter.
        to: String,
        /// How much.
        by: f64,
    },
    /// Multiplies a number.
    Multiply {
        /// The parameter.
        to: String,
        /// By what.
        by: f64,
    },
    /// Text in front.
    Prepend {
        /// The parameter.
        to: String,
        /// A template.
        text: Template,
    },
    /// Text at the end.
    Append {
        /// The parameter.
        to: String,
        /// A template.
        text: Template,
    },
    /// Every occurrence of a text becomes another.
    Replace {
        /// The parameter.
        to: String,
        /// What is looked for, literally.
        find: String,
        /// What stands there instead.
        with: String,
    },
    /// The text several times.
    Repeat {
        /// The parameter.
        to: String,
        /// How often.
        times: u32,
    },
    /// Characters (of a text) or elements (of a list) in reverse order.
    Reverse {
        /// The parameter.
        to: String,
    },
    /// Lines in reverse order.
    ReverseLines {
        /// The parameter.
        to: String,
    },
    /// Lines in a random order; the order belongs to the case.
    PermuteLines {
        /// The parameter.
        to: String,
    },
    /// Elements of a list in a random order; the order belongs to the case.
    Permute {
        /// The parameter.
        to: String,
    },
    /// Every line twice.
    DuplicateLines {
        /// The parameter.
        to: String,
    },
    /// Without one line, drawn with the case.
    RemoveLine {
        /// The parameter.
        to: String,
    },
    /// With one more line at the end.
    AddLine {
        /// The parameter.
        to: String,
        /// A template.
        line: Template,
    },
    /// Capital letters.
    Upper {
        /// The parameter.
        to: String,
    },
    /// Small letters.
    Lower {
        /// The parameter.
        to: String,
    },
    /// Two parameters change places.
    Swap {
        /// One.
        to: String,
        /// The other.
        with: String,
    },
    /// The parameter becomes the standard output of an earlier run.
    Output {
        /// The parameter.
        to: String,
        /// Which run.
        #[serde(default = "source")]
        run: usize,
    },
    /// The user's own script: reads `{"parameters": {…}, "runs": [RUN…], "seed": N}` and writes `{"parameters": {…}}`.
    Script {
        /// The program and its arguments.
        script: Vec<String>,
    },
}

impl Transformation {
    /// The parameter that it changes; none for a script.
    pub fn target(&self) -> Option<&str> {
        use Transformation as T;
        match self {
            T::Set { to, .. }
            | T::Add { to, .. }
            | T::Multiply { to, .. }
            | T::Prepend { to, .. }
            | T::Append { to, .. }
            | T::Replace { to, .. }
            | T::Repeat { to, .. }
            | T::Reverse { to }
            | T::ReverseLines { to }
            | T::PermuteLines { to }
            | T::Permute { to }
            | T::DuplicateLines { to }
            | T::RemoveLine { to }
            | T::AddLine { to, .. }
            | T::Upper { to }
            | T::Lower { to }
            | T::Swap { to, .. }
            | T::Output { to, .. } => Some(to),
            T::Script { .. } => None,
        }
    }
}

/// Which output a check compares.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Stream {
    /// Standard output.
    #[default]
    Stdout,
    /// Standard error.
    Stderr,
    /// A file that the run wrote in its folder.
    File(String),
}

/// A property between runs: `{ that = "same_output" }`. `left` and `right` name runs: 1 and 2 if not given.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(tag = "that", rename_all = "snake_case", deny_unknown_fields)]
pub enum Check {
    /// Byte for byte.
    SameOutput {
        /// A run.
        #[serde(default = "source")]
        left: usize,
        /// Another run.
        #[serde(default = "follow_up")]
        right: usize,
        /// Which output.
        #[serde(default)]
        stream: Stream,
    },
    /// The outputs differ.
    DifferentOutput {
        /// A run.
        #[serde(default = "source")]
        left: usize,
        /// Another run.
        #[serde(default = "follow_up")]
        right: usize,
        /// Which output.
        #[serde(default)]
        stream: Stream,
    },
    /// The same lines in any order, each as often.
    PermutationOfLines {
        /// A run.
        #[serde(default = "source")]
        left: usize,
        /// Another run.
        #[serde(default = "follow_up")]
        right: usize,
        /// Which output.
        #[serde(default)]
        stream: Stream,
    },
    /// Every line of the right run is a line of the left run (as often at least).
    SubsetOfLines {
        /// The run with all lines.
        #[serde(default = "source")]
        left: usize,
        /// The run with some of them.
        #[serde(default = "follow_up")]
        right: usize,
        /// Which output.
        #[serde(default)]
        stream: Stream,
    },
    /// Every line of the left run is a line of the right run (as often at least).
    SupersetOfLines {
        /// The run with some lines.
        #[serde(default = "source")]
        left: usize,
        /// The run with all of them.
        #[serde(default = "follow_up")]
        right: usize,
        /// Which output.
        #[serde(default)]
        stream: Stream,
    },
    /// The lines of the right run are those of the left one in reverse order.
    ReverseOfLines {
        /// A run.
        #[serde(default = "source")]
        left: usize,
        /// Another run.
        #[serde(default = "follow_up")]
        right: usize,
        /// Which output.
        #[serde(default)]
        stream: Stream,
    },
    /// The same exit code.
    SameExit {
        /// A run.
        #[serde(default = "source")]
        left: usize,
        /// Another run.
        #[serde(default = "follow_up")]
        right: usize,
    },
    /// All numbers in the outputs, in order, differ by at most the tolerance.
    Numeric {
        /// A run.
        #[serde(default = "source")]
        left: usize,
        /// Another run.
        #[serde(default = "follow_up")]
        right: usize,
        /// Which output.
        #[serde(default)]
        stream: Stream,
        /// The greatest difference.
        #[serde(default)]
        tolerance: f64,
        /// The greatest difference as a part of the greater number; one of the two tolerances suffices.
        #[serde(default)]
        relative: f64,
    },
    /// A condition over parameters and outputs.
    Expression {
        /// The condition.
        holds: Expression,
    },
    /// The user's own script: reads `{"relation": NAME, "runs": [RUN…]}` and writes `{"holds": true}` or
    /// `{"holds": false, "message": "…"}`; a RUN is `{"parameters": {…}, "arguments": […], "stdin": "…", "exit": N,
    /// "stdout": "…", "stderr": "…"}`, with `stdout_hex` beside `stdout` where it is not UTF-8.
    Script {
        /// The program and its arguments.
        script: Vec<String>,
    },
}

impl Check {
    /// The runs that it speaks of; empty for expressions and scripts.
    pub fn runs(&self) -> Vec<usize> {
        use Check as C;
        match self {
            C::SameOutput { left, right, .. }
            | C::DifferentOutput { left, right, .. }
            | C::PermutationOfLines { left, right, .. }
            | C::SubsetOfLines { left, right, .. }
            | C::SupersetOfLines { left, right, .. }
            | C::ReverseOfLines { left, right, .. }
            | C::SameExit { left, right }
            | C::Numeric { left, right, .. } => vec![*left, *right],
            C::Expression { .. } | C::Script { .. } => Vec::new(),
        }
    }
}

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
