//! An answer, with the headers that keep a browser from guessing.

use std::sync::Arc;

/// What is answered.
#[derive(Clone, Debug)]
pub struct Response {
    /// The status with its words.
    pub status: &'static str,
    /// The type of the content.
    pub content_type: &'static str,
    /// The content, shared by all who ask at once.
    pub body: Arc<[u8]>,
}

impl Response {
    /// A page.
    pub fn html(body: Arc<[u8]>) -> Response {
        Response { status: "200 OK", content_type: "text/html; charset=utf-8", body }
    }

    /// JSON.
    pub fn json(body: Arc<[u8]>) -> Response {
        Response { status: "200 OK", content_type: "application/json", body }
    }

    /// Plain text.
    pub fn text(text: &str) -> Response {
        Response::with("200 OK", text)
    }

    /// Nothing is there.
    pub fn not_found() -> Response {
        Response::with("404 Not Found", "There is nothing here.\n")
    }

    pub(crate) fn with(status: &'static str, text: &str) -> Response {
        Response { status, content_type: "text/plain; charset=utf-8", body: text.as_bytes().into() }
    }

    /// Everything before the body.
    pub(crate) fn head(&self) -> Vec<u8> {
        format!(
            "HTTP/1.1 {}\r\nContent-Type: {}\r\nContent-Length: {}\r\nConnection: close\r\nCache-Control: no-store\r\n\
             X-Content-Type-Options: nosniff\r\nX-Frame-Options: DENY\r\nReferrer-Policy: no-referrer\r\n\
             Cross-Origin-Resource-Policy: same-origin\r\n\r\n",
            self.status,
            self.content_type,
            self.body.len()
        )
        .into_bytes()
    }
}
