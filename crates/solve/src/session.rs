//! A dialogue with one solver process in one logic. Conditions form a stack: what a query shares with the one before it
//! stays asserted, so that a growing path is solved incrementally.

use std::fmt::Write as _;
use std::time::{Duration, Instant};

use rustc_hash::FxHashSet;
use twinrun_base::work::{self, SECOND, price};
use twinrun_term::smt::{Printer, quoted, range_condition};
use twinrun_term::{Evaluation, Model, Node, Symbol, Term, Terms, Theories};

use crate::answer::Reason;
use crate::process::{Broken, Process};
use crate::program::{Kind, Program};
use crate::sexpr::Sexpr;
use crate::spare;

/// The watchdog waits so many times as long as the work should take: a process on a machine that is busy with many others is slow, not
/// hanging.
const SLOWNESS: u32 = 30;

/// A dialogue that has printed this many terms is started afresh: solvers keep every definition.
const MAX_TERMS: usize = 200_000;

/// What one solver says to one query.
#[derive(Clone, Debug)]
pub enum Raw {
    /// Satisfiable; the model is as the solver wrote it.
    Sat(Model),
    /// Unsatisfiable.
    Unsat,
    /// Not decided.
    Unknown(Reason),
}

/// Which kind of queries a dialogue is for. Solvers choose their methods by it.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Logic {
    /// Linear integer arithmetic.
    Integers,
    /// Nonlinear integer arithmetic.
    Polynomials,
    /// Linear reals.
    Reals,
    /// Nonlinear reals.
    RealPolynomials,
    /// Bit-vectors.
    Bits,
    /// Bit-vectors, each query by itself and turned into circuits as a whole: what few large queries need.
    Circuits,
    /// Bit-vectors and arrays.
    Arrays,
    /// Floats with bit-vectors.
    Floats,
    /// Any mixture.
    All,
}

impl Logic {
    /// The narrowest logic for the theories of a query.
    pub fn of(theories: Theories) -> Logic {
        let nonlinear = theories.contains(Theories::NONLINEAR);
        let only = |allowed: Theories| {
            let all = [
                Theories::BITS,
                Theories::INTEGERS,
                Theories::REALS,
                Theories::FLOATS,
                Theories::ARRAYS,
                Theories::FUNCTIONS,
            ];
            all.into_iter().all(|theory| !theories.intersects(theory) || allowed.contains(theory))
        };
        if only(Theories::INTEGERS) {
            if nonlinear { Logic::Polynomials } else { Logic::Integers }
        } else if only(Theories::REALS) {
            if nonlinear { Logic::RealPolynomials } else { Logic::Reals }
        } else if only(Theories::BITS) {
            Logic::Bits
        } else if only(Theories::BITS.union(Theories::ARRAYS)) {
            Logic::Arrays
        } else if only(Theories::BITS.union(Theories::FLOATS)) {
            Logic::Floats
        } else {
            Logic::All
        }
    }

    fn name(self) -> &'static str {
        match self {
            Logic::Integers => "QF_LIA",
            Logic::Polynomials => "QF_NIA",
            Logic::Reals => "QF_LRA",
            Logic::RealPolynomials => "QF_NRA",
            Logic::Bits | Logic::Circuits => "QF_BV",
            Logic::Arrays => "QF_ABV",
            Logic::Floats => "QF_BVFP",
            Logic::All => "ALL",
        }
    }

    /// Solvers handle these better as one whole problem than as a growing stack.
    fn whole(self) -> bool {
        matches!(self, Logic::Circuits | Logic::Floats | Logic::Polynomials | Logic::RealPolynomials)
    }
}

/// The name of the narrowest logic for a conjunction.
pub fn logic(terms: &Terms, conditions: &[Term]) -> &'static str {
    Logic::of(conditions.iter().fold(Theories::default(), |all, &term| all.union(terms.theories(term))))
        .name()
}

/// Something that decides conjunctions.
pub trait Backend {
    /// Decides whether the conditions can hold together, for so much work; charges what it cost.
    fn check(&mut self, terms: &Terms, conditions: &[Term], limit: u64) -> Raw;

    /// The positions of conditions that cannot hold together, as few as the solver finds; nothing when they can or it is
    /// not known.
    fn core(&mut self, terms: &Terms, conditions: &[Term], limit: u64) -> Option<Vec<usize>>;

    /// How often the process behind this had to be replaced.
    fn restarts(&self) -> u64;
}

#[derive(Debug)]
struct Level {
    condition: Term,
    ranged: Vec<Symbol>,
}

/// The dialogue.
#[derive(Debug)]
pub struct Session {
    program: Program,
    logic: Logic,
    memory_megabytes: u64,
    /// How long the watchdog waits at least.
    patience: Duration,
    process: Option<Process>,
    printer: Printer,
    stack: Vec<Level>,
    ranged: FxHashSet<Symbol>,
    /// The resource limit that the process was told last.
    told_limit: Option<u64>,
    /// What the process's resource counter said last.
    used: u64,
    restarts: u64,
}

impl Session {
    /// A dialogue that starts its process when it is first asked.
    pub fn new(program: Program, logic: Logic, memory_megabytes: u64, patience: Duration) -> Self {
        Session {
            program,
            logic,
            memory_megabytes,
            patience,
            process: None,
            printer: Printer::new(),
            stack: Vec::new(),
            ranged: FxHashSet::default(),
            told_limit: None,
            used: 0,
            restarts: 0,
        }
    }

    fn header(&self) -> String {
        let mut text = String::from("(set-option :print-success false)\n(set-option :produce-models true)\n");
        // Definitions outlive the scope that first needed them.
        text.push_str("(set-option :global-declarations true)\n");
        if self.program.kind == Kind::Z3 {
            // As it is by default; said, because answers depend on it.
            text.push_str("(set-option :smt.random_seed 0)\n(set-option :sat.random_seed 0)\n");
        }
        if self.program.kind == Kind::Z3 && matches!(self.logic, Logic::Integers | Logic::Reals) {
            // The newer arithmetic does most of its work uncounted: a unit of it took from 0.07 to 7 µs (cuts, large numbers), of this one
            // never more than 0.3.
            text.push_str("(set-option :smt.arith.solver 2)\n");
        }
        if self.program.kind == Kind::Z3 && self.logic == Logic::Integers {
            // Path conditions are conjunctions: nothing is irrelevant in them.
            text.push_str("(set-option :smt.relevancy 0)\n");
        }
        let _ = writeln!(text, "(set-logic {})", self.logic.name());
        text
    }

    fn forget(&mut self) {
        self.printer = Printer::new();
        self.stack.clear();
        self.ranged.clear();
        self.told_limit = None;
        self.used = 0;
    }

    fn stop(&mut self) {
        if self.process.take().is_some() {
            self.restarts += 1;
        }
        self.forget();
    }

    fn ready(&mut self, out: &mut String) -> Result<(), Broken> {
        if self.printer.len() > MAX_TERMS && self.process.is_some() {
            self.process = None;
            self.forget();
        }
        if self.process.is_none() {
            self.forget();
            let spare = spare::take(&self.program, self.memory_megabytes, self.logic);
            self.process = Some(match spare {
                Some(process) => process,
                None => Process::start(&self.program, self.memory_megabytes)?,
            });
            out.push_str(&self.header());
        } else if self.logic.whole() {
            self.forget();
            out.push_str("(reset)\n");
            out.push_str(&self.header());
        }
        Ok(())
    }

    /// Brings the stack of asserted conditions to `conditions`.
    fn assert_all(&mut self, terms: &Terms, conditions: &[Term], out: &mut String) {
        let shared = self
            .stack
            .iter()
            .zip(conditions)
            .take_while(|(level, condition)| level.condition == **condition)
            .count();
        if self.stack.len() > shared {
            let _ = writeln!(out, "(pop {})", self.stack.len() - shared);
            for level in self.stack.drain(shared..) {
                for symbol in level.ranged {
                    self.ranged.remove(&symbol);
                }
            }
        }
        for &condition in &conditions[shared..] {
            if !self.logic.whole() {
                out.push_str("(push 1)\n");
            }
            let expression = self.printer.expression(terms, condition, out);
            let mut ranged = Vec::new();
            for &symbol in terms.free_symbols(condition) {
                if self.ranged.insert(symbol) {
                    ranged.push(symbol);
                    if let Some(range) = range_condition(terms, symbol) {
                        let _ = writeln!(out, "(assert {range})");
                    }
                }
            }
            if terms.theories(condition).contains(Theories::FLOAT_BITS) {
                for side in self.printer.side_conditions(terms, condition, out) {
                    let _ = writeln!(out, "(assert {side})");
                }
            }
            let _ = writeln!(out, "(assert {expression})");
            self.stack.push(Level { condition, ranged });
        }
    }

    /// Limits what the next query may cost, in the solver's own units. Z3 counts from the start of each `check-sat`, so the limit is the
    /// query's alone.
    fn set_limit(&mut self, limit: u64, out: &mut String) {
        if self.program.kind != Kind::Z3 {
            return;
        }
        // In steps, so that the option is not sent anew with every query. The number is 32 bits wide there.
        let units = (limit / self.price()).clamp(1000, 1 << 31);
        let step = 1u64 << units.ilog2();
        if self.told_limit != Some(step) {
            let _ = writeln!(out, "(set-option :rlimit {step})");
            self.told_limit = Some(step);
        }
    }

    /// What a unit of the solver's counter costs. Turned into circuits, products of doubles make each one take about four times as long as elsewhere: 0.6 to 0.9 µs.
    fn price(&self) -> u64 {
        if self.logic == Logic::Floats { 4 * price::RESOURCE } else { price::RESOURCE }
    }

    /// How the question is put. Z3's own strategies for products try several methods for so many seconds each; the answer would depend on
    /// the machine, so one method without a clock is named instead.
    fn question(&self) -> &'static str {
        match self.logic {
            Logic::Polynomials if self.program.kind == Kind::Z3 => {
                "(check-sat-using (then simplify propagate-values solve-eqs simplify smt))\n"
            }
            Logic::RealPolynomials if self.program.kind == Kind::Z3 => {
                "(check-sat-using (then simplify purify-arith propagate-values solve-eqs elim-uncnstr simplify nlsat))\n"
            }
            Logic::Circuits if self.program.kind == Kind::Z3 => "(check-sat-using qfbv)\n",
            _ => "(check-sat)\n",
        }
    }

    /// Asks what the last question cost, for [`Session::charge`].
    fn ask_cost(&self, out: &mut String) {
        if self.program.kind == Kind::Z3 {
            out.push_str("(get-info :rlimit)\n");
        }
    }

    /// Reads what the last question cost, and charges it.
    fn charge(&mut self, deadline: Instant) -> Result<(), Broken> {
        work::charge(price::QUERY);
        if self.program.kind != Kind::Z3 {
            return Ok(());
        }
        let answer = self.ask("", deadline)?;
        let now = answer.list().and_then(|parts| parts.get(1)).and_then(Sexpr::atom);
        let now: u64 = now.and_then(|number| number.parse().ok()).unwrap_or(0);
        // It begins anew with a reset.
        let units = if now >= self.used { now - self.used } else { now };
        self.used = now;
        work::charge(units * self.price());
        Ok(())
    }

    fn ask(&mut self, text: &str, deadline: Instant) -> Result<Sexpr, Broken> {
        let Some(process) = &mut self.process else { return Err(Broken::Ended("not started".to_owned())) };
        process.write(text, deadline)?;
        process.read(deadline)
    }

    fn try_check(&mut self, terms: &Terms, conditions: &[Term], limit: u64) -> Result<Raw, Broken> {
        let deadline = watchdog(limit, self.patience);
        let mut out = String::new();
        self.ready(&mut out)?;
        self.set_limit(limit, &mut out);
        self.assert_all(terms, conditions, &mut out);
        out.push_str(self.question());
        self.ask_cost(&mut out);
        let answer = self.ask(&out, deadline)?;
        self.charge(deadline)?;
        match answer.atom() {
            Some("sat") => Ok(Raw::Sat(self.read_model(terms, conditions, deadline)?)),
            Some("unsat") => Ok(Raw::Unsat),
            Some("unknown") => {
                let reason = self.ask("(get-info :reason-unknown)\n", deadline)?;
                let words = reason.list().and_then(|parts| parts.get(1)).map(|words| format!("{words:?}"));
                let words = words.unwrap_or_default();
                let late = ["timeout", "canceled", "resource"].iter().any(|word| words.contains(word));
                Ok(Raw::Unknown(if late { Reason::Limit } else { Reason::GaveUp(words) }))
            }
            _ => Err(Broken::Ended(format!("{answer:?}"))),
        }
    }

    fn read_model(&mut self, terms: &Terms, conditions: &[Term], deadline: Instant) -> Result<Model, Broken> {
        let mut symbols: Vec<Symbol> =
            conditions.iter().flat_map(|&condition| terms.free_symbols(condition)).copied().collect();
        symbols.sort_unstable();
        symbols.dedup();
        let mut model = Model::new();
        if !symbols.is_empty() {
            let names: Vec<String> =
                symbols.iter().map(|&symbol| quoted(&terms.symbol_info(symbol).name)).collect();
            let answer = self.ask(&format!("(get-value ({}))\n", names.join(" ")), deadline)?;
            for (&symbol, pair) in symbols.iter().zip(answer.list().unwrap_or_default()) {
                let value = pair.list().and_then(|pair| pair.get(1));
                if let Some(value) = value.and_then(|value| value.value(terms.symbol_info(symbol).sort)) {
                    model.set(symbol, value);
                }
            }
        }
        let theories =
            conditions.iter().fold(Theories::default(), |all, &term| all.union(terms.theories(term)));
        if theories.contains(Theories::FUNCTIONS) {
            self.read_functions(terms, conditions, &mut model, deadline)?;
        }
        Ok(model)
    }

    /// The table of every function, at the arguments that occur.
    fn read_functions(
        &mut self,
        terms: &Terms,
        conditions: &[Term],
        model: &mut Model,
        deadline: Instant,
    ) -> Result<(), Broken> {
        for term in terms.post_order(conditions, |_| false) {
            let Node::Apply(function, parts) = terms.node(term) else { continue };
            let mut definitions = String::new();
            let expression = self.printer.expression(terms, term, &mut definitions);
            let answer = self.ask(&format!("{definitions}(get-value ({expression}))\n"), deadline)?;
            let pair = answer.list().and_then(|pairs| pairs.first()).and_then(Sexpr::list);
            let value = pair.and_then(|pair| pair.get(1)).and_then(|value| value.value(terms.sort(term)));
            let evaluation = Evaluation::new(model.clone());
            let arguments: Option<Vec<_>> = parts.iter().map(|&part| evaluation.value(terms, part)).collect();
            if let (Some(value), Some(arguments)) = (value, arguments) {
                model.set_function(*function, arguments, value);
            }
        }
        Ok(())
    }

    fn try_core(
        &mut self,
        terms: &Terms,
        conditions: &[Term],
        limit: u64,
    ) -> Result<Option<Vec<usize>>, Broken> {
        let deadline = watchdog(limit, self.patience);
        // A dialogue of its own: asking for cores slows all other queries down.
        self.process = None;
        let mut out = String::from("(set-option :produce-unsat-assumptions true)\n");
        self.ready(&mut out)?;
        self.set_limit(limit, &mut out);
        let mut names = Vec::new();
        let mut ranged = FxHashSet::default();
        for (position, &condition) in conditions.iter().enumerate() {
            let expression = self.printer.expression(terms, condition, &mut out);
            for &symbol in terms.free_symbols(condition) {
                if ranged.insert(symbol)
                    && let Some(range) = range_condition(terms, symbol)
                {
                    let _ = writeln!(out, "(assert {range})");
                }
            }
            for side in self.printer.side_conditions(terms, condition, &mut out) {
                let _ = writeln!(out, "(assert {side})");
            }
            let name = format!("$a{position}");
            let _ = writeln!(out, "(declare-const {name} Bool)\n(assert (=> {name} {expression}))");
            names.push(name);
        }
        let _ = writeln!(out, "(check-sat-assuming ({}))", names.join(" "));
        self.ask_cost(&mut out);
        let answer = self.ask(&out, deadline)?;
        self.charge(deadline)?;
        if answer.atom() != Some("unsat") {
            return Ok(None);
        }
        let core = self.ask("(get-unsat-assumptions)\n", deadline)?;
        let of_name = |part: &Sexpr| names.iter().position(|name| part.atom() == Some(name));
        Ok(core.list().map(|parts| parts.iter().filter_map(of_name).collect()))
    }
}

impl Drop for Session {
    fn drop(&mut self) {
        // After an error there is no process: one that is there has answered everything.
        if let Some(process) = self.process.take() {
            spare::give(&self.program, self.memory_megabytes, self.logic, process);
        }
    }
}

/// When the watchdog ends a query that may cost so much.
fn watchdog(limit: u64, patience: Duration) -> Instant {
    let usual = Duration::from_secs_f64(limit as f64 / SECOND as f64);
    Instant::now() + (usual * SLOWNESS).clamp(patience, 10 * patience)
}

impl Backend for Session {
    fn check(&mut self, terms: &Terms, conditions: &[Term], limit: u64) -> Raw {
        let mut last = String::new();
        // A process that dies is replaced once: it may have died of what came before.
        for _ in 0..2 {
            match self.try_check(terms, conditions, limit) {
                Ok(raw) => return raw,
                Err(Broken::Late) => {
                    self.stop();
                    return Raw::Unknown(Reason::Watchdog);
                }
                Err(Broken::Cut) => {
                    self.stop();
                    return Raw::Unknown(Reason::Spent);
                }
                Err(Broken::Ended(words)) => {
                    self.stop();
                    last = words;
                }
            }
        }
        Raw::Unknown(Reason::Died(last))
    }

    fn core(&mut self, terms: &Terms, conditions: &[Term], limit: u64) -> Option<Vec<usize>> {
        let core = self.try_core(terms, conditions, limit).ok().flatten();
        self.process = None;
        self.forget();
        core
    }

    fn restarts(&self) -> u64 {
        self.restarts
    }
}
