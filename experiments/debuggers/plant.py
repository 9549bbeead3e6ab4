#!/usr/bin/env python3
"""Stands between a client and a debug adapter and plants one kind of fault at every PERIOD-th opportunity of a session.

Each time it acts a byte goes to LOG.

usage: plant.py KIND PERIOD LOG ADAPTER...
"""
import json, subprocess, sys, threading

kind, period, log, command = sys.argv[1], int(sys.argv[2]), sys.argv[3], sys.argv[4:]
real = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL)
lock = threading.RLock()
opportunities = 0
asked, renamed, ours = {}, {}, set()
last_sent, extra, client_lines = [], [], []
local_scopes, frames, shown, held = set(), [], {}, []
number, own, out_number = 0, 1_000_000, 0


def acts():
    global opportunities
    opportunities += 1
    if opportunities % period:
        return False
    with open(log, "ab") as acted:
        acted.write(b".")
    return True


def read(stream):
    length = None
    while True:
        line = stream.readline()
        if not line:
            return None
        if not line.strip():
            break
        if line.lower().startswith(b"content-length:"):
            length = int(line.split(b":")[1])
    return json.loads(stream.read(length))


def write(stream, message):
    body = json.dumps(message).encode()
    stream.write(b"Content-Length: %d\r\n\r\n" % len(body) + body)
    stream.flush()


def to_client(message):
    global out_number
    out_number += 1
    message["seq"] = out_number
    write(sys.stdout.buffer, message)


def to_real(message):
    write(real.stdin, message)


def request(name, arguments):
    """A request of our own: its response does not reach the client."""
    global own
    own += 1
    ours.add(own)
    to_real({"seq": own, "type": "request", "command": name, "arguments": arguments})


def from_client(message):
    name, arguments = message.get("command"), message.get("arguments") or {}
    asked[message["seq"]] = (name, arguments)
    if name in ("continue", "next", "stepIn", "stepOut"):
        local_scopes.clear()
    if kind == "step-over-enters" and name == "next" and acts():
        renamed[message["seq"]] = "next"
        message = dict(message, command="stepIn")
    if kind == "double-pause" and name == "continue" and acts():
        to_client({"type": "response", "request_seq": message["seq"], "command": name, "success": True, "body": {"allThreadsContinued": True}})
        to_client({"type": "event", "event": "stopped", "body": {"reason": "breakpoint", "threadId": arguments.get("threadId"), "allThreadsStopped": True}})
        return
    if name == "setBreakpoints":
        global last_sent, extra
        given = arguments.get("breakpoints", [])
        if kind == "cleared-breakpoint-lives":
            lines = [entry["line"] for entry in given]
            lacking = [entry for entry in last_sent if entry["line"] not in lines and entry not in extra]
            extra = [entry for entry in extra if entry["line"] not in lines]
            if lacking and acts():
                extra += lacking
            sent = given + sorted(extra, key=lambda entry: entry["line"])
            last_sent = sent
            message = dict(message, arguments=dict(arguments, breakpoints=sent))
        if kind == "lost-breakpoint":
            new = [entry for entry in given if entry not in client_lines]
            if new and acts():
                extra += new
            client_lines[:] = given
            extra = [entry for entry in extra if entry in given]
            message = dict(message, arguments=dict(arguments, breakpoints=[entry for entry in given if entry not in extra]))
    if kind == "wrong-frame" and name == "scopes" and len(frames) > 1 and acts():
        at = frames.index(arguments["frameId"]) if arguments["frameId"] in frames else 0
        message = dict(message, arguments={"frameId": frames[min(at + 1, len(frames) - 1)]})
    to_real(message)


def deliver_held():
    for message in held:
        to_client(message)
    held.clear()


def from_real(message):
    if message["type"] == "response":
        if message["request_seq"] in ours:
            return
        name, arguments = asked.get(message["request_seq"], (None, {}))
        if message["request_seq"] in renamed:
            message["command"] = renamed[message["request_seq"]]
        body = message.get("body") or {}
        if name == "setBreakpoints" and kind == "cleared-breakpoint-lives":
            body["breakpoints"] = body["breakpoints"][:len(arguments.get("breakpoints", []))]
        if name == "setBreakpoints" and kind == "lost-breakpoint":
            answers, whole = list(body.get("breakpoints", [])), []
            for entry in arguments.get("breakpoints", []):
                whole.append({"verified": True, "line": entry["line"], "id": 900_000 + entry["line"]} if entry in extra else answers.pop(0))
            body["breakpoints"] = whole
        if name == "stackTrace":
            frames[:] = [frame["id"] for frame in body.get("stackFrames", [])]
            if kind == "moved-line" and frames and acts():
                body["stackFrames"][0]["line"] += 1
        if name == "scopes":
            for scope in body.get("scopes", []):
                if scope.get("presentationHint") == "locals" or scope["name"].startswith("Local"):
                    local_scopes.add(scope["variablesReference"])
        if name == "variables" and arguments.get("variablesReference") in local_scopes:
            listed = body.get("variables", [])
            if kind == "variable-missing" and len(listed) >= 2 and acts():
                listed.pop()
            if kind == "stale-variable" and listed:
                stale = acts()
                for variable in listed:
                    now = variable["value"]
                    if stale and variable["name"] in shown:
                        variable["value"] = shown[variable["name"]]
                    shown[variable["name"]] = now
        if name == "evaluate" and kind == "wrong-evaluate" and message.get("success") and acts():
            result = body.get("result", "")
            body["result"] = str(int(result) + 1) if result.lstrip("-").isdigit() else result + "?"
        if name == "disconnect":
            deliver_held()
        return to_client(message)
    event, body = message.get("event"), message.get("body") or {}
    if event == "stopped" and kind == "dropped-pause" and body.get("reason") == "breakpoint" and acts():
        return request("continue", {"threadId": body.get("threadId")})
    if event == "output" and body.get("category", "console") in ("stdout", "stderr"):
        if kind == "swallowed-output" and acts():
            return
        if kind == "late-output" and (held or acts()):
            return held.append(message)
    if event in ("terminated", "exited"):
        deliver_held()
    to_client(message)
    if event == "stopped":
        deliver_held()


def pump():
    while (message := read(real.stdout)) is not None:
        with lock:
            from_real(message)
    sys.stdout.close()


threading.Thread(target=pump, daemon=True).start()
while (message := read(sys.stdin.buffer)) is not None:
    with lock:
        from_client(message)
real.kill()
