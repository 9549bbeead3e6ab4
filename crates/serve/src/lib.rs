//! A small HTTP/1.1 server for pages on loopback: `GET` and `HEAD`, one request a connection, strict limits.
//!
//! It knows no files: what is served is what the handler answers for a path. Requests that name another host are refused, so that a
//! page on the web cannot read what is served here under a name that it controls.

mod connection;
mod request;
mod response;
mod server;

pub use request::Request;
pub use response::Response;
pub use server::{Error, Server};
