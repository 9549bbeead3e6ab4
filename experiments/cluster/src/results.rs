//! What the study says: totals, rows, and how they came about.

use serde_json::json;
use twinrun_results::Results;

use crate::State;
use crate::hostile::Contained;
use crate::load::median;
use crate::reports::Compared;
use crate::simulate::{Costs, Crowd};
use crate::speed::{Overhead, Turn};

pub(crate) fn of(state: &State) -> Results {
    let mut results = Results::new("cluster");
    kills(state, &mut results);
    reports(&state.reports, &mut results);
    if let Some(overhead) = &state.overhead {
        overhead_of(overhead, &mut results);
    }
    if !state.efficiency.is_empty() {
        efficiency(&state.efficiency, &mut results);
    }
    hostile(state, &mut results);
    crowds(&state.crowds, state.overhead.as_ref(), &mut results);
    let parts: Vec<String> = state
        .commits
        .iter()
        .map(|(part, commits)| {
            format!("{part} on {}", commits.iter().cloned().collect::<Vec<_>>().join(", "))
        })
        .collect();
    results.notes.push(format!("Parts were run on these commits: {}.", parts.join("; ")));
    results.notes.push(
        "A real `nats-server` and real processes on loopback. Kills are SIGKILL; the server keeps its storage. A run counts as again \
         after recorded when it begins more than 250 ms after the answer was recorded: those that overlap were in flight."
            .to_owned(),
    );
    results
}

fn kills(State { chaos, reports, .. }: &State, results: &mut Results) {
    results.total("jobs", chaos.jobs + reports.iter().map(|it| it.jobs).sum::<u64>());
    results.total("kills", chaos.kills() + reports.iter().map(Compared::kills).sum::<u64>());
    results.total("lost", chaos.lost);
    results.total("run_again_after_recorded", chaos.again);
    results.row(&json!({
        "part": "kills", "what": "workers, coordinator, server; two at once", "jobs": chaos.jobs,
        "kills": format!("{} + {} + {}; {}", chaos.worker_kills, chaos.coordinator_kills, chaos.server_kills, chaos.double_kills),
        "outcome": format!("{} lost, {} runs, {} after recorded", chaos.lost, chaos.runs, chaos.again),
    }));
}

fn reports(reports: &[Compared], results: &mut Results) {
    let identical = reports.iter().filter(|it| it.identical).count();
    results.total("reports", reports.len());
    let share = if reports.is_empty() { 0.0 } else { identical as f64 / reports.len() as f64 };
    results.total("reports_identical", round(share));
    results.total("reports_with_kills", reports.iter().filter(|it| it.kills() > 0).count());
    for command in ["test", "hunt", "score", "locate", "debugger"] {
        let of = |it: &&Compared| it.command.split(' ').next() == Some(command);
        results.total(&format!("reports_{command}"), reports.iter().filter(of).count());
    }
    for it in reports {
        results.row(&json!({
            "part": "reports", "what": format!("{}: {}", it.project, it.command), "jobs": it.jobs,
            "kills": format!("{} + {} + {}", it.worker_kills, it.coordinator_kills, it.server_kills),
            "outcome": if it.identical { "identical".to_owned() } else { it.problem.clone() },
        }));
    }
}

fn overhead_of(overhead: &Overhead, results: &mut Results) {
    let ends = |values: &[f64]| {
        let of = |pick: fn(f64, f64) -> f64, from| values.iter().copied().fold(from, pick);
        (of(f64::min, f64::INFINITY), of(f64::max, 0.0))
    };
    results.total("overhead_ms_per_job", round(overhead.wall()));
    results.total("overhead_cpu_ms_per_job", round(overhead.cpu()));
    results.total("server_cpu_ms_per_job", round(overhead.server_cpu_ms));
    results.total("overhead_others_used_the_machine", round(median(overhead.others.iter().copied())));
    let ((least, most), (quiet, busy)) = (ends(&overhead.wall_ms), ends(&overhead.others));
    results.row(&json!({
        "part": "overhead", "what": format!("empty jobs at one worker, {} batches, each a campaign", overhead.wall_ms.len()),
        "jobs": overhead.jobs, "kills": "",
        "outcome": format!(
            "median {:.2} ms a job, {least:.2} to {most:.2}; processor time {:.2} ms: coordinator {:.2}, worker {:.2}, its child {:.2}, server {:.2}; others used {:.0} to {:.0} % of the machine",
            overhead.wall(), overhead.cpu(), overhead.coordinator_cpu_ms, overhead.worker_cpu_ms, overhead.child_cpu_ms,
            overhead.server_cpu_ms, 100.0 * quiet, 100.0 * busy),
    }));
}

fn efficiency(turns: &[Turn], results: &mut Results) {
    let of = |value: fn(&Turn) -> f64| median(turns.iter().map(value));
    results.total("efficiency_2_workers", round(of(|it| it.processes_s / it.cluster_s)));
    results.total("efficiency_2_workers_to_threads", round(of(|it| it.threads_s / it.cluster_s)));
    results.total("efficiency_2_workers_cpu", round(of(|it| it.processes_cpu_s / it.cluster_cpu_s)));
    results.total("efficiency_job_ms", round(of(|it| it.job_ms)));
    results.total("efficiency_server_cpu_s", round(of(|it| it.server_cpu_s)));
    results.total("efficiency_others_used_the_machine", round(of(|it| it.others_cluster)));
    for (number, it) in turns.iter().enumerate() {
        results.row(&json!({
            "part": "efficiency", "what": format!("turn {}: jobs of {:.0} ms", number + 1, it.job_ms), "jobs": "", "kills": "",
            "outcome": format!(
                "two processes {:.2} s, two threads {:.2} s, two workers {:.2} s; processor time {:.2} and {:.2} s, the server's {:.3} s; others used {:.0} and {:.0} % of the machine",
                it.processes_s, it.threads_s, it.cluster_s, it.processes_cpu_s, it.cluster_cpu_s, it.server_cpu_s,
                100.0 * it.others_processes, 100.0 * it.others_cluster),
        }));
    }
    results.notes.push(
        "Efficiency is the median over turns of the time of two local processes (each with one half of the jobs, no queue, no campaign) by that of \
         two workers on the same jobs within the same minute; the order changes from turn to turn. `efficiency_2_workers_to_threads` is the same \
         against a campaign on two threads, `_cpu` the ratio of processor times, which load hardly changes."
            .to_owned(),
    );
}

fn hostile(state: &State, results: &mut Results) {
    let none = Contained::default();
    let (poison, strangers) =
        (state.poison.as_ref().unwrap_or(&none), state.strangers.as_ref().unwrap_or(&none));
    results.total("poison_jobs", poison.poison);
    results.total("poison_jobs_contained", poison.poison_contained);
    results.total("hostile_messages", strangers.messages);
    results.total("crashes", poison.crashes + strangers.crashes);
    results.total("files_outside", strangers.escapes);
}

fn crowds(crowds: &[Crowd], overhead: Option<&Overhead>, results: &mut Results) {
    let [alone, many, rest @ ..] = crowds else { return };
    let costs = Costs { overhead_ms: 1e3 / alone.measured_jobs_per_s, limit_per_s: many.measured_jobs_per_s };
    results.total("most_in_flight", crowds.iter().map(|crowd| crowd.most_in_flight).max().unwrap_or(0));
    let off = |it: &Crowd| (it.measured_jobs_per_s / it.predicted_jobs_per_s - 1.0).abs();
    results.total("model_largest_deviation", round(rest.iter().map(off).fold(0.0, f64::max)));
    results.total("limit_jobs_per_s", round(costs.limit_per_s));
    for it in crowds {
        results.row(&json!({
            "part": "crowd", "what": format!("{} simulated workers, jobs of {} ms", it.workers, it.job_ms), "jobs": it.jobs,
            "kills": "", "outcome": format!(
                "{:.0} jobs/s, the model says {:.0}; {} in flight, {} run twice; server {:.2} ms CPU a job, {:.0} MB",
                it.measured_jobs_per_s, it.predicted_jobs_per_s, it.most_in_flight, it.twice, it.server_cpu_ms_per_job, it.server_mb),
        }));
    }
    // What a real worker adds to a job, where it was measured.
    let real = Costs { overhead_ms: overhead.map_or(costs.overhead_ms, Overhead::wall), ..costs };
    for workers in [1, 10, 100, 1000] {
        let rate = |job_ms: f64| real.throughput(workers, job_ms);
        results.row(&json!({
            "part": "model", "what": format!("{workers} workers"), "jobs": "", "kills": "",
            "outcome": format!(
                "{:.0}, {:.0}, {:.1} jobs/s for jobs of 20 ms, 200 ms, 10 s; the server uses {:.2}, {:.2}, {:.2} cores",
                rate(20.0), rate(200.0), rate(10_000.0), cores(many, rate(20.0)), cores(many, rate(200.0)), cores(many, rate(10_000.0))),
        }));
    }
    if let Some(overhead) = overhead {
        let share = |job_ms: f64| 100.0 * overhead.cpu() / (job_ms + overhead.cpu());
        results.notes.push(format!(
            "Cost: a job takes {:.2} ms of processor time beside its own, all machines together: {:.1} % of what is paid for jobs of 20 ms, {:.2} % for \
             jobs of 200 ms, {:.3} % for jobs of 10 s.",
            overhead.cpu(), share(20.0), share(200.0), share(10_000.0)
        ));
    }
    results.notes.push(format!(
        "The limit of {:.0} jobs/s is that of one server with the simulated crowd (one thread) beside it on the same two cores; the server itself \
         uses {:.2} ms of processor time a job. Beyond {:.0} workers for jobs of 200 ms and {:.0} for jobs of 10 s more of them change nothing.",
        costs.limit_per_s, many.server_cpu_ms_per_job, real.most_workers(200.0), real.most_workers(10_000.0)
    ));
}

/// Cores that a server needs for so many jobs a second.
fn cores(measured: &Crowd, jobs_per_s: f64) -> f64 {
    measured.server_cpu_ms_per_job * jobs_per_s / 1e3
}

fn round(value: f64) -> f64 {
    (value * 1000.0).round() / 1000.0
}
