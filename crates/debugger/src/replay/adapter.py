#!/usr/bin/env python3
"""Replays two debugging sessions over the Debug Adapter Protocol and shows both traces.

usage: REPLAY.py [ADAPTER]     another program to start as the adapter (for debugpy: an interpreter that has it)

Exit code: 0 when it repeats, 1 when it does not, 3 when that has to be told by eye.
"""
import json, os, queue, socket, subprocess, sys, tempfile, threading, time


class Adapter:
    def __init__(self, command, address, environment):
        pipe = subprocess.DEVNULL if address else subprocess.PIPE
        self.child = subprocess.Popen(command, stdin=pipe, stdout=pipe, stderr=subprocess.DEVNULL, env=environment)
        self.input, self.output = self.child.stdin, self.child.stdout
        while address:
            host, port = address.split(":")
            try:
                stream = socket.create_connection((host, int(port)))
                self.input, self.output = stream.makefile("wb"), stream.makefile("rb")
                break
            except ConnectionError:
                time.sleep(0.02)
        self.messages, self.events, self.last = queue.Queue(), [], 0
        threading.Thread(target=self.read, daemon=True).start()

    def read(self):
        while True:
            length = None
            while True:
                line = self.output.readline()
                if not line:
                    return self.messages.put(None)
                if not line.strip():
                    break
                if line.lower().startswith(b"content-length:"):
                    length = int(line.split(b":")[1])
            self.messages.put(json.loads(self.output.read(length)))

    def next(self):
        message = self.messages.get(timeout=60)
        if message is None:
            raise EOFError
        return message

    def send(self, command, arguments):
        self.last += 1
        body = json.dumps({"seq": self.last, "type": "request", "command": command, "arguments": arguments}).encode()
        self.input.write(b"Content-Length: %d\r\n\r\n" % len(body) + body)
        self.input.flush()
        return self.last

    def call(self, command, arguments=None):
        number = self.send(command, arguments or {})
        while True:
            message = self.next()
            if message["type"] == "event":
                self.events.append(message)
            elif message["type"] == "response" and message["request_seq"] == number:
                return message.get("body") or {}

    def event(self, names):
        while True:
            for index, event in enumerate(self.events):
                if event["event"] in names:
                    return self.events.pop(index)
            message = self.next()
            if message["type"] == "event":
                self.events.append(message)


def session(folder, source, actions):
    about = DATA["adapter"]
    ends = {"python": "py", "rust": "rs", "javascript": "js"}
    path = os.path.join(folder, "program." + ends.get(DATA["language"], DATA["language"]))
    with open(path, "w") as file:
        file.write(source)
    built = path.rsplit(".", 1)[0] if any("${program}" in word for word in about["build"]) else path
    probe = socket.socket()
    probe.bind(("127.0.0.1", 0))
    port = str(probe.getsockname()[1])
    probe.close()

    def fill(value):
        if isinstance(value, dict):
            return {name: fill(field) for name, field in value.items()}
        if isinstance(value, list):
            return [fill(item) for item in value]
        if not isinstance(value, str):
            return value
        for word, meaning in (("source", path), ("program", built), ("folder", folder), ("port", port)):
            value = value.replace("${" + word + "}", meaning)
        return value

    if about["build"]:
        subprocess.check_call(fill(about["build"]), cwd=folder)
    command = fill(about["adapter"])
    if len(sys.argv) > 1:
        command[0] = sys.argv[1]
    adapter = Adapter(command, fill(about.get("connect") or ""), dict(os.environ, **about.get("environment", {})))
    launch = fill(about["launch"])
    lines, answers, standing, thread, frame = [], [], [], None, None
    try:
        adapter.call("initialize", {"adapterID": "replay", "linesStartAt1": True, "pathFormat": "path"})
        adapter.send("launch", launch)
        adapter.event(["initialized"])

        def breakpoints():
            return adapter.call("setBreakpoints", {"source": {"path": path}, "breakpoints": standing}).get("breakpoints", [])

        if about.get("held"):
            adapter.call("configurationDone")
            thread = adapter.event(["stopped"])["body"].get("threadId", 1)
        for action in actions:
            if "set" in action:
                line = action["set"]["at"]["line"]
                entry = {"line": line}
                if action["set"].get("condition"):
                    entry["condition"] = action["set"]["condition"]
                standing.append(entry)
                answer = breakpoints()[-1]
                lines.append(f"set breakpoint at line {line} -> " + (f"line {answer.get('line')}" if answer.get("verified") else "refused"))
                answers.append((f"set at {answer.get('line')}:0" if answer.get("verified") else "refused", [], []))
                if not answer.get("verified"):
                    standing.pop()
            elif "remove" in action:
                line = action["remove"]["at"]["line"]
                standing[:] = [entry for entry in standing if entry["line"] != line]
                breakpoints()
                lines.append(f"remove breakpoint at line {line}")
                answers.append(("removed", [], []))
            elif "special" in action:
                special = action["special"]
                (what, given), = special.items() if isinstance(special, dict) else [(special, {})]
                said = "not repeated by this script"
                if what == "passive":
                    extra = {"logMessage": "passed"} if given["how"] == "log" else {"hitCondition": "1000000"}
                    standing.append(dict({"line": given["at"]["line"]}, **extra))
                    answer = breakpoints()[-1]
                    said = f"set at {answer.get('line')}:0" if answer.get("verified") else "refused"
                elif what == "evaluate":
                    said = adapter.call("evaluate", {"expression": given["expression"], "frameId": frame["id"], "context": "watch"}).get("result", "refused")
                lines.append(f"{what} {given} -> {said}")
                answers.append((said, [], []))
            else:
                control = action["control"]
                if thread is None:
                    adapter.call("configurationDone")
                else:
                    command = {"continue": "continue", "step-out": "stepOut", "step-over": "next", "step-into": "stepIn"}[control]
                    adapter.call(command, {"threadId": thread})
                event = adapter.event(["stopped", "terminated"])
                if event["event"] == "terminated":
                    lines.append(f"{control} -> finished")
                    answers.append(("finished", [], []))
                    break
                thread = event["body"].get("threadId", 1)
                stack = adapter.call("stackTrace", {"threadId": thread, "startFrame": 0, "levels": 50})["stackFrames"]
                frame, shown = stack[0], []
                lines.append(f"{control} -> paused in {frame['name']} at line {frame['line']}")
                for scope in adapter.call("scopes", {"frameId": frame["id"]}).get("scopes", []):
                    if scope["name"].startswith("Local") or scope["name"] == "Arguments":
                        found = adapter.call("variables", {"variablesReference": scope["variablesReference"]})
                        shown += [f"{v['name']} = {v['value']}" for v in found.get("variables", []) if not v["name"].startswith("__")]
                lines.append("    " + ", ".join(shown))
                answers.append((f"paused at {frame['line']}:0", shown, [f["name"] for f in stack]))
    except EOFError:
        lines.append("the adapter ended")
        answers.append(("crashed", [], []))
    except queue.Empty:
        lines.append("silence")
        answers.append(("silent", [], []))
    finally:
        adapter.child.kill()
    return lines, answers


def repeated(one, two):
    """Whether the sessions part where they did for Twinrun; None when this script does not look there."""
    kind, steps = DATA["kind"], DATA["steps"]
    if kind in ("crash", "silence"):
        return bool(two) and two[-1][0] == ("crashed" if kind == "crash" else "silent")
    if not steps or len(one) <= steps[0] or len(two) <= steps[2]:
        return None if not steps else False
    (said, names, stack), (other, names_two, stack_two) = one[steps[0]], two[steps[2]]
    if kind.startswith(("breakpoint", "pause")):
        ended = ("finished", "threw", "exited")
        same = lambda seen, now: now.startswith("finished") if seen.startswith(ended) else now == seen.split("\n")[0]
        return same(steps[1], said) and same(steps[3], other)
    if kind == "stack":
        return stack != stack_two
    if kind in ("value", "variable-missing", "variable-extra"):
        return names != names_two
    return other == steps[3] if kind == "evaluation" else None


def main():
    answers = []
    for title in ("initial", "follow_up"):
        print(f"== {title} program")
        for number, line in enumerate(DATA[title]["source"].splitlines(), 1):
            print(f"{number:4} {line}")
        print(f"== {title} session")
        with tempfile.TemporaryDirectory() as folder:
            lines, found = session(folder, DATA[title]["source"], DATA[title]["actions"])
        print("\n".join(lines))
        answers.append(found)
    print("== expected", DATA["expected"])
    print("== found by Twinrun", DATA["found"])
    verdict = repeated(*answers)
    print("==", {True: "repeated", False: "NOT repeated", None: "to be told by eye"}[verdict])
    sys.exit({True: 0, False: 1, None: 3}[verdict])


# A script that Twinrun writes has the data of its warning in itself; here the first argument names a file with it.
if __name__ == "__main__":
    DATA = json.load(open(sys.argv.pop(1)))
    main()
