//! Every oracle on a bounded number of inputs, as part of the gate; the fuzz targets go on without bound.

use twinrun_oracles::drive::drive;
use twinrun_oracles::{module, recording, report};

const SEED: u64 = 1;

#[test]
fn modules_are_answered_and_their_sites_are_sound() {
    let empty = b"\0\0asm\x01\0\0\0";
    drive(module, &[empty], 3000, SEED);
}

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
    let recording_text = lines.join("\n") + "\n";
    drive(recording, &[recording_text.as_bytes()], 20_000, SEED);
}

#[test]
fn reports_are_inert_and_well_formed_in_every_format() {
    drive(report, &[], 3000, SEED);
}
