#!/usr/bin/env python3
"""Replays two debugging sessions over the V8 inspector and shows where they part.

usage: REPLAY.py [NODE]        the node binary to debug with; default: node

Needs nothing but Python 3. What was expected and found stands at the end. Exit code: 0 when it repeats, 1 when it does not, 3 when
that has to be told by eye.
"""
import base64, json, os, re, socket, struct, subprocess, sys


class Inspector:
    def __init__(self, node):
        host = ("global.__vm = require('vm'); process.on('unhandledRejection', () => {});"
                "global.__drain = () => new Promise(setImmediate); setInterval(() => {}, 1e8);"
                "setImmediate(() => { global.__ready = true; })")
        self.node = subprocess.Popen([node, "--inspect=127.0.0.1:0", "--random-seed=42", "-e", host],
                                     stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE)
        while True:
            line = self.node.stderr.readline().decode()
            found = re.search(r"ws://127\.0\.0\.1:(\d+)(/\S+)", line)
            if found:
                break
            if not line:
                sys.exit("node offers no inspector")
        port, path = found.groups()
        self.socket = socket.create_connection(("127.0.0.1", int(port)))
        self.socket.settimeout(30)
        key = base64.b64encode(os.urandom(16)).decode()
        self.socket.sendall((f"GET {path} HTTP/1.1\r\nHost: 127.0.0.1:{port}\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
                             f"Sec-WebSocket-Key: {key}\r\nSec-WebSocket-Version: 13\r\n\r\n").encode())
        self.buffer = b""
        while b"\r\n\r\n" not in self.buffer:
            self.buffer += self.socket.recv(4096)
        self.buffer = self.buffer.split(b"\r\n\r\n", 1)[1]
        self.last, self.events, self.replies = 0, [], {}

    def take(self, count):
        while len(self.buffer) < count:
            chunk = self.socket.recv(65536)
            if not chunk:
                raise EOFError
            self.buffer += chunk
        taken, self.buffer = self.buffer[:count], self.buffer[count:]
        return taken

    def read(self):
        _, size = self.take(2)
        if size == 126:
            size, = struct.unpack(">H", self.take(2))
        elif size == 127:
            size, = struct.unpack(">Q", self.take(8))
        message = json.loads(self.take(size))
        if "id" in message:
            self.replies[message["id"]] = message
        else:
            self.events.append(message)

    def send(self, method, **parameters):
        self.last += 1
        data = json.dumps({"id": self.last, "method": method, "params": parameters}).encode()
        size = len(data)
        head = bytes([0x81, 0x80 | size]) if size < 126 else (
            b"\x81\xfe" + struct.pack(">H", size) if size < 65536 else b"\x81\xff" + struct.pack(">Q", size))
        self.socket.sendall(head + b"\0\0\0\0" + data)
        return self.last

    def call(self, method, **parameters):
        number = self.send(method, **parameters)
        while number not in self.replies:
            self.read()
        reply = self.replies.pop(number)
        return reply.get("result", {"refused": reply.get("error", {}).get("message")})

    def wait(self, number):
        """The next pause, or the reply that means the end."""
        while True:
            while self.events:
                event = self.events.pop(0)
                if event["method"] == "Debugger.paused":
                    return event["params"]
            if number in self.replies:
                return None
            self.read()


def session(node, source, actions):
    inspector = Inspector(node)
    lines, answers, frame = [], [], None
    try:
        inspector.call("Runtime.enable")
        inspector.call("Debugger.enable")
        while inspector.call("Runtime.evaluate", expression="typeof __ready").get("result", {}).get("value") != "boolean":
            pass
        inspector.call("Runtime.evaluate", expression="void (global.__context = __vm.createContext())")
        contexts = [e for e in inspector.events if e["method"] == "Runtime.executionContextCreated"]
        context = contexts[-1]["params"]["context"]["id"]
        inspector.events = []
        script = inspector.call("Runtime.compileScript", expression=source, sourceURL="program.js", persistScript=True,
                                executionContextId=context)["scriptId"]
        standing, running = {}, None
        for action in actions:
            if "set" in action:
                at = action["set"]["at"]
                extra = {"condition": action["set"]["condition"]} if action["set"].get("condition") else {}
                reply = inspector.call("Debugger.setBreakpoint", location={
                    "scriptId": script, "lineNumber": at["line"] - 1, "columnNumber": at["column"]}, **extra)
                if reply.get("refused"):
                    said = "refused: " + reply["refused"]
                else:
                    standing[at["line"], at["column"]] = reply["breakpointId"]
                    place = reply["actualLocation"]
                    said = f"set at {place['lineNumber'] + 1}:{place['columnNumber']}"
                lines.append(f"set breakpoint at {at['line']}:{at['column']} -> {said}")
                answers.append((said, {}, []))
            elif "remove" in action:
                at = action["remove"]["at"]
                name = standing.pop((at["line"], at["column"]), None)
                if name:
                    inspector.call("Debugger.removeBreakpoint", breakpointId=name)
                lines.append(f"remove breakpoint at {at['line']}:{at['column']}")
                answers.append(("removed", {}, []))
            elif "special" in action and action["special"] != "restart" and "run-to" not in action["special"]:
                (what, given), = action["special"].items()
                said = "not repeated by this script"
                if what == "evaluate":
                    reply = inspector.call("Debugger.evaluateOnCallFrame", callFrameId=frame["callFrameId"], expression=given["expression"])
                    value = reply.get("result", {})
                    said = json.dumps(value.get("value")) if "value" in value else value.get("description", "").split("\n")[0]
                elif what == "by-url":
                    reply = inspector.call("Debugger.setBreakpointByUrl", url="program.js", lineNumber=given["at"]["line"] - 1,
                                           columnNumber=given["at"]["column"])
                    place = (reply.get("locations") or [None])[0]
                    said = f"set at {place['lineNumber'] + 1}:{place['columnNumber']}" if place else "refused: " + str(reply.get("refused"))
                elif what == "exceptions":
                    inspector.call("Debugger.setPauseOnExceptions", state="all" if given["on"] else "none")
                    said = "done"
                elif what == "assign":
                    for number, scope in enumerate(frame["scopeChain"]):
                        inspector.call("Debugger.setVariableValue", scopeNumber=number, variableName=given["name"],
                                       newValue={"value": json.loads(given["value"])}, callFrameId=frame["callFrameId"])
                        break
                lines.append(f"{what} {given} -> {said}")
                answers.append((said, {}, []))
            else:
                control = action.get("control", "restart" if action.get("special") == "restart" else "run-to")
                if control == "restart":
                    reply = inspector.call("Debugger.restartFrame", callFrameId=frame["callFrameId"], mode="StepInto")
                    if reply.get("refused"):
                        lines.append(f"restart -> refused: {reply['refused']}")
                        answers.append(("refused", {}, []))
                        continue
                elif control == "run-to":
                    at = action["special"]["run-to"]["at"]
                    inspector.call("Debugger.continueToLocation", location={
                        "scriptId": script, "lineNumber": at["line"] - 1, "columnNumber": at["column"]})
                elif running is None:
                    running = inspector.send("Runtime.runScript", scriptId=script, executionContextId=context)
                else:
                    inspector.send({"continue": "Debugger.resume", "step-out": "Debugger.stepOut",
                                    "step-over": "Debugger.stepOver", "step-into": "Debugger.stepInto"}[control])
                drained = False
                while True:
                    pause = inspector.wait(running)
                    if pause is None and not drained:
                        drained = True
                        running = inspector.send("Runtime.evaluate", expression="__drain()", awaitPromise=True)
                        continue
                    if pause is None or pause["callFrames"][0]["location"]["scriptId"] == script:
                        break
                    inspector.send("Debugger.resume")
                if pause is None:
                    lines.append(f"{control} -> finished")
                    answers.append(("finished", {}, []))
                    break
                frame = pause["callFrames"][0]
                place = frame["location"]
                lines.append(f"{control} -> paused at {place['lineNumber'] + 1}:{place['columnNumber']}")
                shown, stack = {}, [f["functionName"] for f in pause["callFrames"]]
                for scope in frame["scopeChain"]:
                    if scope["type"] in ("local", "block", "closure", "catch"):
                        found = inspector.call("Runtime.getProperties", objectId=scope["object"]["objectId"], ownProperties=True)
                        names = sorted(p["name"] + " = " + str(p.get("value", {}).get("value", p.get("value", {}).get("description", "")))[:40]
                                       for p in found.get("result", []))
                        lines.append(f"    {scope['type']}: {', '.join(names)}")
                        for name in names:
                            shown.setdefault(name.split(" = ")[0], []).append(name)
                answers.append((f"paused at {place['lineNumber'] + 1}:{place['columnNumber']}", shown, stack))
        if running is not None and answers[-1][0] != "finished":
            inspector.call("Debugger.setBreakpointsActive", active=False)
            inspector.send("Debugger.resume")
            while inspector.wait(running) is not None:
                inspector.send("Debugger.resume")
            lines.append("to the end without breakpoints -> finished")
    except (EOFError, ConnectionError, BrokenPipeError):
        lines.append(f"the debugger died: {inspector.node.wait()}")
        answers.append(("crashed", {}, []))
    except socket.timeout:
        lines.append("silence")
        answers.append(("silent", {}, []))
    finally:
        inspector.node.kill()
        inspector.node.wait()
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
    node = sys.argv[1] if len(sys.argv) > 1 else "node"
    answers = []
    for title in ("initial", "follow_up"):
        print(f"== {title} program")
        for number, line in enumerate(DATA[title]["source"].splitlines(), 1):
            print(f"{number:4} {line}")
        print(f"== {title} session")
        lines, found = session(node, DATA[title]["source"], DATA[title]["actions"])
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
