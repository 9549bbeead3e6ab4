//! Every oracle on a bounded number of inputs, as part of the gate; the fuzz targets go on without bound.

#[cfg(any(
    feature = "certificate",
    feature = "coverage",
    feature = "model",
    feature = "module",
    feature = "project",
    feature = "recording",
    feature = "report",
    feature = "saved",
    feature = "terms"
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

#[cfg(feature = "model")]
#[test]
fn input_models_are_answered_in_every_form() {
    let path = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("models");
    let mut files: Vec<_> =
        std::fs::read_dir(path).expect("the folder is there").flatten().map(|entry| entry.path()).collect();
    files.sort();
    let texts: Vec<Vec<u8>> = files.iter().filter_map(|file| std::fs::read(file).ok()).collect();
    assert!(texts.len() >= 8, "{files:?}");
    let corpus: Vec<&[u8]> = texts.iter().map(Vec::as_slice).collect();
    drive(twinrun_oracles::model, &corpus, 4000, 1);
}

#[cfg(feature = "coverage")]
#[test]
fn coverage_of_other_tools_is_answered() {
    let corpus: [&[u8]; 3] = [
        b"TN:\nSF:/src/a.c\nFN:1,main\nFNDA:1,main\nDA:1,3\nDA:2,0\nBRDA:2,0,0,1\nBRDA:2,0,1,-\nLF:2\nLH:1\nend_of_record\n",
        b"{\"format_version\":\"1\",\"current_working_directory\":\"/src\",\"data_file\":\"a\",\"files\":[{\"file\":\"a.c\",\"functions\":[],\"lines\":[{\"line_number\":3,\"count\":2,\"unexecuted_block\":false,\"function_name\":\"f\",\"branches\":[{\"count\":1,\"fallthrough\":true,\"throw\":false}]}]}]}",
        b"{\"version\":\"2.0.1\",\"type\":\"llvm.coverage.json.export\",\"data\":[{\"files\":[{\"filename\":\"/src/a.c\",\"segments\":[[1,1,2,true,true,false],[3,2,0,false,false,false]],\"branches\":[[2,3,2,9,1,1,0,0,4]]}],\"functions\":[]}]}",
    ];
    drive(twinrun_oracles::coverage, &corpus, 4000, 1);
}

#[cfg(feature = "saved")]
#[test]
fn saved_cases_are_answered_and_replay_within_their_ranges() {
    let case = br#"{"version":1,"subject":"s","relation":"r","verdict":"violated","case":{"inputs":[{"name":"n","domain":{"type":"int","kind":"i32","lo":-3,"hi":9},"value":{"int":4}},{"name":"a","domain":{"type":"ints","kind":"u8","shape":{"Array":2},"lo":0,"hi":7},"value":{"ints":[1,7]}},{"name":"x","domain":{"type":"float","lo":0.0,"hi":1.5},"value":{"float":0.5}},{"name":"t","domain":{"type":"text","min":0,"max":3,"alphabet":[97,98]},"value":{"bytes":[97]}},{"name":"p","domain":{"type":"permutation","n":3},"value":{"ints":[2,0,1]}}]}}"#;
    let read: Result<twinrun_testing::saved::SavedCase, _> = serde_json::from_slice(case);
    assert!(read.is_ok(), "the sample is a saved case: {read:?}");
    drive(twinrun_oracles::saved, &[case], 5000, 1);
}

#[cfg(feature = "certificate")]
#[test]
fn certificates_are_answered_and_what_is_not_whole_is_refused() {
    let text = br#"{"version":1,"subject":"s","relation":"r","module":"00","states":"holds","way":"merged_paths","bounds":{"limits":{},"depth":null},"inputs":["n: 1 to 3"],"paths":1,"checks":1,"reductions":{},"rules":[],"obligations":[{"file":"00001.smt2","sha256":"00","kind":"check","states":"x"}]}"#;
    drive(twinrun_oracles::certificate, &[text], 2000, 1);
}

#[cfg(feature = "terms")]
#[test]
fn terms_intervals_integers_and_printed_texts_mean_what_was_built() {
    drive(twinrun_oracles::terms, &[], 3000, 1);
}
