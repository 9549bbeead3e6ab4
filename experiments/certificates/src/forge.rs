//! Forged certificates: each is consistent with itself unless its kind says otherwise, so that hashes alone tell nothing.

use std::collections::BTreeMap;
use std::io;
use std::path::Path;

use twinrun_prove::By;
use twinrun_prove::certificate::{Certificate, Kind, MANIFEST, SUMS, sha256};

/// The files of a certificate, as they are written.
#[derive(Clone)]
pub(crate) struct Folder(BTreeMap<String, String>);

impl Folder {
    pub(crate) fn of(certificate: &Certificate) -> Folder {
        let mut files = certificate.files.clone();
        files.insert(MANIFEST.to_owned(), certificate.manifest_text());
        files.insert(SUMS.to_owned(), certificate.sums());
        Folder(files)
    }

    pub(crate) fn write(&self, folder: &Path) -> io::Result<()> {
        self.0.iter().try_for_each(|(name, text)| std::fs::write(folder.join(name), text))
    }
}

/// What is never unsatisfiable by what it says of the program.
const TRIVIAL: &str = "(set-logic QF_LIA)\n(assert false)\n(check-sat)\n";

/// All forgeries of one certificate.
pub(crate) fn all(
    genuine: &Certificate,
    others: &[&Certificate],
    seed: usize,
) -> Vec<(&'static str, Folder)> {
    let mut found: Vec<(&'static str, Folder)> = Vec::new();
    let mut forge = |kind: &'static str, change: &dyn Fn(&mut Certificate)| {
        let mut forged = genuine.clone();
        change(&mut forged);
        rehash(&mut forged);
        if forged != *genuine {
            found.push((kind, Folder::of(&forged)));
        }
    };
    let count = genuine.manifest.obligations.len();
    if count > 0 {
        let some = seed % count;
        forge("an obligation is left out", &|it| drop_at(it, some));
        forge("all obligations but one are left out", &|it| (1..count).for_each(|_| drop_at(it, 1)));
        forge("an obligation is made trivial", &|it| put(it, some, TRIVIAL.to_owned()));
        forge("all obligations are made trivial", &|it| {
            (0..count).for_each(|at| put(it, at, TRIVIAL.to_owned()));
        });
        forge("a contradiction is asserted beside", &|it| {
            let text = text(it, some).replace("(check-sat)", "(assert false)\n(check-sat)");
            put(it, some, text);
        });
        forge("an assertion is left out", &|it| {
            let text = text(it, some);
            let kept = text
                .lines()
                .enumerate()
                .filter(|(number, line)| !(line.starts_with("(assert") && *number % 2 == seed % 2));
            let text = kept.map(|(_, line)| format!("{line}\n")).collect();
            put(it, some, text);
        });
        forge("a number is changed", &|it| {
            let text = text(it, some);
            let at = text.rfind(|c: char| c.is_ascii_digit()).unwrap_or(0);
            let digit = if &text[at..=at] == "1" { "0" } else { "1" };
            let text = format!("{}{digit}{}", &text[..at], &text[at + 1..]);
            put(it, some, text);
        });
        forge("another solver command is put in front", &|it| {
            let text = format!("(set-info :status unsat)\n{}", text(it, some));
            put(it, some, text);
        });
        forge("what an obligation states is changed", &|it| it.manifest.obligations[some].states.push('!'));
        forge("an obligation is called one of another kind", &|it| {
            let kind = &mut it.manifest.obligations[some].kind;
            *kind = if *kind == Kind::Check { Kind::Coverage } else { Kind::Check };
        });
        forge("an obligation is told twice", &|it| {
            let (text, entry) = (text(it, some), it.manifest.obligations[some].clone());
            let file = format!("{:05}.smt2", count + 1);
            it.files.insert(file.clone(), text);
            it.manifest.obligations.push(twinrun_prove::certificate::Entry { file, ..entry });
        });
        forge("it claims that every case was run", &|it| {
            it.manifest.way = By::AllCases;
            it.files.clear();
            it.manifest.obligations.clear();
        });
        for kind in [Kind::Check, Kind::Coverage, Kind::Reduction, Kind::Translation, Kind::Invariant] {
            let name = match kind {
                Kind::Check => "the checks are left out",
                Kind::Coverage => "the cover is left out",
                Kind::Reduction => "the conclusions are left out",
                Kind::Translation => "the translation is left out",
                Kind::Invariant => "the invariants are left out",
            };
            forge(name, &|it| {
                while let Some(at) = it.manifest.obligations.iter().position(|entry| entry.kind == kind) {
                    drop_at(it, at);
                }
            });
        }
        if count > 1 {
            forge("two obligations are exchanged", &|it| {
                let (a, b) = (text(it, 0), text(it, count - 1));
                put(it, 0, b);
                put(it, count - 1, a);
            });
        }
    }
    forge("it claims another way", &|it| {
        it.manifest.way = if it.manifest.way == By::Paths { By::MergedPaths } else { By::Paths };
    });
    forge("wider inputs are claimed", &|it| it.manifest.inputs = vec!["n: any 64-bit integer".to_owned()]);
    forge("it claims more than it proves", &|it| it.manifest.states = "holds for all inputs".to_owned());
    forge("other limits are claimed", &|it| it.manifest.bounds.limits.work *= 1000);
    forge("another depth is claimed", &|it| it.manifest.bounds.depth = Some(1));
    forge("other paths are claimed", &|it| it.manifest.paths += 1);
    forge("other checks are claimed", &|it| it.manifest.checks += 1);
    forge("a rule is claimed", &|it| it.manifest.rules.push("anything".to_owned()));
    forge("other conclusions are claimed", &|it| {
        it.manifest.reductions.insert("it is so".to_owned(), 1);
    });
    // Certificates of other relations and modules under the name of this one.
    let of_subject = |other: &&&Certificate| other.manifest.module == genuine.manifest.module;
    let same = others.iter().filter(of_subject).find(|it| it.manifest.relation != genuine.manifest.relation);
    if let Some(other) = same {
        forge("it is that of another relation", &|it| {
            let relation = it.manifest.relation.clone();
            *it = (**other).clone();
            it.manifest.relation = relation;
        });
    }
    for offset in [1, 7] {
        let other = others[(seed + offset) % others.len()];
        if other.manifest.module == genuine.manifest.module {
            continue;
        }
        forge("it is that of another module", &|it| *it = other.clone());
        forge("it is that of another module under this one's name and hash", &|it| {
            let manifest = it.manifest.clone();
            *it = other.clone();
            it.manifest.subject = manifest.subject;
            it.manifest.relation = manifest.relation;
            it.manifest.module = manifest.module;
            it.manifest.inputs = manifest.inputs;
            it.manifest.way = manifest.way;
        });
    }
    // These are not consistent with themselves.
    let mut damaged = |kind: &'static str, change: &dyn Fn(&mut BTreeMap<String, String>)| {
        let mut folder = Folder::of(genuine);
        change(&mut folder.0);
        found.push((kind, folder));
    };
    damaged("a file is added", &|files| {
        files.insert("99999.smt2".to_owned(), TRIVIAL.to_owned());
    });
    damaged("a field is added", &|files| {
        let text = files[MANIFEST].replacen('{', "{\n  \"extra\": 1,", 1);
        let sum =
            files[SUMS].lines().filter(|line| !line.ends_with(MANIFEST)).map(|line| format!("{line}\n"));
        let sums = sum.collect::<String>() + &format!("{}  {MANIFEST}\n", sha256(text.as_bytes()));
        files.insert(MANIFEST.to_owned(), text);
        files.insert(SUMS.to_owned(), sums);
    });
    damaged("the hashes are left out", &|files| {
        files.remove(SUMS);
    });
    if let Some(file) = genuine.files.keys().next() {
        damaged("a file is changed alone", &|files| {
            files.insert(file.clone(), TRIVIAL.to_owned());
        });
        damaged("a file is left out alone", &|files| {
            files.remove(file);
        });
    }
    found
}

fn text(certificate: &Certificate, at: usize) -> String {
    certificate.files[&certificate.manifest.obligations[at].file].clone()
}

fn put(certificate: &mut Certificate, at: usize, text: String) {
    let file = certificate.manifest.obligations[at].file.clone();
    certificate.files.insert(file, text);
}

fn drop_at(certificate: &mut Certificate, at: usize) {
    let entry = certificate.manifest.obligations.remove(at);
    certificate.files.remove(&entry.file);
}

/// Makes the hashes those of the files, and the names of the files those that they would have.
fn rehash(certificate: &mut Certificate) {
    let old = std::mem::take(&mut certificate.files);
    for (number, entry) in certificate.manifest.obligations.iter_mut().enumerate() {
        let text = old[&entry.file].clone();
        entry.file = format!("{:05}.smt2", number + 1);
        entry.sha256 = sha256(text.as_bytes());
        certificate.files.insert(entry.file.clone(), text);
    }
}
