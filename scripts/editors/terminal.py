"""A program in a terminal of its own, typed to and read by way of tmux."""
import itertools
import os
import re
import subprocess
import time

from support.waiting import DEADLINE

NUMBERS = itertools.count()


class Stuck(Exception):
    """A program did not show what it should have shown in time."""


class Terminal:
    """Runs a program. What `type` is given is text, with names of keys as in `:w<Enter>` and `<C-x><C-s>`."""

    def __init__(self, command, folder, environment, columns=150, rows=40):
        self.name, self.environment = command[0], environment
        # A server of its own, which ends with the program. The one before may not be gone yet.
        self.socket = f"replicate-{os.getpid()}-{next(NUMBERS)}"
        size = ["-x", str(columns), "-y", str(rows)]
        done = self.tmux("-u", "-f", "/dev/null", "new-session", "-d", *size, "-c", folder, *command)
        if done.returncode != 0:
            raise Stuck(f"{self.name} has no terminal: {done.stderr}")

    def tmux(self, *words):
        return subprocess.run(["tmux", "-L", self.socket, *words], capture_output=True, text=True, env=self.environment)

    def screen(self):
        return "\n".join(line for line in self.tmux("capture-pane", "-p").stdout.splitlines() if line.strip())

    def type(self, keys):
        for part in re.split(r"(<[^<> ]+>)", keys):
            if part.startswith("<") and part.endswith(">"):
                self.tmux("send-keys", part[1:-1])
            elif part:
                self.tmux("send-keys", "-l", part)

    def until(self, pattern, questions=(), meanwhile=""):
        """Waits until the screen shows a pattern, answers the questions that are asked before, and types now and then."""
        end = time.monotonic() + DEADLINE
        typed = time.monotonic()
        while True:
            if meanwhile and time.monotonic() > typed + 1:
                self.type(meanwhile)
                typed = time.monotonic()
            screen = self.screen()
            question = next((question for question in questions if re.search(question, screen)), None)
            if question:
                self.type(questions[question])
                self.until_gone(question, end)
            elif re.search(pattern, screen):
                return
            self.wait(f"never showed {pattern!r}", screen, end)

    def until_gone(self, pattern, end=None):
        end = end or time.monotonic() + DEADLINE
        while re.search(pattern, screen := self.screen()):
            self.wait(f"went on showing {pattern!r}", screen, end)

    def wait(self, complaint, screen, end):
        if time.monotonic() > end:
            raise Stuck(f"{self.name} {complaint} within {DEADLINE} s; it shows\n{screen or '(nothing: it has ended)'}")
        time.sleep(0.02)

    def until_ended(self):
        end = time.monotonic() + DEADLINE
        while self.tmux("has-session").returncode == 0:
            self.wait("did not end", self.screen(), end)

    def close(self):
        self.tmux("kill-server")


def go_through(steps, show=lambda: None):
    """Takes steps, one after another, and names each; one that gets stuck ends the script."""
    for step in steps:
        name = step.__name__.replace("_", " ")
        try:
            step()
        except Stuck as stuck:
            raise SystemExit(f"failed: {name}: {stuck}")
        print(name, flush=True)
        show()
