//! Reading a request: only its first line and the `Host` header matter, and neither may be long.

use std::io::{self, Read};
use std::time::{Duration, Instant};

/// Bytes of a request's head.
const MOST: usize = 8 << 10;

/// What was asked for.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Request {
    /// The path, without the query.
    pub path: String,
    /// Only the head of the answer is wanted.
    pub head: bool,
}

/// Why a request is not answered as asked.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Refusal {
    /// Not HTTP, or not complete.
    Malformed,
    /// Neither `GET` nor `HEAD`.
    Method,
    /// The head is too long.
    Long,
    /// It names another host.
    Host,
}

/// Reads up to the empty line; `until` is when patience ends.
pub(crate) fn read(stream: &mut impl Read, until: Instant) -> io::Result<Result<Request, Refusal>> {
    let mut head = Vec::new();
    let mut piece = [0; 1024];
    loop {
        if head.windows(4).any(|four| four == b"\r\n\r\n") {
            return Ok(parse(&head));
        }
        if head.len() > MOST {
            return Ok(Err(Refusal::Long));
        }
        if Instant::now() > until {
            return Err(io::ErrorKind::TimedOut.into());
        }
        match stream.read(&mut piece)? {
            0 => return Ok(Err(Refusal::Malformed)),
            read => head.extend_from_slice(&piece[..read]),
        }
    }
}

/// How long a client may take to say what it wants.
pub(crate) const PATIENCE: Duration = Duration::from_secs(10);

fn parse(head: &[u8]) -> Result<Request, Refusal> {
    let text = std::str::from_utf8(head).map_err(|_| Refusal::Malformed)?;
    let mut lines = text.split("\r\n");
    let mut words = lines.next().unwrap_or_default().split(' ');
    let (Some(method), Some(target), Some(version), None) =
        (words.next(), words.next(), words.next(), words.next())
    else {
        return Err(Refusal::Malformed);
    };
    if !version.starts_with("HTTP/1.") || !target.starts_with('/') {
        return Err(Refusal::Malformed);
    }
    let head = match method {
        "GET" => false,
        "HEAD" => true,
        _ => return Err(Refusal::Method),
    };
    let host =
        lines.filter_map(|line| line.split_once(':')).find(|(name, _)| name.eq_ignore_ascii_case("host"));
    if host.is_some_and(|(_, value)| !is_loopback(value.trim())) {
        return Err(Refusal::Host);
    }
    let path = target.split(['?', '#']).next().unwrap_or_default().to_owned();
    Ok(Request { path, head })
}

/// A name of this machine for itself, with or without a port.
fn is_loopback(host: &str) -> bool {
    let name = match host.rsplit_once(':') {
        Some((name, port)) if port.bytes().all(|byte| byte.is_ascii_digit()) => name,
        _ => host,
    };
    matches!(name, "localhost" | "127.0.0.1" | "[::1]")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(text: &str, expect: Result<(&str, bool), Refusal>) {
        let until = Instant::now() + PATIENCE;
        let read = read(&mut text.as_bytes(), until).unwrap();
        assert_eq!(read, expect.map(|(path, head)| Request { path: path.to_owned(), head }));
    }

    #[test]
    fn only_plain_requests_to_this_machine_are_taken() {
        check("GET / HTTP/1.1\r\nHost: localhost:8000\r\n\r\n", Ok(("/", false)));
        check("HEAD /a?b=c HTTP/1.0\r\n\r\n", Ok(("/a", true)));
        check("GET / HTTP/1.1\r\nhOsT:  127.0.0.1\r\n\r\n", Ok(("/", false)));
        check("GET / HTTP/1.1\r\nHost: [::1]:80\r\n\r\n", Ok(("/", false)));
        check("GET / HTTP/1.1\r\nHost: evil.example:8000\r\n\r\n", Err(Refusal::Host));
        check("POST / HTTP/1.1\r\n\r\n", Err(Refusal::Method));
        check("GET http://a/ HTTP/1.1\r\n\r\n", Err(Refusal::Malformed));
        check("GET / HTTP/1.1 x\r\n\r\n", Err(Refusal::Malformed));
        check("GET / HTTP/1.1\r\n", Err(Refusal::Malformed));
        check(&format!("GET /{} HTTP/1.1\r\n\r\n", "a".repeat(20_000)), Err(Refusal::Long));
    }
}
