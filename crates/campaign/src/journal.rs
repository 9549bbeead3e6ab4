//! The journal: results keyed by campaign and job id in SQLite.
//!
//! Write-ahead logging with `synchronous = NORMAL`: a commit is complete once the system has it, so a killed process
//! loses no committed result and leaves no half-written one. A power cut may undo the latest commits, and still leaves
//! a sound journal; their jobs then simply run again.

use std::path::{Path, PathBuf};

use rusqlite::{Connection, ErrorCode, OptionalExtension, params};
use serde_json::Value;

use crate::error::Error;
use crate::job::JobId;

const APPLICATION: i64 = 0x5457_524a; // "TWRJ"
const VERSION: i64 = 1;
const SCHEMA: &str = "
    CREATE TABLE result (
        campaign   TEXT    NOT NULL,
        job        BLOB    NOT NULL,
        spec       TEXT    NOT NULL, -- the job itself: canonical JSON, whose BLAKE3 is `job`
        state      TEXT    NOT NULL CHECK (state IN ('finished', 'failed')),
        answer     TEXT    NOT NULL, -- the result as JSON, or the message of the failure
        elapsed_ms INTEGER NOT NULL,
        PRIMARY KEY (campaign, job)
    ) WITHOUT ROWID;
";

/// What the journal knows of a job.
#[derive(Clone)]
pub(crate) struct Record {
    pub(crate) elapsed_ms: u64,
    pub(crate) answer: Answer,
}

/// How a job ended.
#[derive(Clone)]
pub(crate) enum Answer {
    Finished(Value),
    Failed(String),
}

pub(crate) struct Journal {
    connection: Connection,
    path: PathBuf,
}

impl Journal {
    pub(crate) fn open(path: &Path) -> Result<Self, Error> {
        let connection = Connection::open(path).map_err(|source| classify(path, source))?;
        Self::prepare(connection, path.to_path_buf())
    }

    pub(crate) fn in_memory() -> Result<Self, Error> {
        let path = PathBuf::from(":memory:");
        let connection = Connection::open_in_memory().map_err(|source| classify(&path, source))?;
        Self::prepare(connection, path)
    }

    /// What is recorded of one job.
    pub(crate) fn look_up(&self, campaign: &str, id: JobId) -> Result<Option<Record>, Error> {
        let read = || {
            let mut statement = self.connection.prepare_cached(
                "SELECT state, answer, elapsed_ms FROM result WHERE campaign = ?1 AND job = ?2",
            )?;
            statement
                .query_row(params![campaign, id.as_bytes()], |row| {
                    let (state, answer): (String, String) = (row.get(0)?, row.get(1)?);
                    let answer = match state.as_str() {
                        "failed" => Answer::Failed(answer),
                        _ => Answer::Finished(serde_json::from_str(&answer).map_err(|error| {
                            rusqlite::Error::FromSqlConversionFailure(
                                1,
                                rusqlite::types::Type::Text,
                                error.into(),
                            )
                        })?),
                    };
                    Ok(Record { elapsed_ms: row.get::<_, i64>(2)?.unsigned_abs(), answer })
                })
                .optional()
        };
        read().map_err(|source| Error::Read { path: self.path.clone(), source })
    }

    /// The ids of all jobs of a campaign that have a result or a recorded failure.
    pub(crate) fn ids(&self, campaign: &str) -> Result<Vec<JobId>, Error> {
        let read = || {
            let mut statement =
                self.connection.prepare_cached("SELECT job FROM result WHERE campaign = ?1 ORDER BY job")?;
            statement
                .query_map(params![campaign], |row| row.get(0).map(JobId::from_bytes))?
                .collect::<Result<Vec<_>, _>>()
        };
        read().map_err(|source| Error::Read { path: self.path.clone(), source })
    }

    /// Commits the answer of one job. A result is never overwritten; a failure may be, by a later attempt.
    pub(crate) fn record(
        &mut self,
        campaign: &str,
        id: JobId,
        spec: &str,
        record: &Record,
    ) -> Result<(), Error> {
        let (state, answer) = match &record.answer {
            Answer::Finished(result) => ("finished", result.to_string()),
            Answer::Failed(message) => ("failed", message.clone()),
        };
        let elapsed = i64::try_from(record.elapsed_ms).unwrap_or(i64::MAX);
        // One statement is one transaction.
        let write = || {
            let mut statement = self.connection.prepare_cached(
                "INSERT INTO result (campaign, job, spec, state, answer, elapsed_ms) \
                 VALUES (?1, ?2, ?3, ?4, ?5, ?6) \
                 ON CONFLICT DO UPDATE SET state = ?4, answer = ?5, elapsed_ms = ?6 WHERE state = 'failed'",
            )?;
            statement.execute(params![campaign, id.as_bytes(), spec, state, answer, elapsed])
        };
        write().map(drop).map_err(|source| Error::Write { path: self.path.clone(), source })
    }

    /// Forgets a campaign.
    pub(crate) fn forget(&mut self, campaign: &str) -> Result<(), Error> {
        let forgotten = self.connection.execute("DELETE FROM result WHERE campaign = ?1", params![campaign]);
        forgotten.map(drop).map_err(|source| Error::Write { path: self.path.clone(), source })
    }

    fn prepare(mut connection: Connection, path: PathBuf) -> Result<Self, Error> {
        let refuse = |source| classify(&path, source);
        let number = |connection: &Connection, name: &str| -> Result<i64, rusqlite::Error> {
            connection.query_row(&format!("PRAGMA {name}"), [], |row| row.get(0))
        };
        let application = number(&connection, "application_id").map_err(refuse)?;
        let tables: i64 = connection
            .query_row("SELECT count(*) FROM sqlite_schema", [], |row| row.get(0))
            .map_err(refuse)?;
        if application == 0 && tables == 0 {
            let mut create = || {
                // In one transaction: a kill leaves an empty file or the whole schema.
                connection.pragma_update(None, "journal_mode", "wal")?;
                let transaction = connection.transaction()?;
                transaction.execute_batch(SCHEMA)?;
                transaction.pragma_update(None, "application_id", APPLICATION)?;
                transaction.pragma_update(None, "user_version", VERSION)?;
                transaction.commit()
            };
            create().map_err(refuse)?;
        } else if application != APPLICATION {
            return Err(Error::NotAJournal { path });
        }
        let found = number(&connection, "user_version").map_err(refuse)?;
        if found != VERSION {
            return Err(Error::Version { path, found, expected: VERSION });
        }
        connection.pragma_update(None, "synchronous", "normal").map_err(refuse)?;
        Ok(Self { connection, path })
    }
}

fn classify(path: &Path, source: rusqlite::Error) -> Error {
    let path = path.to_path_buf();
    match source.sqlite_error_code() {
        Some(ErrorCode::NotADatabase) => Error::NotAJournal { path },
        Some(
            ErrorCode::DiskFull | ErrorCode::ReadOnly | ErrorCode::CannotOpen | ErrorCode::SystemIoFailure,
        ) => Error::Write { path, source },
        _ => Error::Read { path, source },
    }
}
