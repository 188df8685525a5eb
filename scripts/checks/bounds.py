"""How much memory and time hostile input takes: fails beyond the stated multiples of its size.

    scripts/check bounds [--replicate PATH]     inputs of 1 MiB: a minute
    scripts/check bounds --size MB              larger ones: as many minutes

Each shape of input is read from a file, given as a patch, and sent as JSON-RPC. Memory is the peak of the process less that of one
that writes `{}` and 16 MiB that any input may take; time is that of the processor. A command may refuse the input; it may not crash.
"""

import json
import os
import resource
import shutil
import signal
import subprocess
import sys
import tempfile

from support import arguments

# Peak memory, in bytes for each byte of input: what docs/promises.md says.
MULTIPLE = 512
# What any input may take.
CONSTANT = 16 << 20
# Seconds of the processor for each MiB of input; most of it is a margin.
SECONDS = 30


def shapes(size):
    """Inputs of about `size` bytes, each meant to be expensive in a way of its own."""
    text = lambda pattern: "[" + ",".join([pattern] * (size // (len(pattern) + 1))) + "]"
    keys = size // 12
    return {
        "numbers": text("0"),
        "empty arrays": text("[]"),
        "empty objects": text("{}"),
        "small objects": text('{"a":0}'),
        "objects with ids": "[" + ",".join('{"id":%d}' % n for n in range(size // 14)) + "]",
        "deep arrays": text("[" * 500 + "]" * 500),
        "deeper than allowed": "[" * size,
        "one string": '"' + "x" * size + '"',
        "one string of escapes": '"' + "\\u0041" * (size // 6) + '"',
        "one number": "1" * size,
        "one exponent": "1e" + "9" * size,
        "keys": "{" + ",".join('"%08x":0' % n for n in range(keys)) + "}",
        "one key twice": "{" + ",".join('"%08x":0' % n for n in range(keys)) + ',"00000000":0}',
        "white space": " " * size + "1",
        "no end": text("0")[:-1],
    }


def patches(size):
    """Patches of about `size` bytes for the document {"a": [0], "keys": {…}}."""
    def patch(operation):
        count = size // (len(json.dumps(operation(10**5))) + 2)
        return json.dumps([operation(n) for n in range(count)])
    return {
        "copies of copies": patch(lambda n: {"op": "copy", "from": "", "path": "/a/-"}),
        "copies of a list": patch(lambda n: {"op": "copy", "from": "/keys", "path": "/a/-"}),
        "insertions in front": patch(lambda n: {"op": "add", "path": "/a/0", "value": 0}),
        "moves": patch(lambda n: {"op": "move", "from": "/a", "path": "/a"} if n % 2 else {"op": "move", "from": "/keys", "path": "/keys"}),
        "new members": patch(lambda n: {"op": "add", "path": "/keys/%d" % n, "value": 0}),
        "removed members": patch(lambda n: {"op": "remove", "path": "/keys/k%d" % n}),
        "tests of all": patch(lambda n: {"op": "test", "path": "/keys", "value": 0}),
    }


class Machine:
    def __init__(self, replicate, folder, size):
        self.replicate = replicate
        # Twice what an input of `size` bytes and a document of the same size may take.
        self.memory = 2 * (2 * MULTIPLE * size + CONSTANT) + (1 << 30)
        self.seconds = 10 + 4 * SECONDS * size // (1 << 20)
        self.folder = folder
        self.environment = dict(os.environ, XDG_STATE_HOME=os.path.join(folder, "state"), SWIFT_BACKTRACE="enable=no")

    def run(self, words, stdin=None):
        """Runs the command; returns how it ended, its peak memory in bytes, and the seconds of processor that it took."""
        source = open(stdin, "rb") if stdin else subprocess.DEVNULL

        def limit():
            # What takes far too much is ended, before it takes all that the machine has.
            resource.setrlimit(resource.RLIMIT_DATA, (self.memory, self.memory))
            resource.setrlimit(resource.RLIMIT_CPU, (self.seconds, self.seconds + 5))

        process = subprocess.Popen(
            [self.replicate, *words], cwd=self.folder, stdin=source, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE,
            env=self.environment, preexec_fn=limit)
        message = process.stderr.read(300).decode(errors="replace")
        process.stderr.read()
        _, status, usage = os.wait4(process.pid, 0)
        process.returncode = os.waitstatus_to_exitcode(status)
        return process.returncode, message, usage.ru_maxrss * 1024, usage.ru_utime + usage.ru_stime

    def write(self, name, text):
        path = os.path.join(self.folder, name)
        with open(path, "w", encoding="utf-8") as file:
            file.write(text)
        return path


def main():
    parser = arguments.parser(__doc__, "release")
    parser.add_argument("--size", type=float, default=1, help="of an input, in MiB")
    options = parser.parse_args()
    size = int(options.size * (1 << 20))
    folder = tempfile.mkdtemp(prefix="replicate-bounds.")
    machine = Machine(os.path.abspath(options.replicate), folder, size)
    machine.write("idle", "{}")
    idle = machine.run(["set", "idle", "/a", "0"])[2]
    failures = []
    worst = 0

    def measure(what, words, count, stdin=None):
        nonlocal worst
        code, message, peak, seconds = machine.run(words, stdin)
        multiple = max(peak - idle - CONSTANT, 0) / count
        worst = max(worst, multiple)
        verdict = ""
        if code < 0 or code > 4:
            verdict = "  CRASHED: " + (signal.Signals(-code).name if code < 0 else str(code)) + " " + message.strip()
        elif multiple > MULTIPLE:
            verdict = "  TOO MUCH MEMORY"
        elif seconds > SECONDS * count / (1 << 20):
            verdict = "  TOO SLOW"
        if verdict:
            failures.append(what)
        print(f"{what:34} {code:4} {multiple:7.1f} x {seconds:7.2f} s{verdict}", flush=True)

    print(f"{'input of %d bytes' % size:34} exit  memory    time      (beyond {(idle + CONSTANT) >> 20} MiB)")
    for name, text in shapes(size).items():
        machine.write("f", text)
        measure("get: " + name, ["get", "-q", "f", "/nowhere"], len(text))
        measure("set: " + name, ["set", "-q", "f", "/0", "1"], len(text))
        machine.write("g", '{"a": 0}')
        line = machine.write("line", '{"jsonrpc":"2.0","id":1,"method":"set","params":{"path":"/a","value":' + text + "}}\n")
        measure("attach: " + name, ["attach", "-q", "g"], len(text), stdin=line)
    members = "".join(',"k%d":0' % n for n in range(size // 12))
    for name, text in patches(size).items():
        machine.write("f", '{"a":[0],"keys":{"k":0' + members + "}}")
        source = machine.write("p", text)
        measure("patch: " + name, ["patch", "-q", "f", "-"], len(text) + size, stdin=source)

    shutil.rmtree(folder)
    print(f"worst: {worst:.0f} bytes of memory for each byte of input; {MULTIPLE} are allowed")
    if failures:
        sys.exit("failed: " + ", ".join(failures))


main()
