"""Runs tests of a Python subject and judges groups; the same protocol as driver.c.

Usage: driver.py FOLDER. Standard input: the numbers of parameters, tests and groups (32-bit), the tests as doubles, and for each
group its relation, source and follow-up (32-bit). Standard output: a 64-bit digest of every test's output (0 when it raised), then
one byte a group: 0 holds, 1 violated, 2 not judged. FOLDER/subject.py has `run(test)`, which gives a list of numbers, and
`RULES`, one function of two outputs for each relation of the model.
"""

import hashlib
import importlib.util
import os
import struct
import sys
import warnings

warnings.simplefilter("ignore")


def load(folder):
    spec = importlib.util.spec_from_file_location("subject", os.path.join(folder, "subject.py"))
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def digest(output):
    # Rounded: what differs in the last bits only is the same answer.
    text = ",".join("%.9g" % value for value in output)
    return int.from_bytes(hashlib.blake2b(text.encode(), digest_size=8).digest(), "little") | 1


def main():
    subject = load(sys.argv[1])
    data = sys.stdin.buffer.read()
    width, tests, groups = struct.unpack_from("<3i", data)
    values = struct.unpack_from("<%dd" % (width * tests), data, 12)
    triples = struct.unpack_from("<%di" % (3 * groups), data, 12 + 8 * width * tests)
    outputs, seen = [], {}
    for index in range(tests):
        test = values[index * width : (index + 1) * width]
        if test not in seen:
            try:
                seen[test] = [float(value) for value in subject.run(test)]
            except Exception:
                seen[test] = None
        outputs.append(seen[test])
    out = bytearray()
    for output in outputs:
        out += struct.pack("<Q", 0 if output is None else digest(output))
    for index in range(groups):
        relation, source, follow = triples[3 * index : 3 * index + 3]
        first, second = outputs[source], outputs[follow]
        if first is None or second is None:
            out.append(2)
        else:
            out.append(0 if subject.RULES[relation](first, second) else 1)
    sys.stdout.buffer.write(out)


main()
