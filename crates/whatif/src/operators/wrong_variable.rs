//! A variable is read where another of the same type is meant; at most two alternatives a place.

use super::Operator;
use crate::mutant::Edit;
use crate::source::enclosing;

pub(super) const OPERATOR: Operator = Operator {
    name: "wrong-variable",
    about: "another visible variable of the same type is used (at most two alternatives for each place)",
    propose: |node, source, scope, edits| {
        if node.kind() != "identifier" {
            return;
        }
        let Some(parent) = node.parent() else { return };
        // Only uses: no declarations, no called functions, no field names.
        let declares =
            parent.kind().ends_with("declarator") && parent.child_by_field_name("value") != Some(node);
        let called =
            parent.kind() == "call_expression" && parent.child_by_field_name("function") == Some(node);
        if declares
            || called
            || parent.kind() == "parameter_declaration"
            || enclosing(node, &["compound_statement"]).is_none()
        {
            return;
        }
        let alternatives = scope.alternatives(source.text(node), node.start_byte());
        edits.extend(alternatives.into_iter().take(2).map(|other| Edit::node(node, other)));
    },
};
