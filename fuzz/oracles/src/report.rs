//! Reports: whatever a subject printed, text is inert, JSON survives, SARIF is JSON, XML is well formed.

use arbitrary::{Result, Unstructured};
use twinrun_base::finding::Suspect;
use twinrun_base::report::{Counts, RelationSummary};
use twinrun_base::*;
use twinrun_report::formats::{github, human, json, junit, sarif};
use twinrun_report::{Options, Sources};

/// The bytes make a report.
pub fn report(data: &[u8]) {
    let mut data = Unstructured::new(data);
    let Ok((report, sources, width)) = made(&mut data) else { return };
    let options = Options { width, color: false, verbose: width % 2 == 0, sources: &sources };

    let text = human::render(&report, &options);
    assert!(!text.chars().any(|char| char.is_control() && char != '\n'), "{text:?}");

    let text = json::render(&report, &options);
    let read = json::parse(&text).expect("a written report can be read");
    // As text, because a NaN does not equal itself.
    assert_eq!(format!("{read:?}"), format!("{report:?}"));

    let log: serde_json::Value =
        serde_json::from_str(&sarif::render(&report, &options)).expect("SARIF is JSON");
    assert_eq!(log["runs"][0]["results"].as_array().map(Vec::len), Some(report.findings.len()));

    well_formed(&junit::render(&report, &options));

    let text = github::render(&report, &options);
    assert_eq!(text.lines().count(), report.findings.len());
    assert!(text.lines().all(|line| line.starts_with("::")));
}

/// Enough of XML for what we write: elements nest, attributes are quoted, no stray markup, no forbidden characters.
fn well_formed(xml: &str) {
    assert!(!xml.chars().any(|char| char.is_control() && char != '\n' && char != '\t'));
    assert!(!xml.contains(['\u{fffe}', '\u{ffff}']));
    let mut open = Vec::new();
    for piece in xml.split('<').skip(1) {
        let (tag, text) = piece.split_once('>').expect("a tag ends");
        assert!(!text.contains('>') && tag.matches('"').count() % 2 == 0, "{piece}");
        let name = tag.split([' ', '/', '?']).find(|word| !word.is_empty());
        match tag.as_bytes() {
            [b'?', ..] | [.., b'/'] => {}
            [b'/', ..] => assert_eq!(open.pop(), Some(name), "{piece}"),
            _ => open.push(name),
        }
    }
    assert!(open.is_empty());
}

fn made(data: &mut Unstructured<'_>) -> Result<(Report, Sources, usize)> {
    let mut sources = Sources::default();
    sources.insert("a.c", &text(data)?);
    sources.insert(&text(data)?, &text(data)?);
    let width = data.int_in_range(0..=200)?;
    let subjects = [text(data)?, text(data)?];
    let relations = several(data, |data| {
        Ok(RelationSummary {
            subject: data.choose(&subjects)?.clone(),
            relation: text(data)?,
            counts: Counts {
                holds: data.int_in_range(0..=1 << 40)?,
                violated: data.arbitrary::<u8>()?.into(),
                ..Counts::default()
            },
            covered: data.arbitrary()?,
            seconds: data.arbitrary()?,
            notices: several(data, text)?,
            stopped: data.arbitrary()?,
        })
    })?;
    let report = Report {
        command: text(data)?,
        version: text(data)?,
        seed: data.arbitrary()?,
        relations,
        findings: several(data, finding)?,
        notices: several(data, text)?,
        cut: data.arbitrary::<bool>()?.then_some(Cause::Signal),
    };
    Ok((report, sources, width))
}

fn finding(data: &mut Unstructured<'_>) -> Result<Finding> {
    let verdict = *data.choose(&[Verdict::Violated, Verdict::Crashed, Verdict::Timeout])?;
    let check = FailedCheck {
        operator: Operator::from_code(data.int_in_range(0..=7)?).unwrap_or(Operator::Eq),
        text: text(data)?,
        left: value(data)?,
        right: value(data)?,
        tolerance: data.arbitrary()?,
        location: location(data)?,
    };
    let crash = Crash {
        kind: if data.arbitrary()? { CrashKind::HeapOverrun } else { CrashKind::Other(text(data)?) },
        message: text(data)?,
        stack: several(data, |data| Ok(Frame { function: text(data)?, location: location(data)? }))?,
    };
    let case = Case {
        inputs: several(data, |data| {
            let domain = Domain::Text { min: 0, max: 9, alphabet: vec![] };
            Ok(Input { name: text(data)?, domain, value: value(data)? })
        })?,
    };
    let group = Group {
        case: case.clone(),
        verdict,
        runs: several(data, run)?,
        check: Some(check).filter(|_| verdict == Verdict::Violated),
        crash: Some(crash).filter(|_| verdict == Verdict::Crashed),
        work: data.arbitrary()?,
    };
    Ok(Finding {
        fingerprint: Hash::of([data.arbitrary::<[u8; 8]>()?]),
        subject: text(data)?,
        relation: text(data)?,
        verdict,
        group,
        found: case,
        seen: data.arbitrary()?,
        shrinks: data.arbitrary()?,
        dependent_runs: data.arbitrary()?,
        checked_build: data.arbitrary()?,
        saved: if data.arbitrary()? { Some(text(data)?) } else { None },
        suspects: several(data, suspect)?,
        critical: if data.arbitrary()? { Some(suspect(data)?) } else { None },
        fails_when: if data.arbitrary()? { Some(text(data)?) } else { None },
        repairs: several(data, repair)?,
        unsaid: several(data, text)?,
        relation_location: location(data)?,
    })
}

fn suspect(data: &mut Unstructured<'_>) -> Result<Suspect> {
    let location = location(data)?.unwrap_or(Location { file: "a.c".into(), line: 1, column: 1 });
    Ok(Suspect { location, score: data.arbitrary()?, reason: text(data)? })
}

fn repair(data: &mut Unstructured<'_>) -> Result<Repair> {
    let location = location(data)?.unwrap_or(Location { file: "a.c".into(), line: 1, column: 1 });
    Ok(Repair { location, change: text(data)?, diff: text(data)?, support: several(data, text)? })
}

fn run(data: &mut Unstructured<'_>) -> Result<Run> {
    let pair = |data: &mut Unstructured<'_>| Ok((text(data)?, value(data)?));
    let program = ProgramRun {
        arguments: several(data, Unstructured::arbitrary)?,
        stdin: data.arbitrary()?,
        exit: data.arbitrary()?,
        stdout: data.arbitrary()?,
        stderr: data.arbitrary()?,
    };
    let program = data.arbitrary::<bool>()?.then_some(program);
    Ok(Run { given: several(data, pair)?, outputs: several(data, pair)?, program })
}

fn value(data: &mut Unstructured<'_>) -> Result<Value> {
    Ok(match data.int_in_range(0..=5)? {
        0 => Value::Int(data.arbitrary()?),
        1 => Value::Float(data.arbitrary()?),
        2 => Value::Ints(data.arbitrary()?),
        3 => Value::Floats(data.arbitrary()?),
        4 => Value::Bytes(data.arbitrary()?),
        _ => {
            Value::Ops(several(data, |data| Ok(Op { op: data.arbitrary()?, arguments: data.arbitrary()? }))?)
        }
    })
}

fn location(data: &mut Unstructured<'_>) -> Result<Option<Location>> {
    Ok(match data.int_in_range(0..=3)? {
        0 => None,
        1 => Some(Location { file: text(data)?, line: data.arbitrary()?, column: data.arbitrary()? }),
        _ => Some(Location {
            file: "a.c".into(),
            line: data.int_in_range(0..=4)?,
            column: data.int_in_range(0..=40)?,
        }),
    })
}

fn several<'a, T>(
    data: &mut Unstructured<'a>,
    mut one: impl FnMut(&mut Unstructured<'a>) -> Result<T>,
) -> Result<Vec<T>> {
    (0..data.int_in_range(0..=3)?).map(|_| one(data)).collect()
}

/// Text with a taste for what breaks layouts and terminals.
fn text(data: &mut Unstructured<'_>) -> Result<String> {
    const AWKWARD: [&str; 12] =
        ["\u{1b}[31m", "\n", "\t", "\u{202e}", "数", "e\u{301}", "]]>", "<", "\"", "%0A::", "\0", "\u{ffff}"];
    let mut text: String = data.arbitrary()?;
    if data.arbitrary()? {
        text.push_str(data.choose(&AWKWARD)?);
    }
    Ok(text)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn random_bytes_make_reports_with_findings() {
        let mut rng = Rng::new(1);
        let mut findings = 0;
        for _ in 0..200 {
            let bytes: Vec<u8> = (0..1024).map(|_| rng.bits() as u8).collect();
            findings += made(&mut Unstructured::new(&bytes)).map_or(0, |(report, ..)| report.findings.len());
        }
        assert!(findings > 100, "{findings}");
    }
}
