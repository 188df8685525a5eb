"""Where commands meet their faults: a folder, the file in it, and strace."""
import os
import pathlib
import shutil
import subprocess

from failures.document import parsed, text_of
from failures.syscalls import CALLS, Trace
from support.waiting import DEADLINE


class Bench:
    """A folder with a file, and what runs on it."""

    def __init__(self, binary, shim, folder, scratch, inplace=False):
        self.binary, self.shim, self.folder, self.inplace = binary, shim, folder, inplace
        self.path = os.path.join(folder, "state.json")
        self.scratch = scratch
        self.log = os.path.join(scratch, "log")
        self.state = os.path.join(scratch, "state")
        self.environment = dict(os.environ, XDG_STATE_HOME=self.state)

    def reset(self, value):
        shutil.rmtree(self.state, ignore_errors=True)
        for name in os.listdir(self.folder):
            if name != "lost+found" and not (self.inplace and name == "state.json"):
                os.unlink(os.path.join(self.folder, name))
        if value is not None:
            with open(self.path, "w") as file:
                file.write(text_of(value))

    def strace(self, *injections):
        # Without --seccomp-bpf, which would let the call happen that a process is to be killed at.
        words = ["strace", "-f", "-qqq", "-o", self.log]
        words += ["-e", "trace=" + ",".join(f"?{call}" for call in CALLS), "-e", "signal=none"]
        for injection in injections:
            words += ["-e", f"inject={injection}"]
        return words

    def command(self, words):
        return [self.binary, words[0], self.path, *words[1:]]

    def run(self, words, injections=None, short=None):
        """Runs a command; under strace if there are injections, even none."""
        command = self.command(words)
        environment = self.environment
        if short:
            environment = dict(
                environment, LD_PRELOAD=self.shim, SHORT_CALL=short.call, SHORT_WHEN=str(short.when))
        if injections is not None:
            command = self.strace(*injections) + command
        return subprocess.run(
            command, capture_output=True, text=True, timeout=DEADLINE, env=environment, stdin=subprocess.DEVNULL)

    def do(self, words, state):
        """Runs a command to its good end, with some user's state."""
        return subprocess.run(
            [self.binary, *words], capture_output=True, text=True, timeout=DEADLINE, check=True,
            env=dict(os.environ, XDG_STATE_HOME=state), stdin=subprocess.DEVNULL)

    def trace(self, words, injections=()):
        done = self.run(words, injections)
        return done, Trace(self.log)

    def traced(self):
        """What strace has written down by now."""
        with open(self.log, errors="replace") as file:
            return file.read()

    def was_hit(self):
        return "INJECTED" in self.traced()

    def left(self):
        """What stays beside the file, and redo records."""
        beside = [name for name in os.listdir(self.folder) if name not in ("state.json", "lost+found")]
        redo = [name for _, _, names in os.walk(self.state) for name in names if ".redo" in name]
        return sorted(beside + redo)

    def rescued(self):
        """The saves that could not be merged and were kept in the state folder."""
        folder = pathlib.Path(self.state, "replicate", "rescued")
        return [parsed(path.read_text()) for path in folder.glob("*.json")]

    def bytes(self):
        try:
            with open(self.path) as file:
                return file.read()
        except FileNotFoundError:
            return None
