"""What somebody waits for who looks at a large file."""

import fcntl
import os
import pty
import re
import select
import signal
import struct
import subprocess
import termios
import time

from spread import Spread, short

TEXT = """`replicate FILE` on a terminal of 120 × 40, with 20 MB. The first frame is there once the first line of the tree is, after
the program was started; a key is answered once something is drawn, of those that change the screen. A change by an instance is told
by a program that mirrors the file and has it in memory, a save comes by a rename. Memory is what is resident at rest, and at most since
the start. A save of what an instance has changed as well takes more for a moment: then all recent versions are looked at."""

class Screen:
    """The inspector on a pseudo-terminal."""

    def __init__(self, place, path, environment):
        self.began = time.monotonic()
        self.pid, self.master = pty.fork()
        if self.pid == 0:
            os.execve(place.product("replicate"), [place.product("replicate"), path], environment)
        fcntl.ioctl(self.master, termios.TIOCSWINSZ, struct.pack("HHHH", 40, 120, 0, 0))

    def until(self, text, patience=60):
        """The time at which a text was drawn."""
        drawn, end = b"", time.monotonic() + patience
        while time.monotonic() < end:
            if select.select([self.master], [], [], 0.5)[0]:
                drawn += os.read(self.master, 1 << 16)
                if text in drawn:
                    return time.monotonic()
        raise TimeoutError(f"{text!r} was never drawn")

    def settle(self, quiet=0.3):
        """Reads until nothing is drawn any more."""
        while select.select([self.master], [], [], quiet)[0]:
            try:
                os.read(self.master, 1 << 16)
            except OSError:
                # The other end is closed.
                return

    def press(self, keys):
        began = time.monotonic()
        os.write(self.master, keys)
        select.select([self.master], [], [], 10)
        took = time.monotonic() - began
        self.settle(0.1)
        return took

    def memory(self):
        with open(f"/proc/{self.pid}/status") as status:
            found = dict(re.findall(r"^(VmRSS|VmHWM):\s+(\d+) kB", status.read(), re.M))
        return int(found["VmRSS"]) / 1e3, int(found["VmHWM"]) / 1e3

    def end(self):
        os.kill(self.pid, signal.SIGTERM)
        # What it has to say at the end must not keep it.
        self.settle()
        os.waitpid(self.pid, 0)
        os.close(self.master)


def run(place, report):
    report.section("The inspector", TEXT)
    size = 1_000_000 if place.quick else 20_000_000
    path = place.document(size, "large.json")
    environment = {**os.environ, "XDG_STATE_HOME": os.path.join(place.folder, "inspector-state"), "TERM": "xterm-256color",
                   "LC_ALL": "C.UTF-8"}
    environment.pop("NO_COLOR", None)
    with open(path) as file:
        text = file.read()
    # A number near the start, for changes that are on the screen.
    pointer = "/inspected"
    text = text.replace("{", '{"inspected": 0, "saved": 0,', 1)
    with open(path, "w") as file:
        file.write(text)
    megabytes = len(text.encode()) / 1e6
    rounds = 2 if place.quick else 10
    first = []
    for _ in range(rounds):
        screen = Screen(place, path, environment)
        first.append(screen.until(b"inspected") - screen.began)
        screen.settle()
        if len(first) < rounds:
            screen.end()
    try:
        rest = screen.memory()[0]
        screen.press(b"0")
        keys = [screen.press(key) for _ in range(rounds) for key in (b"G", b"\x1b[5~", b"k", b"g", b"j")]
        screen.press(b"g")
        changes = _changes(place, path, pointer, environment, screen, rounds)
        changed = screen.memory()[1]
        saves = _saves(path, screen, 2 if place.quick else 5, "saved")
        saved = screen.memory()[1]
        contested = _saves(path, screen, 2 if place.quick else 5, "inspected")
        most = screen.memory()[1]
    finally:
        screen.end()
    report.goal("the inspector's first frame: s", first, at_most=0.5, unit="")
    report.goal("a key in the inspector: ms", [1e3 * one for one in keys], at_most=16, unit="")
    report.goal("an instance's change in the inspector: ms", [1e3 * one for one in changes], at_most=100, unit="")
    report.goal("a save in the inspector: ms", [1e3 * one for one in saves], at_most=600, unit="")
    report.goal("the inspector's memory at most: × the file", [saved / megabytes], at_most=8)
    rows = [(name, Spread(numbers)) for name, numbers in [
        ("first frame, ms", [1e3 * one for one in first]), ("a key, ms", [1e3 * one for one in keys]),
        ("an instance's change, ms", [1e3 * one for one in changes]), ("a save, ms", [1e3 * one for one in saves]),
        ("a save of what an instance changed, ms", [1e3 * one for one in contested]),
    ]]
    report.table([f"{megabytes:.0f} MB", "median", "half of the rounds"], [
        [name, short(spread.median), spread.between()] for name, spread in rows])
    report.table(["memory", "MB", "× the file"], [
        [name, short(number), short(number / megabytes)]
        for name, number in [("at rest", rest), ("at most, with changes of instances", changed), ("at most, with saves", saved),
                             ("at most, with saves of what instances changed", most)]])


def _changes(place, path, pointer, environment, screen, rounds):
    """What an attached instance changes, which has the file in memory."""
    attached = subprocess.Popen([place.product("replicate"), "attach", path], env=environment, text=True, stdin=subprocess.PIPE,
                                stdout=subprocess.PIPE)
    took = []
    try:
        for number in range(rounds + 1):
            began = time.monotonic()
            value = 7_770_000 + number
            print(f'{{"jsonrpc": "2.0", "id": {number}, "method": "set", "params": {{"path": "{pointer}", "value": {value}}}}}',
                  file=attached.stdin, flush=True)
            shown = screen.until(f"{value}".encode())
            attached.stdout.readline()
            # The first one has to read the file.
            if number:
                took.append(shown - began)
            screen.settle()
    finally:
        attached.stdin.close()
        attached.wait()
    return took


def _saves(path, screen, rounds, name):
    took = []
    first = 8_880_000 if name == "saved" else 9_990_000
    for number in range(rounds):
        with open(path) as file:
            text = file.read()
        text = re.sub(rf'"{name}": \d+', f'"{name}": {first + number}', text, count=1)
        with open(path + ".new", "w") as file:
            file.write(text)
        began = time.monotonic()
        os.rename(path + ".new", path)
        took.append(screen.until(f"{first + number}".encode()) - began)
        screen.settle(1)
    return took
