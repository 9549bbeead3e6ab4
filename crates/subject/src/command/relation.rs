//! Relations of commands: transformations of parameters, and checks between runs.

use serde::{Deserialize, Serialize};

use super::{Expression, ParameterValue, Template};

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
