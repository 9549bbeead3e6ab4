#!/usr/bin/env python3
"""Replays two debugging sessions over the Debug Adapter Protocol and shows both traces.

usage: REPLAY.py [ADAPTER]     for C the adapter, default lldb-dap-19; for Python an interpreter that has debugpy
"""
import json, os, queue, subprocess, sys, tempfile, threading


class Adapter:
    def __init__(self, command):
        self.child = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL)
        self.messages, self.events, self.last = queue.Queue(), [], 0
        threading.Thread(target=self.read, daemon=True).start()

    def read(self):
        while True:
            length = None
            while True:
                line = self.child.stdout.readline()
                if not line:
                    return self.messages.put(None)
                if not line.strip():
                    break
                if line.lower().startswith(b"content-length:"):
                    length = int(line.split(b":")[1])
            self.messages.put(json.loads(self.child.stdout.read(length)))

    def next(self):
        message = self.messages.get(timeout=60)
        if message is None:
            raise EOFError
        return message

    def send(self, command, arguments):
        self.last += 1
        body = json.dumps({"seq": self.last, "type": "request", "command": command, "arguments": arguments}).encode()
        self.child.stdin.write(b"Content-Length: %d\r\n\r\n" % len(body) + body)
        self.child.stdin.flush()
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
    is_c = DATA["language"] == "c"
    path = os.path.join(folder, "program.c" if is_c else "program.py")
    with open(path, "w") as file:
        file.write(source)
    if is_c:
        subprocess.check_call(["cc", "-g", "-O0", "-w", "-o", path[:-2], path, "-lm"])
        adapter = Adapter([sys.argv[1] if len(sys.argv) > 1 else "lldb-dap-19"])
        launch = {"program": path[:-2], "cwd": folder}
    else:
        python = sys.argv[1] if len(sys.argv) > 1 else sys.executable
        adapter = Adapter([python, "-m", "debugpy.adapter"])
        launch = {"request": "launch", "program": path, "python": [python], "console": "internalConsole",
                  "redirectOutput": True, "justMyCode": True}
    lines, standing, thread = [], [], None
    try:
        adapter.call("initialize", {"adapterID": "replay", "linesStartAt1": True, "pathFormat": "path"})
        adapter.send("launch", launch)
        adapter.event(["initialized"])

        def breakpoints():
            return adapter.call("setBreakpoints", {"source": {"path": path}, "breakpoints": standing}).get("breakpoints", [])

        for action in actions:
            if "set" in action:
                line = action["set"]["at"]["line"]
                entry = {"line": line}
                if action["set"].get("condition"):
                    entry["condition"] = action["set"]["condition"]
                standing.append(entry)
                answer = breakpoints()[-1]
                lines.append(f"set breakpoint at line {line} -> " + (f"line {answer.get('line')}" if answer.get("verified") else "refused"))
                if not answer.get("verified"):
                    standing.pop()
            elif "remove" in action:
                line = action["remove"]["at"]["line"]
                standing[:] = [entry for entry in standing if entry["line"] != line]
                breakpoints()
                lines.append(f"remove breakpoint at line {line}")
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
                    break
                thread = event["body"].get("threadId", 1)
                frame = adapter.call("stackTrace", {"threadId": thread, "levels": 1})["stackFrames"][0]
                lines.append(f"{control} -> paused in {frame['name']} at line {frame['line']}")
                for scope in adapter.call("scopes", {"frameId": frame["id"]}).get("scopes", []):
                    if scope["name"] == "Locals":
                        found = adapter.call("variables", {"variablesReference": scope["variablesReference"]})
                        shown = [f"{v['name']} = {v['value']}" for v in found.get("variables", []) if not v["name"].startswith("__")]
                        lines.append("    " + ", ".join(shown))
    except EOFError:
        lines.append("the adapter ended")
    except queue.Empty:
        lines.append("silence")
    finally:
        adapter.child.kill()
    return lines


def main():
    for title in ("initial", "follow_up"):
        print(f"== {title} program")
        for number, line in enumerate(DATA[title]["source"].splitlines(), 1):
            print(f"{number:4} {line}")
        print(f"== {title} session")
        with tempfile.TemporaryDirectory() as folder:
            print("\n".join(session(folder, DATA[title]["source"], DATA[title]["actions"])))
    print("== expected", DATA["expected"])
    print("== found by Twinrun", DATA["found"])


# A script that Twinrun writes has the data of its warning in itself; here the first argument names a file with it.
if __name__ == "__main__":
    DATA = json.load(open(sys.argv.pop(1)))
    main()
