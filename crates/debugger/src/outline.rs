//! What transformations need to know of a program's text, whatever its language.

use std::collections::BTreeSet;
use std::ops::Range;

use crate::error::{Error, Result};
use crate::javascript;
use crate::position::has_separators;
use crate::program::{Language, Program};
use crate::python_outline;
use crate::tree_outline;

/// A place where a statement may be inserted.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Gap {
    /// The byte before which it goes.
    pub offset: usize,
    /// Whether the insertion must stand on a line of its own, after a line break.
    pub new_line_first: bool,
    /// Variables that have a value here and may be read without effect.
    pub readable: Vec<String>,
    /// Those of them that may be assigned.
    pub assignable: Vec<String>,
    /// Every variable in scope, also those that may not have a value yet: for code that never runs.
    pub mentionable: Vec<String>,
    /// Those of the function around it, blocks of the top level included: a closure that mentions one captures it.
    pub local: Vec<String>,
    /// Those of functions further out: any mention captures them.
    pub enclosing: Vec<String>,
}

impl Gap {
    /// Whether a variable becomes captured when code in this gap mentions it, directly or in a closure.
    pub fn captures(&self, name: &str, in_closure: bool) -> bool {
        let is = |names: &[String]| names.iter().any(|known| known == name);
        is(&self.enclosing) || (in_closure && is(&self.local))
    }
}

/// A literal that an expression may replace.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Literal<T> {
    /// Its place.
    pub range: Range<usize>,
    /// Its value.
    pub value: T,
    /// Variables that have a value where it stands.
    pub readable: Vec<String>,
    /// Variables of functions further out than the one around it.
    pub enclosing: Vec<String>,
}

/// A function that may get one more parameter.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ParameterSite {
    /// The byte before which the parameter goes.
    pub offset: usize,
    /// Whether another one stands before it.
    pub after_another: bool,
}

/// What stands at a place inside a statement where debuggers have work of their own.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Joint {
    /// `yield` or `await`.
    Suspension,
    /// A class.
    Class,
    /// Part of the head of a loop over elements or keys.
    Loop,
    /// A variable that the pattern of a parameter binds.
    Parameter,
    /// The end of a function.
    End,
    /// The parameter or a statement of a `catch`.
    Catch,
    /// A variable that a destructuring declaration binds.
    Pattern,
    /// A default value.
    Default,
    /// A statement of a block in a loop.
    Body,
}

/// A statement of a list of statements.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Statement {
    /// Its place.
    pub range: Range<usize>,
    /// Whether it declares something that is in scope outside of it.
    pub declares: bool,
    /// The function around it; none at the top level.
    pub function: Option<Range<usize>>,
}

/// The places of a program that matter here.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Outline {
    /// Where statements begin, also those that are no member of a list.
    pub starts: Vec<usize>,
    /// The first statement that a started program surely passes.
    pub entry: Option<usize>,
    /// Places inside statements where debuggers have work of their own, in the order of the text.
    pub joints: Vec<(usize, Joint)>,
    /// Variables that have no value before their declaration has run (`let`, `const`, `class`), with where it ends.
    pub lexical: Vec<(String, usize)>,
    /// Names of variables that some function or the program declares and nothing ever mentions.
    pub unused: BTreeSet<String>,
    /// Statements that could be taken out of their list without breaking the grammar.
    pub statements: Vec<Statement>,
    /// Where a statement may be inserted.
    pub gaps: Vec<Gap>,
    /// Integer literals.
    pub integers: Vec<Literal<u64>>,
    /// Boolean literals.
    pub booleans: Vec<Literal<bool>>,
    /// Functions that may get a parameter.
    pub parameters: Vec<ParameterSite>,
    /// Bodies and blocks whose content may go as a whole, for reduction.
    pub blocks: Vec<Range<usize>>,
    /// Names may mean something else at run time (`eval`, `with`): no variable is safe to name.
    pub dynamic_scope: bool,
    /// The program may read how many parameters its functions have.
    pub reads_arity: bool,
    /// The program may read its own text or positions.
    pub reads_source: bool,
}

impl Outline {
    /// The innermost statement of a list around a byte.
    pub fn statement(&self, offset: usize) -> Option<&Statement> {
        self.statements
            .iter()
            .filter(|statement| statement.range.contains(&offset))
            .min_by_key(|statement| statement.range.len())
    }

    /// The text of the innermost statement of a list around a byte.
    pub fn statement_text<'t>(&self, source: &'t str, offset: usize) -> &'t str {
        self.statement(offset).map_or("", |statement| &source[statement.range.clone()])
    }

    /// Reads a program.
    ///
    /// # Errors
    /// [`crate::Error::Program`] when it does not parse.
    pub fn of(program: &Program) -> Result<Self> {
        if program.language != Language::JavaScript && has_separators(&program.source) {
            let why = "it contains U+2028 or U+2029, which end lines for some debuggers and not for others";
            return Err(Error::Program(why.to_owned()));
        }
        match program.language {
            Language::JavaScript => javascript::outline(&program.source),
            Language::C | Language::Cpp | Language::Rust | Language::Go => {
                tree_outline::outline(&program.source, program.language)
            }
            Language::Python => python_outline::outline(&program.source),
        }
    }
}
