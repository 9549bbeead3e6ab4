//! The outline of a JavaScript program.
//!
//! A variable counts as readable only where it surely has a value: `var`s, parameters and functions everywhere, `let` and
//! `const` after their declaration in the same function and statement list or one inside it. So no transformation can
//! meet the temporal dead zone.

use std::cell::Cell;
use std::collections::BTreeSet;

use oxc_allocator::Allocator;
use oxc_ast::ast::{
    ArrowFunctionBody, ArrowFunctionExpression, AssignmentPattern, AwaitExpression, BindingPattern,
    BlockStatement, BooleanLiteral, CallExpression, CatchClause, Class, Expression, ExpressionStatement,
    ForInStatement, ForOfStatement, ForStatement, FormalParameters, Function, FunctionBody, IdentifierName,
    MethodDefinition, MethodDefinitionKind, NumericLiteral, ObjectProperty, Program, PropertyKey,
    PropertyKind, Statement as Node, StaticMemberExpression, SwitchCase, VariableDeclaration,
    VariableDeclarationKind, VariableDeclarator, WhileStatement, WithStatement, YieldExpression,
};
use oxc_ast_visit::{Visit, walk};
use oxc_parser::Parser;
use oxc_semantic::{Scoping, SemanticBuilder};
use oxc_span::{GetSpan as _, SourceType, Span};
use oxc_syntax::scope::{ScopeFlags, ScopeId};
use oxc_syntax::symbol::{SymbolFlags, SymbolId};

use crate::error::{Error, Result};
use crate::outline::{Gap, Joint, Literal, Outline, ParameterSite, Statement};

/// Names whose assignment or meaning is special.
const SPECIAL: [&str; 5] = ["undefined", "NaN", "Infinity", "arguments", "eval"];

/// Reads a classic script.
pub(crate) fn outline(source: &str) -> Result<Outline> {
    let allocator = Allocator::default();
    let parsed = Parser::new(&allocator, source, SourceType::script()).parse();
    if parsed.panicked || !parsed.diagnostics.is_empty() {
        let words =
            parsed.diagnostics.iter().next().map_or_else(|| "unknown".to_owned(), ToString::to_string);
        return Err(Error::Program(words));
    }
    let semantic = SemanticBuilder::new().build(&parsed.program).semantic;
    let mut reader = Reader {
        source,
        scoping: semantic.scoping(),
        outline: Outline::default(),
        scopes: Vec::new(),
        functions: Vec::new(),
        ready: BTreeSet::new(),
        in_parameters: 0,
        fixed_text: BTreeSet::new(),
        called: BTreeSet::new(),
        measured: BTreeSet::new(),
    };
    reader.visit_program(&parsed.program);
    let mut outline = reader.outline;
    outline.joints.sort_unstable();
    let scoping = semantic.scoping();
    outline.lexical.extend(
        scoping
            .symbol_ids()
            .filter(|&symbol| is_lexical(scoping.symbol_flags(symbol)))
            .map(|symbol| (scoping.symbol_name(symbol).to_owned(), scoping.symbol_span(symbol).end as usize)),
    );
    let unused = scoping.symbol_ids().filter(|&symbol| scoping.get_resolved_reference_ids(symbol).is_empty());
    outline.unused.extend(unused.map(|symbol| scoping.symbol_name(symbol).to_owned()));
    outline.reads_arity |= reader.called.intersection(&reader.measured).next().is_some();
    Ok(outline)
}

struct Reader<'s> {
    source: &'s str,
    scoping: &'s Scoping,
    outline: Outline,
    scopes: Vec<ScopeId>,
    functions: Vec<Span>,
    /// `let` and `const` variables whose declaration has been passed in the current function.
    ready: BTreeSet<SymbolId>,
    in_parameters: usize,
    /// Starts of literals that must keep their text.
    fixed_text: BTreeSet<u32>,
    /// Names that are called, and names whose `length` is read.
    called: BTreeSet<String>,
    measured: BTreeSet<String>,
}

impl Reader<'_> {
    /// The variables that code at this place can see, as a gap without its place.
    fn variables(&self) -> Gap {
        let mut gap = Gap {
            offset: 0,
            new_line_first: false,
            readable: Vec::new(),
            assignable: Vec::new(),
            mentionable: Vec::new(),
            local: Vec::new(),
            enclosing: Vec::new(),
        };
        let mut seen = BTreeSet::new();
        let Some(&scope) = self.scopes.last() else { return gap };
        let mut functions_left = 0;
        for scope in self.scoping.scope_ancestors(scope) {
            let flags = self.scoping.scope_flags(scope);
            for (name, &symbol) in self.scoping.get_bindings(scope) {
                let name = name.as_str();
                if !seen.insert(name.to_owned()) || SPECIAL.contains(&name) {
                    continue;
                }
                let symbol_flags = self.scoping.symbol_flags(symbol);
                gap.mentionable.push(name.to_owned());
                // Variables of the whole program live in no frame: nothing can capture them.
                if !flags.contains(ScopeFlags::Top) {
                    if functions_left == 0 { &mut gap.local } else { &mut gap.enclosing }
                        .push(name.to_owned());
                }
                let known = if is_lexical(symbol_flags) {
                    self.ready.contains(&symbol)
                } else {
                    symbol_flags.intersects(
                        SymbolFlags::FunctionScopedVariable
                            | SymbolFlags::CatchVariable
                            | SymbolFlags::Function,
                    )
                };
                if known && self.in_parameters == 0 {
                    gap.readable.push(name.to_owned());
                    let fixed = SymbolFlags::ConstVariable | SymbolFlags::Class | SymbolFlags::Function;
                    if !symbol_flags.intersects(fixed) {
                        gap.assignable.push(name.to_owned());
                    }
                }
            }
            functions_left += usize::from(flags.contains(ScopeFlags::Function));
        }
        for names in
            [&mut gap.readable, &mut gap.assignable, &mut gap.mentionable, &mut gap.local, &mut gap.enclosing]
        {
            names.sort();
        }
        gap
    }

    fn gap(&mut self, offset: u32, new_line_first: bool) {
        let gap = Gap { offset: offset as usize, new_line_first, ..self.variables() };
        self.outline.gaps.push(gap);
    }

    /// A list of statements that ends before the byte `end`; `switch` lists share one scope in which a jump can skip
    /// declarations.
    fn list<'a>(&mut self, statements: &[Node<'a>], end: Option<u32>, in_switch: bool)
    where
        Self: Visit<'a>,
    {
        let before = self.ready.clone();
        for statement in statements {
            let span = statement.span();
            self.gap(span.start, false);
            self.outline.statements.push(Statement {
                range: span.start as usize..span.end as usize,
                declares: declares(statement),
                function: self.functions.last().map(|span| span.start as usize..span.end as usize),
            });
            self.visit_statement(statement);
            if let Node::VariableDeclaration(declaration) = statement {
                self.note_lexical(declaration);
                if !in_switch {
                    self.mark_ready(declaration);
                }
            }
        }
        if let Some(end) = end {
            self.gap(end, true);
        }
        self.ready = before;
    }

    fn loop_body(&mut self, body: &Node<'_>) {
        let starts: Vec<u32> = match body {
            Node::BlockStatement(block) => {
                block.body.iter().map(|statement| statement.span().start).collect()
            }
            single => vec![single.span().start],
        };
        self.outline.joints.extend(starts.into_iter().map(|start| (start as usize, Joint::Body)));
    }

    fn note_lexical(&mut self, declaration: &VariableDeclaration<'_>) {
        if declaration.kind == VariableDeclarationKind::Var {
            return;
        }
        let end = declaration.span.end as usize;
        for declarator in &declaration.declarations {
            let names = declarator.id.get_binding_identifiers();
            self.outline.lexical.extend(names.into_iter().map(|name| (name.name.to_string(), end)));
        }
    }

    fn mark_ready(&mut self, declaration: &VariableDeclaration<'_>) {
        if declaration.kind == VariableDeclarationKind::Var {
            return;
        }
        for declarator in &declaration.declarations {
            bound(&declarator.id, &mut |symbol| {
                self.ready.insert(symbol);
            });
        }
    }

    fn function_body<'a>(&mut self, body: &FunctionBody<'a>)
    where
        Self: Visit<'a>,
    {
        let range = body.span.start as usize + 1..(body.span.end as usize).saturating_sub(1);
        self.outline.joints.push((range.end, Joint::End));
        self.outline.blocks.push(range);
        let outer = std::mem::take(&mut self.ready);
        let parameters = std::mem::take(&mut self.in_parameters);
        self.list(&body.statements, Some(body.span.end - 1), false);
        self.in_parameters = parameters;
        self.ready = outer;
    }

    fn parameter_site(&mut self, parameters: &FormalParameters<'_>) {
        let open = parameters.span.start as usize;
        if parameters.rest.is_some() || self.source.as_bytes().get(open) != Some(&b'(') {
            return;
        }
        let site = match parameters.items.last() {
            Some(last) => ParameterSite { offset: last.span.end as usize, after_another: true },
            None => ParameterSite { offset: open + 1, after_another: false },
        };
        self.outline.parameters.push(site);
    }
}

impl<'a> Visit<'a> for Reader<'_> {
    fn enter_scope(&mut self, flags: ScopeFlags, scope_id: &Cell<Option<ScopeId>>) {
        if flags.contains(ScopeFlags::With) {
            self.outline.dynamic_scope = true;
        }
        if let Some(scope) = scope_id.get().or_else(|| self.scopes.last().copied()) {
            self.scopes.push(scope);
        }
    }

    fn leave_scope(&mut self) {
        self.scopes.pop();
    }

    fn visit_program(&mut self, program: &Program<'a>) {
        self.enter_scope(ScopeFlags::Top, &program.scope_id);
        let end = program.span.end;
        self.list(&program.body, Some(end), false);
        self.leave_scope();
    }

    fn visit_statement(&mut self, statement: &Node<'a>) {
        self.outline.starts.push(statement.span().start as usize);
        walk::walk_statement(self, statement);
    }

    fn visit_expression_statement(&mut self, statement: &ExpressionStatement<'a>) {
        // A parenthesis at the start of a statement could be taken for a call of the line before.
        self.fixed_text.insert(statement.span.start);
        walk::walk_expression_statement(self, statement);
    }

    fn visit_block_statement(&mut self, block: &BlockStatement<'a>) {
        self.enter_scope(ScopeFlags::empty(), &block.scope_id);
        self.outline.blocks.push(block.span.start as usize + 1..block.span.end as usize - 1);
        self.list(&block.body, Some(block.span.end - 1), false);
        self.leave_scope();
    }

    fn visit_switch_case(&mut self, case: &SwitchCase<'a>) {
        if let Some(test) = &case.test {
            self.visit_expression(test);
        }
        self.list(&case.consequent, None, true);
    }

    fn visit_with_statement(&mut self, statement: &WithStatement<'a>) {
        self.outline.dynamic_scope = true;
        walk::walk_with_statement(self, statement);
    }

    fn visit_function(&mut self, function: &Function<'a>, flags: ScopeFlags) {
        self.functions.push(function.span);
        if !flags.intersects(ScopeFlags::GetAccessor | ScopeFlags::SetAccessor) {
            self.parameter_site(&function.params);
        }
        walk::walk_function(self, function, flags);
        self.functions.pop();
    }

    fn visit_formal_parameters(&mut self, parameters: &FormalParameters<'a>) {
        for item in &parameters.items {
            let given = item.initializer.as_ref().map(|value| value.span().start as usize);
            self.outline.joints.extend(given.map(|start| (start, Joint::Default)));
            // A plain name is bound before any code runs.
            if !matches!(item.pattern, BindingPattern::BindingIdentifier(_)) {
                let names = item.pattern.get_binding_identifiers();
                let joints = names.into_iter().map(|name| (name.span.start as usize, Joint::Parameter));
                self.outline.joints.extend(joints);
            }
        }
        self.in_parameters += 1;
        walk::walk_formal_parameters(self, parameters);
        self.in_parameters -= 1;
    }

    fn visit_function_body(&mut self, body: &FunctionBody<'a>) {
        self.function_body(body);
    }

    fn visit_arrow_function_expression(&mut self, arrow: &ArrowFunctionExpression<'a>) {
        self.functions.push(arrow.span);
        self.parameter_site(&arrow.params);
        let outer = std::mem::take(&mut self.ready);
        walk::walk_arrow_function_expression(self, arrow);
        self.ready = outer;
        self.functions.pop();
    }

    fn visit_arrow_function_body(&mut self, body: &ArrowFunctionBody<'a>) {
        let parameters = std::mem::take(&mut self.in_parameters);
        walk::walk_arrow_function_body(self, body);
        self.in_parameters = parameters;
    }

    fn visit_method_definition(&mut self, method: &MethodDefinition<'a>) {
        let accessor = matches!(method.kind, MethodDefinitionKind::Get | MethodDefinitionKind::Set);
        let sites = self.outline.parameters.len();
        walk::walk_method_definition(self, method);
        if accessor {
            drop_site(&mut self.outline, sites, method.value.params.span);
        }
    }

    fn visit_object_property(&mut self, property: &ObjectProperty<'a>) {
        if let (PropertyKey::NumericLiteral(key), false) = (&property.key, property.computed) {
            self.fixed_text.insert(key.span.start);
        }
        let sites = self.outline.parameters.len();
        walk::walk_object_property(self, property);
        if let (true, Expression::FunctionExpression(function)) =
            (property.kind != PropertyKind::Init, &property.value)
        {
            drop_site(&mut self.outline, sites, function.params.span);
        }
    }

    fn visit_property_key(&mut self, key: &PropertyKey<'a>) {
        if let PropertyKey::NumericLiteral(key) = key {
            self.fixed_text.insert(key.span.start);
        }
        walk::walk_property_key(self, key);
    }

    fn visit_yield_expression(&mut self, expression: &YieldExpression<'a>) {
        self.outline.joints.push((expression.span.start as usize, Joint::Suspension));
        walk::walk_yield_expression(self, expression);
    }

    fn visit_await_expression(&mut self, expression: &AwaitExpression<'a>) {
        self.outline.joints.push((expression.span.start as usize, Joint::Suspension));
        walk::walk_await_expression(self, expression);
    }

    fn visit_for_of_statement(&mut self, statement: &ForOfStatement<'a>) {
        self.loop_body(&statement.body);
        let parts = [statement.left.span().start, statement.right.span().start];
        self.outline.joints.extend(parts.map(|start| (start as usize, Joint::Loop)));
        walk::walk_for_of_statement(self, statement);
    }

    fn visit_for_in_statement(&mut self, statement: &ForInStatement<'a>) {
        self.loop_body(&statement.body);
        let parts = [statement.left.span().start, statement.right.span().start];
        self.outline.joints.extend(parts.map(|start| (start as usize, Joint::Loop)));
        walk::walk_for_in_statement(self, statement);
    }

    fn visit_catch_clause(&mut self, clause: &CatchClause<'a>) {
        let parameter = clause.param.iter().map(|parameter| parameter.span.start);
        let inside = clause.body.body.iter().map(|statement| statement.span().start);
        self.outline.joints.extend(parameter.chain(inside).map(|start| (start as usize, Joint::Catch)));
        walk::walk_catch_clause(self, clause);
    }

    fn visit_variable_declarator(&mut self, declarator: &VariableDeclarator<'a>) {
        if !matches!(declarator.id, BindingPattern::BindingIdentifier(_)) {
            let names = declarator.id.get_binding_identifiers();
            let joints = names.into_iter().map(|name| (name.span.start as usize, Joint::Pattern));
            self.outline.joints.extend(joints);
        }
        walk::walk_variable_declarator(self, declarator);
    }

    fn visit_assignment_pattern(&mut self, pattern: &AssignmentPattern<'a>) {
        self.outline.joints.push((pattern.right.span().start as usize, Joint::Default));
        walk::walk_assignment_pattern(self, pattern);
    }

    fn visit_for_statement(&mut self, statement: &ForStatement<'a>) {
        self.loop_body(&statement.body);
        let parts = [statement.test.as_ref(), statement.update.as_ref()];
        let starts = parts.into_iter().flatten().map(|part| part.span().start as usize);
        self.outline.joints.extend(starts.map(|start| (start, Joint::Loop)));
        walk::walk_for_statement(self, statement);
    }

    fn visit_while_statement(&mut self, statement: &WhileStatement<'a>) {
        self.loop_body(&statement.body);
        walk::walk_while_statement(self, statement);
    }

    fn visit_class(&mut self, class: &Class<'a>) {
        self.outline.joints.push((class.span.start as usize, Joint::Class));
        walk::walk_class(self, class);
    }

    fn visit_numeric_literal(&mut self, literal: &NumericLiteral<'a>) {
        let text = &self.source[literal.span.start as usize..literal.span.end as usize];
        let plain = !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit());
        let octal = text.len() > 1 && text.starts_with('0');
        if plain && !octal && literal.value < 1e9 && !self.fixed_text.contains(&literal.span.start) {
            self.outline.integers.push(Literal {
                range: literal.span.start as usize..literal.span.end as usize,
                value: literal.value as u64,
                readable: Vec::new(),
                enclosing: Vec::new(),
            });
        }
    }

    fn visit_boolean_literal(&mut self, literal: &BooleanLiteral) {
        if !self.fixed_text.contains(&literal.span.start) {
            let Gap { readable, enclosing, .. } = self.variables();
            self.outline.booleans.push(Literal {
                range: literal.span.start as usize..literal.span.end as usize,
                value: literal.value,
                readable,
                enclosing,
            });
        }
    }

    fn visit_call_expression(&mut self, call: &CallExpression<'a>) {
        match &call.callee {
            Expression::Identifier(callee) => {
                if callee.name == "eval" {
                    self.outline.dynamic_scope = true;
                }
                self.called.insert(callee.name.to_string());
            }
            Expression::StaticMemberExpression(member) => {
                if let Expression::Identifier(object) = &member.object
                    && matches!(member.property.name.as_str(), "call" | "apply" | "bind")
                {
                    self.called.insert(object.name.to_string());
                }
            }
            _ => {}
        }
        walk::walk_call_expression(self, call);
    }

    fn visit_static_member_expression(&mut self, member: &StaticMemberExpression<'a>) {
        if member.property.name == "length" {
            match &member.object {
                Expression::Identifier(object) => {
                    self.measured.insert(object.name.to_string());
                }
                // `this.length`, `f.g.length`: whether that is a function cannot be told from the text.
                Expression::FunctionExpression(_) | Expression::ArrowFunctionExpression(_) => {
                    self.outline.reads_arity = true;
                }
                _ => {}
            }
        }
        walk::walk_static_member_expression(self, member);
    }

    fn visit_identifier_name(&mut self, name: &IdentifierName<'a>) {
        if matches!(name.name.as_str(), "stack" | "callee" | "lineNumber" | "captureStackTrace" | "toSource")
        {
            self.outline.reads_source = true;
        }
    }
}

/// Whether a variable has no value before its declaration runs.
fn is_lexical(flags: SymbolFlags) -> bool {
    flags.intersects(SymbolFlags::BlockScopedVariable | SymbolFlags::Class)
        && !flags.contains(SymbolFlags::FunctionScopedVariable)
}

/// Forgets the parameter site of an accessor, which must keep its parameters.
fn drop_site(outline: &mut Outline, from: usize, parameters: Span) {
    let inside =
        |site: &ParameterSite| (parameters.start as usize..=parameters.end as usize).contains(&site.offset);
    if let Some(index) = (from..outline.parameters.len()).find(|&index| inside(&outline.parameters[index])) {
        outline.parameters.remove(index);
    }
}

/// Whether a statement declares something that reaches beyond it: any declaration, or a `var` or function inside blocks.
fn declares(statement: &Node<'_>) -> bool {
    struct Finder(bool);
    impl<'a> Visit<'a> for Finder {
        fn visit_variable_declaration(&mut self, declaration: &VariableDeclaration<'a>) {
            self.0 |= declaration.kind == VariableDeclarationKind::Var;
            walk::walk_variable_declaration(self, declaration);
        }
        fn visit_function(&mut self, function: &Function<'a>, _: ScopeFlags) {
            self.0 |= function.is_declaration();
        }
        fn visit_arrow_function_expression(&mut self, _: &ArrowFunctionExpression<'a>) {}
    }
    let mut finder = Finder(matches!(
        statement,
        Node::VariableDeclaration(_) | Node::FunctionDeclaration(_) | Node::ClassDeclaration(_)
    ));
    finder.visit_statement(statement);
    finder.0
}

/// Calls back with every variable that a pattern binds.
fn bound(pattern: &BindingPattern<'_>, found: &mut dyn FnMut(SymbolId)) {
    for identifier in pattern.get_binding_identifiers() {
        if let Some(symbol) = identifier.symbol_id.get() {
            found(symbol);
        }
    }
}
