//! `./x experiment combine-readers [--data DIR]`: models of PICT with what the real PICT made of each, compared in both
//! directions; the other formats, each read and covered; and texts that are no models, which no reader may stumble over.

mod pict;

use std::path::PathBuf;

use twinrun_results::{Results, workspace_root};

fn main() {
    let data = data();
    let cases = match pict::cases(&data.join("models.jsonl")) {
        Ok(cases) => cases,
        Err(error) => {
            eprintln!("skipped: {error} (give the folder of models.jsonl with --data)");
            return;
        }
    };
    let mut results = Results::new("combine-readers");
    let (mut refused, mut taken, mut forbidden, mut missing, mut gaps) = (0, 0, 0, 0, 0);
    for case in &cases {
        let outcome = pict::compare(case);
        refused += usize::from(outcome.refused.is_some());
        taken += usize::from(outcome.taken);
        forbidden += outcome.forbidden_rows;
        missing += outcome.missing;
        gaps += outcome.gaps;
        if outcome.refused.is_some() || outcome.taken || outcome.forbidden_rows + outcome.missing > 0 {
            results.row(&pict::row(case, &outcome));
        }
    }
    results.total("pict_models", cases.len());
    results.total("pict_refused_pct", 100.0 * refused as f64 / cases.len().max(1) as f64);
    results.total("pict_not_refused", taken);
    results.total("pict_forbidden_rows", forbidden);
    results.total("pict_missing_tuples", missing);
    results.total("pict_submodel_gaps", gaps);
    match results.write() {
        Ok(path) => println!("{}", path.display()),
        Err(error) => eprintln!("{error}"),
    }
    println!("{:#}", serde_json::Value::Object(results.totals));
}

fn data() -> PathBuf {
    let mut arguments = std::env::args().skip_while(|argument| argument != "--data").skip(1);
    arguments.next().map_or_else(|| workspace_root().join("../shared/data/pict"), PathBuf::from)
}
