//! Reading a request: only its first line and the `Host` header matter, and neither may be long.

use crate::response::Response;

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

impl Refusal {
    /// What the client is told.
    pub(crate) fn response(self) -> Response {
        match self {
            Refusal::Malformed => Response::with("400 Bad Request", "This is not a request.\n"),
            Refusal::Method => Response::with("405 Method Not Allowed", "Only GET and HEAD are answered.\n"),
            Refusal::Long => {
                Response::with("431 Request Header Fields Too Large", "The request is too long.\n")
            }
            Refusal::Host => Response::with(
                "421 Misdirected Request",
                "This server answers to 127.0.0.1 and localhost only.\n",
            ),
        }
    }
}

/// The request in these first bytes of a connection; nothing before the empty line that ends it has come.
pub(crate) fn parse_head(head: &[u8]) -> Option<Result<Request, Refusal>> {
    if let Some(end) = head.windows(4).position(|four| four == b"\r\n\r\n") {
        return Some(parse(&head[..end]));
    }
    (head.len() > MOST).then_some(Err(Refusal::Long))
}

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
    let mut hosts = Vec::new();
    for line in lines {
        // A name ends at its colon: white space before it, or a line that continues the last, could hide a second `Host` from one of two readers.
        let (name, value) = line.split_once(':').ok_or(Refusal::Malformed)?;
        if name.is_empty() || !name.bytes().all(|byte| byte.is_ascii_graphic()) {
            return Err(Refusal::Malformed);
        }
        if name.eq_ignore_ascii_case("host") {
            hosts.push(value.trim_matches([' ', '\t']));
        }
    }
    match hosts[..] {
        [host] if is_loopback(host) => {}
        [host] if is_name(host) => return Err(Refusal::Host),
        // Without one, or with two, nobody can say who is asked (RFC 9112, 3.2).
        _ => return Err(Refusal::Malformed),
    }
    let path = target.split(['?', '#']).next().unwrap_or_default().to_owned();
    Ok(Request { path, head })
}

/// A name of this machine for itself, with or without a port.
fn is_loopback(host: &str) -> bool {
    let name = match host.rsplit_once(':') {
        // `parse` would take a sign.
        Some((name, port))
            if port.bytes().all(|byte| byte.is_ascii_digit()) && port.parse::<u16>().is_ok() =>
        {
            name
        }
        _ => host,
    };
    matches!(name, "localhost" | "127.0.0.1" | "[::1]")
}

/// Whether this could be the name of another host.
fn is_name(host: &str) -> bool {
    let allowed = |byte: u8| byte.is_ascii_alphanumeric() || b".-_:[]".contains(&byte);
    !host.is_empty() && host.bytes().all(allowed)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(text: &str, expect: Result<(&str, bool), Refusal>) {
        let expect = expect.map(|(path, head)| Request { path: path.to_owned(), head });
        assert_eq!(parse_head(text.as_bytes()), Some(expect), "{text}");
    }

    #[test]
    fn only_plain_requests_to_this_machine_are_taken() {
        check("GET / HTTP/1.1\r\nHost: localhost:8000\r\n\r\n", Ok(("/", false)));
        check("HEAD /a?b=c HTTP/1.0\r\nHost: localhost\r\n\r\n", Ok(("/a", true)));
        check("GET / HTTP/1.1\r\nhOsT:  127.0.0.1\r\n\r\n", Ok(("/", false)));
        check("GET / HTTP/1.1\r\nHost: [::1]:80\r\n\r\n", Ok(("/", false)));
        check("GET / HTTP/1.1\r\nHost: evil.example:8000\r\n\r\n", Err(Refusal::Host));
        check("POST / HTTP/1.1\r\n\r\n", Err(Refusal::Method));
        check("GET http://a/ HTTP/1.1\r\n\r\n", Err(Refusal::Malformed));
        check("GET / HTTP/1.1 x\r\n\r\n", Err(Refusal::Malformed));
        assert_eq!(parse_head(b"GET / HTTP/1.1\r\nHost: localhost\r\n"), None);
        assert_eq!(parse_head(format!("GET /{}", "a".repeat(20_000)).as_bytes()), Some(Err(Refusal::Long)));
    }

    #[test]
    fn a_missing_doubled_or_malformed_host_is_refused() {
        check("GET / HTTP/1.1\r\n\r\n", Err(Refusal::Malformed));
        check("GET / HTTP/1.0\r\n\r\n", Err(Refusal::Malformed));
        check("GET / HTTP/1.1\r\nHost:\r\n\r\n", Err(Refusal::Malformed));
        check("GET / HTTP/1.1\r\nHost: localhost\r\nHost: localhost\r\n\r\n", Err(Refusal::Malformed));
        check("GET / HTTP/1.1\r\nHost: localhost\r\nhost: evil.example\r\n\r\n", Err(Refusal::Malformed));
        check("GET / HTTP/1.1\r\nHost : localhost\r\n\r\n", Err(Refusal::Malformed));
        check("GET / HTTP/1.1\r\nHost: evil.example\r\n Host: localhost\r\n\r\n", Err(Refusal::Malformed));
        check("GET / HTTP/1.1\r\nHost: localhost evil.example\r\n\r\n", Err(Refusal::Malformed));
        check("GET / HTTP/1.1\r\nHost: localhost:\r\n\r\n", Err(Refusal::Host));
        check("GET / HTTP/1.1\r\nHost: localhost:99999\r\n\r\n", Err(Refusal::Host));
        check("GET / HTTP/1.1\r\nHost: a@localhost\r\n\r\n", Err(Refusal::Malformed));
    }
}
