//! Connections that say nothing. A file of its own: no other test's threads are counted.

use std::io::{Read, Write};
use std::net::TcpStream;
use std::sync::atomic::{AtomicBool, Ordering};

use twinrun_serve::{Response, Server};

#[test]
fn idle_connections_cost_no_threads_and_keep_nobody_out() {
    let threads = || std::fs::read_dir("/proc/self/task").map_or(0, Iterator::count);
    let server = Server::bind(0).unwrap();
    let stop = AtomicBool::new(false);
    std::thread::scope(|scope| {
        scope.spawn(|| server.run(&|_| Response::text("here\n"), &stop));
        let before = threads();
        let idle: Vec<TcpStream> = (0..600).map(|_| TcpStream::connect(server.address()).unwrap()).collect();
        let mut stream = TcpStream::connect(server.address()).unwrap();
        stream.write_all(b"GET / HTTP/1.1\r\nHost: localhost\r\n\r\n").unwrap();
        let mut answer = String::new();
        stream.read_to_string(&mut answer).unwrap();
        assert!(answer.starts_with("HTTP/1.1 200 OK") && answer.ends_with("here\n"), "{answer}");
        assert_eq!(threads(), before);
        drop(idle);
        stop.store(true, Ordering::Relaxed);
    });
}
