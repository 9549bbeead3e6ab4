//! Encryption and users: servers that demand them, and what those may do that have them.

use std::ffi::OsString;
use std::fs;
use std::path::{Path, PathBuf};

use data_encoding::BASE64URL_NOPAD;
use nkeys::KeyPair;
use serde_json::{Value, json};
use twinrun_cluster::server::{Certificates, Server};
use twinrun_cluster::status::{purge, status};
use twinrun_cluster::{Bus, Config, Error, runtime};

use crate::support::{Scene, coordinated, skipped};

/// A server with TLS, and where its files lie.
struct Guarded {
    scene: Scene,
    certificates: Certificates,
    log: PathBuf,
}

/// A server with a configuration; `values` are for its variables.
fn guarded(config: &Path, values: &[(&str, String)]) -> Option<Guarded> {
    let folder = tempfile::tempdir().unwrap();
    let Some(program) = Server::find(Path::new(env!("CARGO_MANIFEST_DIR"))) else {
        return skipped("nats-server is not installed (`./x test` installs it)");
    };
    let Some(certificates) = Certificates::make(&folder.path().join("certificates")).unwrap() else {
        return skipped("openssl is not installed");
    };
    let log = folder.path().join("server.log");
    let paths = [
        ("TWINRUN_NATS_CERT", certificates.certificate.clone().into_os_string()),
        ("TWINRUN_NATS_KEY", certificates.key.clone().into_os_string()),
        ("TWINRUN_NATS_CA", certificates.ca.clone().into_os_string()),
        ("TWINRUN_NATS_STORE", folder.path().join("storage").into_os_string()),
    ];
    let mut environment: Vec<(String, OsString)> =
        paths.map(|(name, value)| (name.to_owned(), value)).to_vec();
    environment.extend(values.iter().map(|(name, value)| ((*name).to_owned(), value.into())));
    let server = Server::guarded(&program, config, &log, environment)
        .unwrap_or_else(|error| panic!("{error}: {}", fs::read_to_string(&log).unwrap_or_default()));
    Some(Guarded { scene: Scene::with(folder, server), certificates, log })
}

impl Guarded {
    fn file(&self, name: &str, content: &str) -> PathBuf {
        let path = self.scene.folder.path().join(name);
        fs::write(&path, content).unwrap();
        path
    }

    /// What a user of this server says who he is.
    fn config(&self) -> Config {
        Config { ca: Some(self.certificates.ca.clone()), ..self.scene.config() }
    }

    /// A coordinator and a worker do their work, each as the user that it is.
    fn works(&mut self, coordinator: &Config, worker: &Config) {
        self.scene.access = Some(worker.clone());
        let _worker = self.scene.worker("a", 1);
        self.scene.access = Some(coordinator.clone());
        // A result above what fits into a message goes through the object store, as modules do.
        let answers = coordinated(self.scene.coordinate("one", "multiply:0..9,large:7..8,read:1..2"));
        let mut expected: Vec<Value> = (0..9).map(|n| json!(3 * n)).collect();
        expected.extend([json!(300_000), json!(9)]);
        assert_eq!(answers, expected);
    }

    fn said(&self) -> String {
        fs::read_to_string(&self.log).unwrap()
    }
}

fn refused(config: &Config) -> bool {
    let opened = runtime().unwrap().block_on(Bus::open(config, "stranger"));
    matches!(opened, Err(Error::Connect { .. }))
}

#[test]
fn the_rights_of_the_template_are_enough_and_no_more() {
    let (coordinator, worker) = (KeyPair::new_user(), KeyPair::new_user());
    let template = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../templates/cluster/nats-server.conf");
    let values = [("TWINRUN_COORDINATOR", coordinator.public_key()), ("TWINRUN_WORKER", worker.public_key())];
    let Some(mut guarded) = guarded(&template, &values) else { return };
    let user = |guarded: &Guarded, name: &str, pair: &KeyPair| Config {
        nkey: Some(guarded.file(name, &pair.seed().unwrap())),
        ..guarded.config()
    };
    let as_coordinator = user(&guarded, "coordinator.nk", &coordinator);
    let as_worker = user(&guarded, "worker.nk", &worker);
    guarded.works(&as_coordinator, &as_worker);
    assert!(!guarded.said().contains("Violation"), "{}", guarded.said());

    // Nobody, somebody else, and somebody who trusts other authorities.
    assert!(refused(&guarded.config()));
    assert!(refused(&user(&guarded, "other.nk", &KeyPair::new_user())));
    assert!(refused(&Config { ca: None, ..as_worker.clone() }));
    // A worker neither queues jobs nor removes any.
    let before = runtime().unwrap().block_on(status(&as_coordinator)).unwrap();
    assert!(runtime().unwrap().block_on(purge(&as_worker, false)).is_err());
    runtime().unwrap().block_on(async {
        let bus = Bus::open(&as_worker, "worker").await.unwrap();
        let subject = before.queues[0].name.replace("-sandbox-any", "");
        let subject = format!("twinrun.jobs.{subject}.sandbox.any.campaign.key");
        let sent = bus.jetstream.publish(subject, "a job".into()).await;
        bus.client.flush().await.unwrap();
        drop(sent);
    });
    let after = runtime().unwrap().block_on(status(&as_coordinator)).unwrap();
    assert_eq!(before.queues[0].waiting + before.queues[0].running, 0);
    assert_eq!(after.queues[0].waiting + after.queues[0].running, 0);
    for subject in ["twinrun.jobs.", "STREAM.PURGE.twinrun-jobs"] {
        let refused = guarded.said().lines().any(|line| line.contains("Violation") && line.contains(subject));
        assert!(refused, "{subject}: {}", guarded.said());
    }
}

#[test]
fn servers_may_ask_for_a_certificate() {
    let folder = tempfile::tempdir().unwrap();
    let config = folder.path().join("server.conf");
    let tls = "tls { cert_file: $TWINRUN_NATS_CERT, key_file: $TWINRUN_NATS_KEY, ca_file: $TWINRUN_NATS_CA, verify: true }";
    fs::write(&config, format!("jetstream {{ store_dir: $TWINRUN_NATS_STORE }}\n{tls}\n")).unwrap();
    let Some(mut guarded) = guarded(&config, &[]) else { return };
    let Certificates { certificate, key, .. } = guarded.certificates.clone();
    let user = Config { certificate: Some((certificate, key)), ..guarded.config() };
    assert!(refused(&guarded.config()));
    guarded.works(&user, &user);
}

#[test]
fn users_files_of_an_operator_are_read() {
    let pairs =
        (KeyPair::new_operator(), KeyPair::new_account(), KeyPair::new_account(), KeyPair::new_user());
    let (operator, system, account, user) = &pairs;
    let none = json!({ "subs": -1, "data": -1, "payload": -1 });
    let limits = json!({
        "subs": -1, "data": -1, "payload": -1, "imports": -1, "exports": -1, "wildcards": true, "conn": -1, "leaf": -1,
        "mem_storage": -1, "disk_storage": -1, "streams": -1, "consumer": -1,
    });
    let of_account = json!({ "type": "account", "version": 2, "limits": limits, "default_permissions": { "pub": {}, "sub": {} } });
    let mut of_user = json!({ "type": "user", "version": 2, "pub": {}, "sub": {} });
    of_user.as_object_mut().unwrap().extend(none.as_object().unwrap().clone());
    let operator_token = token(operator, operator, json!({ "type": "operator", "version": 2 }));
    // JetStream wants an account of the server's own beside ours, and may not be on in that one.
    let mut of_system = of_account.clone();
    of_system["limits"]["mem_storage"] = json!(0);
    of_system["limits"]["disk_storage"] = json!(0);
    let system_token = token(operator, system, of_system);
    let account_token = token(operator, account, of_account);
    let folder = tempfile::tempdir().unwrap();
    let config = folder.path().join("server.conf");
    let text = format!(
        "jetstream {{ store_dir: $TWINRUN_NATS_STORE }}\n\
         tls {{ cert_file: $TWINRUN_NATS_CERT, key_file: $TWINRUN_NATS_KEY }}\n\
         operator: {operator_token}\nresolver: MEMORY\nsystem_account: {of_system}\n\
         resolver_preload {{ {of_system}: {system_token}, {}: {account_token} }}\n",
        account.public_key(),
        of_system = system.public_key(),
    );
    fs::write(&config, text).unwrap();
    let Some(mut guarded) = guarded(&config, &[]) else { return };
    let creds = |pair: &KeyPair| {
        format!(
            "-----BEGIN NATS USER JWT-----\n{}\n------END NATS USER JWT------\n\n\
             -----BEGIN USER NKEY SEED-----\n{}\n------END USER NKEY SEED------\n",
            token(account, user, of_user.clone()),
            pair.seed().unwrap()
        )
    };
    let known = Config { credentials: Some(guarded.file("known.creds", &creds(user))), ..guarded.config() };
    // The same file with the key of somebody else.
    let other = guarded.file("other.creds", &creds(&KeyPair::new_user()));
    assert!(refused(&Config { credentials: Some(other), ..guarded.config() }));
    let missing = Config { credentials: Some(PathBuf::from("nowhere.creds")), ..guarded.config() };
    let opened = runtime().unwrap().block_on(Bus::open(&missing, "stranger"));
    assert!(matches!(opened, Err(Error::Credentials { .. })), "{:?}", opened.err());
    guarded.works(&known, &known);
}

/// What NATS calls a JWT: claims of an issuer about somebody, signed.
fn token(issuer: &KeyPair, subject: &KeyPair, nats: Value) -> String {
    let encoded = |value: Value| BASE64URL_NOPAD.encode(value.to_string().as_bytes());
    let (issuer_key, subject_key) = (issuer.public_key(), subject.public_key());
    let claims = json!({
        "jti": subject_key, "iat": 1_700_000_000, "iss": issuer_key, "name": "test", "sub": subject_key, "nats": nats,
    });
    let text = format!("{}.{}", encoded(json!({ "typ": "JWT", "alg": "ed25519-nkey" })), encoded(claims));
    let signature = issuer.sign(text.as_bytes()).unwrap();
    format!("{text}.{}", BASE64URL_NOPAD.encode(&signature))
}
