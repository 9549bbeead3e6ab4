//! `./x experiment combine-readers [--data DIR]`: models of PICT with what the real PICT made of each, compared in both
//! directions; the other formats, each read and covered; and texts that are no models, which no reader may stumble over.

mod pict;

use std::collections::BTreeSet;
use std::path::PathBuf;

use twinrun_combine::readers::{
    read_acts, read_acts_xml, read_clauses, read_ctwedge, read_dimacs, read_feature_ide, read_file,
    read_pict, read_toml,
};
use twinrun_combine::{Config, Random, generate, verify};
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
    let examples = examples();
    results.total("formats", formats(&examples));
    let (texts, panics) = fuzz(&cases, &examples);
    results.total("reader_fuzz_texts", texts);
    results.total("reader_fuzz_panics", panics);
    results.notes.push(format!(
        "A combination of ours that PICT's rows lack counts as forbidden unless it needs a row of a sub-model that PICT did not \
         choose ({gaps} such combinations: PICT combines the rows that it chose for a sub-model as if they were values, and \
         what needs another is lost to it though no constraint forbids it). Formats are read from one example each and covered, \
         and the array is checked. Texts for the readers are the examples and {} of PICT's models with bytes changed, cut, \
         repeated and exchanged.",
        cases.len().min(FUZZED)
    ));
    match results.write() {
        Ok(path) => println!("{}", path.display()),
        Err(error) => eprintln!("{error}"),
    }
    println!("{:#}", serde_json::Value::Object(results.totals));
}

/// One model of every form, with its name.
fn examples() -> Vec<PathBuf> {
    let folder = workspace_root().join("fuzz/oracles/models");
    let mut files: Vec<PathBuf> = std::fs::read_dir(folder)
        .map(|entries| entries.flatten().map(|entry| entry.path()).collect())
        .unwrap_or_default();
    files.sort();
    files
}

/// Forms of which an example is read, covered and found complete: told apart by their readers' names.
fn formats(examples: &[PathBuf]) -> usize {
    let complete = |file: &PathBuf| {
        let model = if file.extension().is_some_and(|ending| ending == "model") {
            let text = std::fs::read_to_string(file).ok()?;
            let (model, constraints) = text.split_once("\n\n")?;
            read_clauses(model, constraints).ok()?
        } else {
            read_file(file).ok()?
        };
        let array = generate(&model, &Config { strength: Some(2), ..Config::default() }).ok()?;
        verify(&model, &array.rows, 2).ok()?.complete().then(|| file.file_name().map(ToOwned::to_owned))
    };
    // The two examples in PICT's form are one format.
    let forms = examples.iter().filter_map(complete).flatten().filter(|name| name != "older.pict");
    forms.collect::<BTreeSet<_>>().len()
}

/// PICT's models that are changed, and changes of each text.
const FUZZED: usize = 300;
const CHANGES: usize = 100;

/// How many changed texts the readers were given, and over how many one of them stumbled.
fn fuzz(cases: &[pict::Case], examples: &[PathBuf]) -> (usize, usize) {
    std::panic::set_hook(Box::new(|_| {}));
    let mut texts: Vec<Vec<u8>> = examples.iter().filter_map(|file| std::fs::read(file).ok()).collect();
    texts.extend(cases.iter().take(FUZZED).map(|case| case.model.clone().into_bytes()));
    let mut random = Random::new(20);
    let (mut tried, mut panics) = (0, 0);
    for at in 0..texts.len() {
        for _ in 0..CHANGES {
            let mut text = texts[at].clone();
            for _ in 0..=random.below(4) {
                change(&mut text, &texts, &mut random);
            }
            tried += 1;
            if std::panic::catch_unwind(|| answered(&String::from_utf8_lossy(&text))).is_err() {
                panics += 1;
                eprintln!("a reader stumbles over {:?}", String::from_utf8_lossy(&text));
            }
        }
    }
    (tried, panics)
}

/// Every reader answers: a sound model, or an error that says something.
fn answered(text: &str) {
    let (first, second) = text.split_once("\n\n").unwrap_or((text, ""));
    for read in [
        read_pict(text),
        read_acts(text),
        read_acts_xml(text),
        read_ctwedge(text),
        read_clauses(first, second),
        read_dimacs(text),
        read_feature_ide(text),
        read_toml(text),
    ] {
        match read {
            Ok(model) => model.validate().expect("what was read is valid"),
            Err(error) => assert!(!error.to_string().is_empty()),
        }
    }
}

fn change(text: &mut Vec<u8>, texts: &[Vec<u8>], random: &mut Random) {
    const SIGNS: &[u8] = b"{}[]()<>:;,|~@#\"'\\=!-+*/%.0129 \n\t\xff\xc3";
    let at = random.below(text.len() + 1);
    match random.below(5) {
        0 if at < text.len() => text[at] = SIGNS[random.below(SIGNS.len())],
        1 => text.insert(at, SIGNS[random.below(SIGNS.len())]),
        2 => {
            let end = (at + random.below(12)).min(text.len());
            text.drain(at..end);
        }
        3 => {
            let end = (at + random.below(40)).min(text.len());
            let part = text[at..end].to_vec();
            text.splice(at..at, part);
        }
        _ => {
            let other = &texts[random.below(texts.len())];
            let from = random.below(other.len() + 1);
            let end = (from + random.below(60)).min(other.len());
            text.splice(at..at, other[from..end].iter().copied());
        }
    }
}

fn data() -> PathBuf {
    let mut arguments = std::env::args().skip_while(|argument| argument != "--data").skip(1);
    arguments.next().map_or_else(|| workspace_root().join("../shared/data/pict"), PathBuf::from)
}
