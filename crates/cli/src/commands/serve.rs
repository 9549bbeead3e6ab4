//! `twinrun serve`: the page of the last or the running hunt, live, on loopback.

use std::fs;
use std::path::Path;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::SystemTime;

use clap::Args;
use twinrun_base::{Exit, Hash};
use twinrun_hunt::{Hunt, Stored, page, path};
use twinrun_report::html;
use twinrun_serve::{Request, Response, Server};

use crate::commands::hunt::{plain, sources};
use crate::error::Error;
use crate::options::Common;
use crate::{Outcome, stop, targets};

/// Shows the last or the running hunt in a browser, live.
#[derive(Debug, Args)]
pub(crate) struct Serve {
    /// The port on 127.0.0.1; 0 takes any
    #[arg(long, default_value_t = 8471, value_name = "N")]
    port: u16,
}

/// What is served: the page of one state of the hunt's file.
#[derive(Clone)]
struct Shown {
    /// When the file was written, and its length.
    state: Option<(SystemTime, u64)>,
    version: String,
    page: Arc<[u8]>,
}

pub(crate) fn run(options: &Serve, common: &Common) -> Outcome {
    let project = targets::project(common)?;
    let server = Server::bind(options.port).map_err(|error| Error::Infrastructure(error.to_string()))?;
    let (file, folder) = (path(&project.cache()), project.folder.clone());
    let shown: Mutex<Option<Shown>> = Mutex::new(None);
    let current = || {
        let mut shown = shown.lock().unwrap_or_else(PoisonError::into_inner);
        let state = fs::metadata(&file).ok().and_then(|it| Some((it.modified().ok()?, it.len())));
        match &*shown {
            Some(known) if known.state == state => known.clone(),
            _ => {
                let fresh = render(&file, &folder, state);
                *shown = Some(fresh.clone());
                fresh
            }
        }
    };
    let handler = |request: &Request| match request.path.as_str() {
        "/" => Response::html(current().page),
        "/version" => Response::text(&current().version),
        _ => Response::not_found(),
    };
    println!("http://{}/ shows the hunt in {} (Ctrl-C ends)", server.address(), project.folder.display());
    server.run(&handler, &stop::flag());
    Ok(Exit::Holds)
}

fn render(file: &Path, folder: &Path, state: Option<(SystemTime, u64)>) -> Shown {
    let version = Hash::of([format!("{state:?}")]).short();
    let page = match (state, Hunt::load(file)) {
        (None, _) => empty(
            "No hunt has been here yet. Start one with `twinrun hunt`; this page then shows what it finds.",
            &version,
        ),
        (_, Err(error)) => empty(&error.to_string(), &version),
        (_, Ok(hunt)) => {
            let mut sources = sources(&hunt, folder);
            // A report may name headers elsewhere; they are nobody's business here.
            sources.keep_inside(folder);
            page::page(&hunt, &plain(&sources), Some(&version))
        }
    };
    Shown { state, version, page: page.into_bytes().into() }
}

fn empty(why: &str, version: &str) -> String {
    html::live_page("Twinrun hunt", &html::text(why), &[], Some(version))
}
