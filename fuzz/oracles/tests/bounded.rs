//! Every oracle on a bounded number of inputs, as part of the gate; the fuzz targets go on without bound.

#[cfg(any(
    feature = "module",
    feature = "project",
    feature = "recording",
    feature = "report",
    feature = "smith"
))]
use twinrun_oracles::drive::drive;

#[cfg(feature = "module")]
#[test]
fn modules_are_answered_and_their_sites_are_sound() {
    let empty = b"\0\0asm\x01\0\0\0";
    drive(twinrun_oracles::module, &[empty], 1000, 1);
}

#[cfg(feature = "project")]
#[test]
fn project_files_are_answered() {
    let root = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    let mut files = Vec::new();
    for folder in ["examples", "crates/subject/templates"] {
        for entry in std::fs::read_dir(root.join(folder)).expect("the folder is there") {
            files.push(entry.expect("it can be read").path().join("twinrun.toml"));
        }
    }
    files.sort();
    let texts: Vec<Vec<u8>> = files.iter().filter_map(|file| std::fs::read(file).ok()).collect();
    assert!(texts.len() >= 10, "{files:?}");
    let corpus: Vec<&[u8]> = texts.iter().map(Vec::as_slice).collect();
    drive(twinrun_oracles::project, &corpus, 3000, 1);
}

#[cfg(feature = "recording")]
#[test]
fn recordings_are_answered_and_survive() {
    let id = "0".repeat(64);
    let lines = [
        r#"{"at_ms":0,"event":"began","campaign":"c","jobs":3,"workers":2}"#.to_string(),
        format!(r#"{{"at_ms":1,"event":"started","job":0,"id":"{id}","label":"x","worker":0}}"#),
        format!(
            r#"{{"at_ms":2,"event":"finished","job":0,"id":"{id}","elapsed_ms":1,"result":[1.5],"recorded":false}}"#
        ),
        format!(
            r#"{{"at_ms":3,"event":"failed","job":2,"id":"{id}","elapsed_ms":1,"message":"m","recorded":true}}"#
        ),
        r#"{"at_ms":9,"event":"ended","finished":1,"failed":1,"open":1,"stop":"deadline"}"#.to_string(),
    ];
    let text = lines.join("\n") + "\n";
    drive(twinrun_oracles::recording, &[text.as_bytes()], 5000, 1);
}

#[cfg(feature = "report")]
#[test]
fn reports_are_inert_and_well_formed_in_every_format() {
    drive(twinrun_oracles::report, &[], 1000, 1);
}
