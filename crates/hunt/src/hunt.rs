//! The whole hunt: test, explain, prove, show; every step journalled and told.

use std::path::PathBuf;
use std::sync::Mutex;
use std::time::Duration;

use twinrun_base::{Cause, Cut, Finding, Hash, Report, Verdict, cut};
use twinrun_campaign::{Campaign, Config as Workers, Context, Event, Halt, What as Happened};
use twinrun_solve::Program;

use crate::apart::Away;
use crate::budget;
use crate::combined::Combined;
use crate::error::Error;
use crate::model::Weights;
use crate::outcome::{CaseFile, Hunt, Notice, Proof, Said, Stage, VERSION};
use crate::repairs;
use crate::state::{Stored, path};
use crate::subject::Subject;
use crate::tasks::{self, ALGORITHM, Answer, Task, What};

/// How to hunt.
#[derive(Clone, Debug)]
pub struct Config {
    /// The project's name.
    pub project: String,
    /// The project's folder.
    pub folder: PathBuf,
    /// Its folder for what tools keep: saved cases, the journal, what the hunt knows.
    pub cache: PathBuf,
    /// The version of Twinrun.
    pub version: String,
    /// The seed.
    pub seed: u64,
    /// Cases for each relation in one round.
    pub cases: u64,
    /// How much of everything: rounds of testing, and the work of explanations.
    pub effort: u64,
    /// Threads; 0 for one on each core.
    pub jobs: usize,
    /// Run the checked build too.
    pub checked: bool,
    /// Forget an interrupted hunt.
    pub fresh: bool,
    /// The solver, or why there is none.
    pub solver: Result<Program, String>,
    /// Prove relations that were not violated, where that is quick.
    pub prove_others: bool,
    /// Tell where a fault would go unnoticed.
    pub score: bool,
    /// How much each kind of evidence counts.
    pub weights: Weights,
    /// Texts of sources that no repair may give: a study must not find what it took away.
    pub forbidden: Vec<String>,
    /// Findings that are known already and are left out.
    pub baseline: Vec<Hash>,
    /// Who runs pieces of it elsewhere.
    pub away: Option<Away>,
}

impl Config {
    fn workers(&self) -> usize {
        match self.jobs {
            0 => std::thread::available_parallelism().map_or(1, usize::from),
            jobs => jobs,
        }
    }
}

/// Something that happened, for progress and for results as they come.
pub enum News<'a> {
    /// From the campaign.
    Event(&'a Event),
    /// A result, in one line.
    Line(String),
}

/// Hunts in all subjects.
///
/// # Errors
/// When another hunt uses the folder, or an engine or the disk fails; what the subjects do is in the answer.
pub fn hunt(
    subjects: &[Subject<'_>],
    config: &Config,
    tell: &mut dyn FnMut(News<'_>),
) -> Result<Hunt, Error> {
    let mut campaign =
        Campaign::open(config.cache.join("hunt.journal"), "hunt").map_err(|error| match error {
            twinrun_campaign::Error::Locked { holder, .. } => {
                Error::Busy { folder: config.cache.clone(), holder: holder.to_string() }
            }
            other => other.into(),
        })?;
    if config.fresh {
        campaign.forget()?;
    }
    let mut chase = Chase { subjects, config, hunt: beginning(subjects, config), deferred: None };
    let resumed = campaign.recorded()?.len();
    if resumed > 0 {
        tell(News::Line(format!("resumed an interrupted hunt: {resumed} steps were already done")));
    }
    chase.save()?;
    let tests = chase.tests()?;
    chase.run(&mut campaign, &tests, 1, tell)?;
    chase.leave_out_baseline();
    chase.hunt.stage = Stage::Explaining;
    chase.save()?;
    let mut cause = cut::requested();
    if cause.is_none() {
        let repairs = chase.repairs()?;
        chase.run(&mut campaign, &repairs, config.workers(), tell)?;
        let explanations = chase.explanations()?;
        chase.run(&mut campaign, &explanations, config.workers(), tell)?;
        for finding in &chase.hunt.report.findings {
            if let Some(first) = finding.suspects.first() {
                let Finding { subject, relation, .. } = finding;
                tell(News::Line(format!("look at {} first ({subject}/{relation})", first.location)));
            }
        }
    }
    cause = cause.or(cut::requested());
    if cause != Some(Cause::Signal) {
        let pictures = chase.pictures()?;
        // Pictures are quick, and a finding without them is poorer: they have a moment also when the time is over.
        let moment = if cause.is_some() { Some(Cut::new(Some(GRACE))) } else { cut::current() };
        cut::within(moment, || chase.run(&mut campaign, &pictures, config.workers(), tell))?;
    }
    chase.hunt.report.cut = cause.or(cut::requested());
    chase.conclude();
    chase.save()?;
    if chase.hunt.report.cut != Some(Cause::Signal) {
        // A finished hunt begins anew next time; an interrupted one goes on.
        campaign.forget()?;
        tasks::forget(config);
    }
    Ok(chase.hunt)
}

/// How long the pictures may take when the time is over.
const GRACE: Duration = Duration::from_millis(500);

fn beginning(subjects: &[Subject<'_>], config: &Config) -> Hunt {
    let proofs = subjects.iter().flat_map(|subject| {
        subject.relations.iter().map(|relation| Proof {
            subject: subject.name.clone(),
            relation: relation.clone(),
            proved: Said::Pending,
        })
    });
    Hunt {
        version: VERSION,
        project: config.project.clone(),
        stage: Stage::Testing,
        report: Report {
            command: "hunt".to_owned(),
            version: config.version.clone(),
            seed: config.seed,
            ..Report::default()
        },
        subjects: Vec::new(),
        proofs: proofs.collect(),
        shown: Vec::new(),
        combined: Vec::new(),
        noticed: Vec::new(),
        known: 0,
    }
}

/// A hunt that runs.
struct Chase<'a> {
    subjects: &'a [Subject<'a>],
    config: &'a Config,
    hunt: Hunt,
    /// What went wrong while an event was taken in.
    deferred: Option<Error>,
}

impl Chase<'_> {
    fn save(&self) -> Result<(), Error> {
        self.hunt.store(&path(&self.config.cache))
    }

    fn subject(&self, name: &str) -> Result<&Subject<'_>, Error> {
        let found = self.subjects.iter().find(|subject| subject.name == name);
        found.ok_or_else(|| Error::Failed(format!("there is no subject `{name}`")))
    }

    fn task(&self, subject: &Subject<'_>, what: What) -> Result<Task, Error> {
        let identity = subject.identity().map_err(|error| Error::Failed(error.to_string()))?;
        Ok(Task {
            algorithm: ALGORITHM,
            subject: subject.name.clone(),
            identity: identity.to_string(),
            seed: self.config.seed,
            cases: self.config.cases,
            effort: self.config.effort,
            what,
        })
    }

    fn tests(&self) -> Result<Vec<Task>, Error> {
        let mut tasks = Vec::new();
        for subject in self.subjects {
            for relation in &subject.relations {
                tasks.push(self.task(subject, What::Test { relation: relation.clone() })?);
            }
        }
        Ok(tasks)
    }

    fn findings_of(&self, subject: &str) -> Vec<Finding> {
        self.hunt.report.findings.iter().filter(|finding| finding.subject == subject).cloned().collect()
    }

    /// What to write instead: first, because it is what people want to know most.
    fn repairs(&mut self) -> Result<Vec<Task>, Error> {
        let mut tasks = Vec::new();
        for subject in self.subjects {
            let prints: Vec<String> = self
                .findings_of(&subject.name)
                .iter()
                .map(|finding| finding.fingerprint.to_string())
                .collect();
            if !prints.is_empty() {
                self.hunt.subjects.push(CaseFile {
                    subject: subject.name.clone(),
                    located: Said::Pending,
                    debugged: Said::Pending,
                    repaired: Said::Pending,
                });
                tasks.push(self.task(subject, What::Repair { findings: prints })?);
            }
        }
        Ok(tasks)
    }

    /// What explains the findings first, then proofs of relations that were not violated.
    fn explanations(&mut self) -> Result<Vec<Task>, Error> {
        let (mut first, mut then) = (Vec::new(), Vec::new());
        for subject in self.subjects {
            let findings = self.findings_of(&subject.name);
            let prints: Vec<String> =
                findings.iter().map(|finding| finding.fingerprint.to_string()).collect();
            if !findings.is_empty() {
                first.push(self.task(subject, What::Locate { findings: prints.clone() })?);
                first.push(self.task(subject, What::Debug { findings: prints })?);
            }
            for relation in &subject.relations {
                let violated =
                    findings.iter().any(|it| it.relation == *relation && it.verdict == Verdict::Violated);
                let task = self.task(subject, What::Prove { relation: relation.clone(), violated })?;
                match violated {
                    true => first.push(task),
                    false if self.config.prove_others => then.push(task),
                    false => self.fail(&task, "it was not asked for"),
                }
            }
            if self.config.score && subject.wasm().is_some() {
                self.hunt.noticed.push(Notice { subject: subject.name.clone(), said: Said::Pending });
                then.push(self.task(subject, What::Notice)?);
            }
        }
        first.extend(then);
        Ok(first)
    }

    fn pictures(&self) -> Result<Vec<Task>, Error> {
        let of = |finding: &Finding| {
            let what = What::Show { finding: finding.fingerprint.to_string() };
            self.task(self.subject(&finding.subject)?, what)
        };
        self.hunt.report.findings.iter().map(of).collect()
    }

    /// Runs tasks and takes in their answers as they come.
    fn run(
        &mut self,
        campaign: &mut Campaign,
        tasks: &[Task],
        workers: usize,
        tell: &mut dyn FnMut(News<'_>),
    ) -> Result<(), Error> {
        let of_violations =
            |task: &&Task| !matches!(task.what, What::Prove { violated: false, .. } | What::Notice);
        let loud = tasks.iter().filter(of_violations).count();
        let allotment = Allotment { loud, quiet: tasks.len() - loud };
        let remote = self.config.away.as_ref().and_then(|away| {
            away.remote(tasks, self.config, &self.hunt, &allotment, tasks::saved(tasks, self.config))
        });
        let config = Workers { workers, retry_failed: true, remote, ..Workers::default() };
        // What tasks had to say when they were cut: told now, done again when the hunt goes on.
        let partial: Mutex<Vec<(Task, Answer)>> = Mutex::new(Vec::new());
        let (subjects, settings, known) = (self.subjects, self.config, self.hunt.clone());
        let work = |task: &Task, context: &Context<'_>| -> Result<Answer, Halt> {
            let subject = subjects.iter().find(|subject| subject.name == task.subject);
            let subject = subject.ok_or_else(|| Halt::Failed("its subject is gone".to_owned()))?;
            let answer = attend(task, subject, settings, &known, &allotment, context)
                .map_err(|error| Halt::Failed(error.to_string()))?;
            if context.stopping() {
                let mut partial = partial.lock().unwrap_or_else(std::sync::PoisonError::into_inner);
                partial.push((task.clone(), answer));
                return Err(Halt::Interrupted);
            }
            Ok(answer)
        };
        let outcome = campaign.run::<Task, Answer>(tasks, &config, work, |event| {
            match &event.what {
                Happened::Finished { job, result, .. } => {
                    match serde_json::from_value::<Answer>(result.clone()) {
                        Ok(answer) => self.take(&tasks[*job], answer, tell),
                        Err(error) => self.deferred = Some(Error::Failed(error.to_string())),
                    }
                    if let Err(error) = self.save() {
                        self.deferred = Some(error);
                    }
                }
                Happened::Failed { job, message, .. } => self.fail(&tasks[*job], message),
                _ => {}
            }
            tell(News::Event(event));
        })?;
        if let Some(error) = self.deferred.take() {
            return Err(error);
        }
        let mut partial = partial.into_inner().unwrap_or_else(std::sync::PoisonError::into_inner);
        partial.sort_by_key(|(cut, _)| tasks.iter().position(|task| task.what == cut.what));
        let open: Vec<&Task> = outcome.open().map(|job| &tasks[job]).collect();
        for task in open {
            if !partial.iter().any(|(cut, _)| cut.what == task.what && cut.subject == task.subject) {
                self.fail(
                    task,
                    &cut::requested().map_or("it was left out".to_owned(), |cause| format!("cut: {cause}")),
                );
            }
        }
        for (task, answer) in partial {
            self.take(&task, answer, tell);
        }
        self.put_in_order(tasks);
        self.fuse();
        Ok(())
    }

    /// Several threads or machines answer in any order; what is told is in the order of the tasks.
    fn put_in_order(&mut self, tasks: &[Task]) {
        let place = |subject: &str, relation: &str| {
            tasks.iter().position(|task| {
                task.subject == subject
                    && matches!(&task.what, What::Test { relation: own } if own == relation)
            })
        };
        self.hunt.report.relations.sort_by_key(|it| place(&it.subject, &it.relation));
        self.hunt.report.findings.sort_by_key(|it| place(&it.subject, &it.relation));
        self.hunt.combined.sort_by_key(|it| place(&it.subject, &it.relation));
        let findings = &self.hunt.report.findings;
        self.hunt
            .shown
            .sort_by_key(|it| findings.iter().position(|finding| finding.fingerprint == it.fingerprint));
    }

    /// Takes in an answer.
    fn take(&mut self, task: &Task, answer: Answer, tell: &mut dyn FnMut(News<'_>)) {
        let mut say = |line: String| tell(News::Line(line));
        match answer {
            Answer::Tested { summary, findings, notices, combined } => {
                if self.config.away.is_some() {
                    tasks::keep(&findings, self.config, &mut self.hunt.report.notices);
                }
                self.hunt.combined.extend(combined);
                for finding in &findings {
                    say(format!(
                        "found: {}/{} {}: {}",
                        finding.subject, finding.relation, finding.verdict, finding.group.case
                    ));
                }
                self.hunt.report.relations.push(*summary);
                self.hunt.report.findings.extend(findings);
                self.hunt.report.notices.extend(notices);
            }
            Answer::Located(said) => {
                if let Some(file) = self.file(&task.subject) {
                    file.located = said;
                }
            }
            Answer::Debugged(said) => {
                if let Some(file) = self.file(&task.subject) {
                    file.debugged = said;
                }
            }
            Answer::Repaired(said) => {
                if let Some(first) = said.report().and_then(|report| report.outcome.repairs.first()) {
                    say(format!("repair: {}:{} {} ({})", first.file, first.line, first.change, task.subject));
                }
                if let Some(file) = self.file(&task.subject) {
                    file.repaired = said;
                }
            }
            Answer::Proved(said) => {
                let What::Prove { relation, .. } = &task.what else { return };
                if let Some(report) = said.report() {
                    use twinrun_prove::Verdict as Known;
                    match (&report.verdict, &report.fails_when) {
                        (Known::Proved(_), _) => say(format!("proved: {}/{relation}", task.subject)),
                        (Known::ProvedOverReals(_), _) => {
                            say(format!("proved over the reals: {}/{relation}", task.subject));
                        }
                        (Known::Violated, Some(condition)) => {
                            let condition = crate::voices::condition(condition);
                            say(format!("fails when: {condition} ({}/{relation})", task.subject));
                        }
                        _ => {}
                    }
                }
                let place = |it: &&mut Proof| it.subject == task.subject && it.relation == *relation;
                if let Some(proof) = self.hunt.proofs.iter_mut().find(place) {
                    proof.proved = said;
                }
            }
            Answer::Noticed(said) => {
                if let Some(notice) = self.notice(&task.subject) {
                    notice.said = said;
                }
            }
            Answer::Shown(shown) => self.hunt.shown.push(*shown),
        }
        self.fuse();
    }

    fn file(&mut self, subject: &str) -> Option<&mut CaseFile> {
        self.hunt.subjects.iter_mut().find(|file| file.subject == subject)
    }

    fn notice(&mut self, subject: &str) -> Option<&mut Notice> {
        self.hunt.noticed.iter_mut().find(|notice| notice.subject == subject)
    }

    /// A task that gave no answer: its place says why.
    fn fail(&mut self, task: &Task, why: &str) {
        let nothing = format!("{}: {why}", task_name(&task.what));
        match &task.what {
            What::Test { relation } => {
                let summary = twinrun_base::report::RelationSummary {
                    subject: task.subject.clone(),
                    relation: relation.clone(),
                    notices: vec![nothing],
                    stopped: true,
                    ..Default::default()
                };
                self.hunt.report.relations.push(summary);
            }
            What::Locate { .. } => {
                if let Some(file) = self.file(&task.subject) {
                    file.located = Said::Nothing { why: nothing };
                }
            }
            What::Debug { .. } => {
                if let Some(file) = self.file(&task.subject) {
                    file.debugged = Said::Nothing { why: nothing };
                }
            }
            What::Repair { .. } => {
                if let Some(file) = self.file(&task.subject) {
                    file.repaired = Said::Nothing { why: nothing };
                }
            }
            What::Prove { relation, .. } => {
                let place = |it: &&mut Proof| it.subject == task.subject && it.relation == *relation;
                if let Some(proof) = self.hunt.proofs.iter_mut().find(place) {
                    proof.proved = Said::Nothing { why: nothing };
                }
            }
            What::Notice => {
                if let Some(notice) = self.notice(&task.subject) {
                    notice.said = Said::Nothing { why: nothing };
                }
            }
            What::Show { .. } => {}
        }
    }

    fn leave_out_baseline(&mut self) {
        let all = self.hunt.report.findings.len();
        self.hunt.report.findings.retain(|finding| !self.config.baseline.contains(&finding.fingerprint));
        let known = all - self.hunt.report.findings.len();
        if known > 0 {
            self.hunt.known = known as u64;
            let findings = if known == 1 {
                "1 finding that is".to_owned()
            } else {
                format!("{known} findings that are")
            };
            self.hunt.report.notices.push(format!("{findings} in the baseline left out"));
        }
    }

    /// Fills suspects, critical branch and condition of every finding from what is known now.
    fn fuse(&mut self) {
        let Hunt { report, subjects, proofs, .. } = &mut self.hunt;
        for finding in &mut report.findings {
            let file = subjects.iter().find(|file| file.subject == finding.subject);
            let proof =
                proofs.iter().find(|it| it.subject == finding.subject && it.relation == finding.relation);
            crate::voices::explain(finding, file, proof, &self.config.weights);
        }
    }

    fn conclude(&mut self) {
        self.fuse();
        let stopped = self.hunt.report.cut == Some(Cause::Signal);
        self.hunt.stage = if stopped { Stage::Interrupted } else { Stage::Done };
        let Hunt { report, proofs, combined, noticed, shown, .. } = &mut self.hunt;
        // They came as threads had them ready.
        let place = |fingerprint| report.findings.iter().position(|it| it.fingerprint == fingerprint);
        shown.sort_by_cached_key(|it| place(it.fingerprint));
        report.notices.extend(noticed.iter().filter_map(crate::notices::of_changes));
        for summary in &mut report.relations {
            let own = |it: &&Combined| it.subject == summary.subject && it.relation == summary.relation;
            summary.notices.extend(combined.iter().find(own).and_then(crate::notices::of_combinations));
            let proof =
                proofs.iter().find(|it| it.subject == summary.subject && it.relation == summary.relation);
            // Of a violated relation the finding itself says what is known.
            if summary.counts.violated == 0 {
                summary.notices.extend(proof.and_then(crate::notices::of_proof));
            }
        }
    }
}

/// Among how many the work is divided: explanations of violations, and others.
pub(crate) struct Allotment {
    pub(crate) loud: usize,
    pub(crate) quiet: usize,
}

fn task_name(what: &What) -> &'static str {
    match what {
        What::Test { .. } => "testing",
        What::Locate { .. } => "locating",
        What::Debug { .. } => "debugging",
        What::Repair { .. } => "repairing",
        What::Prove { .. } => "proving",
        What::Notice => "looking for what goes unnoticed",
        What::Show { .. } => "tracing",
    }
}

/// Does one task.
pub(crate) fn attend(
    task: &Task,
    subject: &Subject<'_>,
    config: &Config,
    hunt: &Hunt,
    allotment: &Allotment,
    context: &Context<'_>,
) -> Result<Answer, Error> {
    let Allotment { loud, quiet } = *allotment;
    let findings: Vec<Finding> =
        hunt.report.findings.iter().filter(|finding| finding.subject == subject.name).cloned().collect();
    let whole = budget::WHOLE.saturating_mul(config.effort);
    let work = |violation| budget::explanation(whole, loud, quiet, violation);
    match &task.what {
        What::Test { relation } => tasks::test(subject, relation, config),
        What::Locate { .. } => tasks::locating(subject, &findings, config, work(true)).map(Answer::Located),
        What::Debug { .. } => tasks::debugging(subject, &findings, config, work(true)).map(Answer::Debugged),
        What::Repair { .. } => Ok(Answer::Repaired(repairs::repairing(
            subject,
            &findings,
            config,
            budget::REPAIR.saturating_mul(config.effort),
        ))),
        What::Prove { relation, violated } => {
            tasks::proving(subject, relation, *violated, config, work(*violated), context).map(Answer::Proved)
        }
        What::Notice => tasks::noticing(subject, config, work(false)).map(Answer::Noticed),
        What::Show { finding } => {
            let found = findings.iter().find(|it| it.fingerprint.to_string() == *finding);
            let found = found.ok_or_else(|| Error::Failed("its finding is gone".to_owned()))?;
            tasks::showing(subject, found, hunt).map(|shown| Answer::Shown(Box::new(shown)))
        }
    }
}
