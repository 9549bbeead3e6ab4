//! One group watched closely: which instruction depends on which, what was written by whom, and the rows of a failure report.

use std::collections::BTreeSet;
use std::ops::Range;
use std::sync::Arc;

use twinrun_base::{Case, Limits, Verdict};
use twinrun_interp::code::Code;
use twinrun_interp::group::{Observation, Prepared, run_group};
use twinrun_interp::instr::Instr;
use twinrun_interp::observers::HostCall;
use twinrun_interp::observers::dependence::{Dependence, Event};
use twinrun_interp::{Concrete, Observer, Position, Segment, Touched};
use twinrun_localize::slices::backwards;
use twinrun_testing::engine::Modules;
use twinrun_testing::replay::Replay;

use crate::error::Error;
use crate::prepare::Loaded;

/// Standard output as the interpreter's observers see it.
const STDOUT: u32 = 0xffff_0001;

/// A line of user code: file of the module's table, line.
pub(crate) type Line = (u32, u32);

/// Something that happened in a run.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Happened {
    /// A function of user code was entered: its index in the module.
    Entered(u32),
    /// It returned.
    Left(u32),
    /// A branch of the site table was decided.
    Branched { site: u32, outcome: u32 },
}

/// A row before it has words.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Raw {
    pub(crate) event: Event,
    pub(crate) run: u32,
    pub(crate) happened: Happened,
}

/// Where a subject's code can be watched.
pub(crate) struct Watched<'a> {
    modules: &'a Modules,
    prepared: Prepared<Concrete>,
    relation: u32,
}

/// A group that was watched.
pub(crate) struct Traced {
    pub(crate) observation: Observation,
    watcher: Watcher,
}

impl<'a> Watched<'a> {
    pub(crate) fn new(
        modules: &'a Modules,
        loaded: &Loaded,
        relation: &str,
        limits: Limits,
    ) -> Result<Watched<'a>, Error> {
        let mut prepared = Prepared::new(&loaded.relations, limits, &mut Concrete)?;
        for (name, program) in &loaded.programs {
            prepared = prepared.with_program(name, Arc::clone(program));
        }
        let relation = prepared.relation(relation)?;
        Ok(Watched { modules, prepared, relation })
    }

    /// The module whose runs are looked into: the program, if there is one.
    pub(crate) fn subject(&self) -> &twinrun_subject::Module {
        self.modules.programs.first().map_or(&self.modules.relations, |(_, program)| program)
    }

    fn is_program(&self) -> bool {
        !self.modules.programs.is_empty()
    }

    /// Runs a case.
    pub(crate) fn run(&self, case: &Case) -> Result<Traced, Error> {
        let mut replay = Replay::default();
        replay.begin(case);
        let subject = self.subject();
        let users = subject.sites.functions.iter().filter(|function| function.user).map(|it| it.index);
        let mut watcher = Watcher::new(self.is_program(), users.collect());
        let observation = run_group(&self.prepared, self.relation, &mut replay, &mut watcher)?;
        Ok(Traced { observation, watcher })
    }

    /// The line of user code that an event of the subject belongs to.
    pub(crate) fn line(&self, traced: &Traced, event: Event) -> Option<Line> {
        let offset = traced.watcher.offsets.get(event as usize).copied().flatten()?;
        let subject = self.subject();
        let place = subject.place_at(offset)?;
        subject.user_file(place.file).then_some((place.file, place.line))
    }

    /// The lines that runs of the relation itself consist of, which are never suspects.
    pub(crate) fn relation_lines(&self) -> Vec<u32> {
        if self.is_program() {
            return Vec::new();
        }
        let files = self.modules.relations.relations.iter().filter_map(|relation| relation.location.as_ref());
        let names: BTreeSet<&String> = files.map(|location| &location.file).collect();
        let all = self.modules.relations.sites.files.iter().enumerate();
        all.filter(|(_, name)| names.contains(name)).map(|(number, _)| number as u32).collect()
    }
}

impl Traced {
    /// The rows of all runs.
    pub(crate) fn rows(&self) -> &[Raw] {
        &self.watcher.rows
    }

    /// The events of a run.
    pub(crate) fn events(&self, run: usize) -> Range<Event> {
        self.watcher.spans.get(run).cloned().unwrap_or(0..0)
    }

    /// The events that wrote the bytes of a run's standard output, in their order.
    pub(crate) fn writers(&self, run: usize) -> Vec<Event> {
        let own = self.watcher.outputs.iter().filter(|(of, _, _)| *of == run as u32);
        let mut bytes: Vec<(u64, Event)> = own.map(|(_, at, writer)| (*at, *writer)).collect();
        bytes.sort_unstable();
        bytes.into_iter().map(|(_, writer)| writer).collect()
    }

    /// The last call of the host in a run.
    pub(crate) fn last_host_call(&self, run: usize) -> Option<Event> {
        let events = self.events(run);
        let calls = self.watcher.dependence.host_calls.iter().rev();
        calls.map(|(event, _)| *event).find(|event| events.contains(event))
    }

    /// The last call of the host at all: the check that failed, when one did.
    pub(crate) fn last_check(&self) -> Option<Event> {
        self.watcher.dependence.host_calls.last().map(|(event, _)| *event)
    }

    /// Everything that some events depend on.
    pub(crate) fn slice(&self, starts: &[Event]) -> Vec<bool> {
        backwards(&self.watcher.dependence, starts, |event| self.watcher.frames_only[event as usize])
    }

    /// What the checked outputs depend on: for programs the bytes that they wrote and how they ended, otherwise the checked values.
    pub(crate) fn output_slice(&self, is_program: bool) -> Vec<bool> {
        let mut starts: Vec<Event> = Vec::new();
        if is_program {
            for run in 0..self.watcher.spans.len() {
                starts.extend(self.writers(run));
                starts.extend(self.last_host_call(run));
            }
        } else {
            starts.extend(self.last_check());
        }
        self.slice(&starts)
    }

    /// All that was executed.
    pub(crate) fn everything(&self) -> Vec<bool> {
        vec![true; self.watcher.offsets.len()]
    }

    pub(crate) fn verdict(&self) -> Verdict {
        self.observation.verdict
    }
}

impl Watched<'_> {
    pub(crate) fn runs_programs(&self) -> bool {
        self.is_program()
    }
}

/// The observer.
struct Watcher {
    dependence: Dependence,
    /// For each event the offset of its instruction, where it is one of the subject's module.
    offsets: Vec<Option<u32>>,
    /// Events that only move the pointer of the stack: following them would put every open function into every slice.
    frames_only: Vec<bool>,
    rows: Vec<Raw>,
    spans: Vec<Range<Event>>,
    /// Bytes of standard output: the run, the position, who wrote it.
    outputs: Vec<(u32, u64, Event)>,
    /// Open calls: the instance, and the function if it is user code.
    open: Vec<(u32, Option<u32>)>,
    in_run: bool,
    is_program: bool,
    users: BTreeSet<u32>,
}

impl Watcher {
    fn new(is_program: bool, users: BTreeSet<u32>) -> Watcher {
        Watcher {
            dependence: Dependence::with_potential(),
            offsets: vec![None],
            frames_only: vec![false],
            rows: Vec::new(),
            spans: Vec::new(),
            outputs: Vec::new(),
            open: Vec::new(),
            in_run: false,
            is_program,
            users,
        }
    }

    fn now(&self) -> Event {
        self.offsets.len() as Event - 1
    }

    fn run(&self) -> u32 {
        (self.spans.len() as u32).saturating_sub(1)
    }

    fn is_subject(&self, instance: u32) -> bool {
        (instance > 0) == self.is_program
    }

    fn row(&mut self, happened: Happened) {
        if self.in_run {
            self.rows.push(Raw { event: self.now(), run: self.run(), happened });
        }
    }
}

impl Observer for Watcher {
    const INSTRUCTIONS: bool = true;
    const MEMORY: bool = true;

    fn instruction(&mut self, at: Position, frame: usize, code: &Code, instr: Instr) {
        self.dependence.instruction(at, frame, code, instr);
        let subject = self.open.last().is_some_and(|(instance, _)| self.is_subject(*instance));
        self.offsets.push(subject.then(|| code.offsets[at.pc as usize]));
        // Global 0 of what clang makes is the pointer of the stack in linear memory.
        self.frames_only
            .push(matches!(instr, Instr::GlobalGet { global: 0, .. } | Instr::GlobalSet { global: 0, .. }));
        if self.in_run {
            let now = self.now();
            if let Some(span) = self.spans.last_mut() {
                span.end = now + 1;
            }
        }
    }

    fn branch(&mut self, at: Position, code: &Code, outcome: u32) {
        self.dependence.branch(at, code, outcome);
        let subject = self.open.last().is_some_and(|(instance, _)| self.is_subject(*instance));
        if let (true, Some(site)) = (subject, code.site(at.pc)) {
            self.row(Happened::Branched { site, outcome });
        }
    }

    fn block(&mut self, site: u32) {
        self.dependence.block(site);
    }

    fn access(&mut self, at: Position, touched: Touched) {
        self.dependence.access(at, touched);
    }

    fn enter(&mut self, function: u32, frame: usize, code: &Code, base: u32, instance: u32) {
        self.dependence.enter(function, frame, code, base, instance);
        let user = self.is_subject(instance) && self.users.contains(&code.index);
        self.open.push((instance, user.then_some(code.index)));
        if user {
            self.row(Happened::Entered(code.index));
        }
    }

    fn leave(&mut self, frame: usize, results: u16) {
        self.dependence.leave(frame, results);
        if let Some((_, Some(function))) = self.open.pop() {
            self.row(Happened::Left(function));
        }
    }

    fn host(&mut self, call: &HostCall<'_>) {
        for (index, written) in call.touched.iter().enumerate() {
            if !written.written || written.memory != STDOUT || index == 0 || !self.in_run {
                continue;
            }
            let from = call.touched[index - 1];
            for byte in 0..written.len.min(from.len) {
                let writer = self.dependence.writer(from.memory, from.at + byte);
                self.outputs.push((self.run(), written.at + byte, writer));
            }
        }
        self.dependence.host(call);
    }

    fn segment(&mut self, segment: Segment) {
        self.dependence.segment(segment);
        let next = self.offsets.len() as Event;
        match segment {
            Segment::Begin => {
                self.spans.push(next..next);
                self.in_run = true;
            }
            Segment::Program => {
                if self.in_run {
                    // All that counts of a run is the program that it runs.
                    let run = self.run();
                    self.rows.retain(|row| row.run != run);
                    if let Some(span) = self.spans.last_mut() {
                        *span = next..next;
                    }
                } else {
                    self.spans.push(next..next);
                }
                self.in_run = true;
            }
            Segment::End => self.in_run = false,
        }
    }
}
