//! The mutation operators, one file each.

mod arithmetic;
mod constant;
mod deleted_assignment;
mod deleted_statement;
mod jump;
mod logical;
mod negated_condition;
mod off_by_one;
mod relational;
mod wrong_index;
mod wrong_variable;

use tree_sitter::Node;

use crate::mutant::Edit;
use crate::source::Source;
use crate::types::Scope;

/// A mutation operator.
pub struct Operator {
    /// Its name.
    pub name: &'static str,
    /// What it does, in one sentence.
    pub about: &'static str,
    /// Its proposals at one node of the tree.
    pub(crate) propose: fn(Node<'_>, &Source<'_>, &Scope, &mut Vec<Edit>),
}

/// All operators.
pub const OPERATORS: &[Operator] = &[
    arithmetic::OPERATOR,
    relational::OPERATOR,
    logical::OPERATOR,
    constant::OPERATOR,
    off_by_one::OPERATOR,
    negated_condition::OPERATOR,
    deleted_statement::OPERATOR,
    deleted_assignment::OPERATOR,
    wrong_variable::OPERATOR,
    wrong_index::OPERATOR,
    jump::OPERATOR,
];

/// Replaces the operator sign of a node by each of the signs that stand with it in one of the families.
fn exchange(node: Node<'_>, source: &Source<'_>, families: &[&[&str]], edits: &mut Vec<Edit>) {
    let Some(sign) = node.child_by_field_name("operator") else { return };
    let text = source.text(sign);
    for family in families.iter().filter(|family| family.contains(&text)) {
        edits.extend(family.iter().filter(|other| **other != text).map(|other| Edit::node(sign, *other)));
    }
}
