"""Programs that are measured, or help to: started, spoken to by lines, and ended, whatever happens."""

import ctypes
import os
import select
import signal
import subprocess
import tempfile
import time

PATIENCE = 60
_running = []
_libc = ctypes.CDLL(None)


class Failed(Exception):
    """A program did something else than it should."""


def _bind_to_driver():
    # PR_SET_PDEATHSIG: nothing goes on when the driver is killed.
    _libc.prctl(1, signal.SIGKILL)


class Child:
    """A program that answers lines with lines."""

    def __init__(self, words, folder, environment, ready="ready"):
        self.words = [str(word) for word in words]
        self.complaints = tempfile.TemporaryFile(dir=folder)
        self.process = subprocess.Popen(
            self.words, cwd=folder, env=environment, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=self.complaints,
            start_new_session=True, preexec_fn=_bind_to_driver)
        _running.append(self)
        self.output, self.waiting = self.process.stdout.fileno(), b""
        os.set_blocking(self.output, False)
        if ready and self.answer() != ready:
            raise Failed(f"{self} isn't ready")

    def __str__(self):
        return os.path.basename(self.words[0])

    def tell(self, line):
        try:
            self.process.stdin.write(f"{line}\n".encode())
            self.process.stdin.flush()
        except BrokenPipeError:
            raise Failed(f"{self} ended: {self.complaint()}") from None

    def line(self, timeout=PATIENCE):
        """The next line; None when the time is over."""
        deadline = time.monotonic() + timeout
        while b"\n" not in self.waiting:
            rest = deadline - time.monotonic()
            if rest <= 0 or not select.select([self.output], [], [], rest)[0]:
                return None
            piece = os.read(self.output, 1 << 16)
            if not piece:
                raise Failed(f"{self} ended: {self.complaint()}")
            self.waiting += piece
        line, self.waiting = self.waiting.split(b"\n", 1)
        return line.decode()

    def ask(self, line, timeout=PATIENCE):
        """What a line is answered by."""
        self.tell(line)
        return self.answer(timeout)

    def answer(self, timeout=PATIENCE):
        """The next line, which must come."""
        line = self.line(timeout)
        if line is None:
            raise Failed(f"{self} did not answer within {timeout} s: {self.complaint()}")
        return line

    def complaint(self):
        self.complaints.seek(0)
        return self.complaints.read().decode(errors="replace").strip()[:500] or "no message"

    def end(self, patience=5):
        """Lets it end by itself, as most do at the end of their input; those that don't are killed, with what they started."""
        if self in _running:
            _running.remove(self)
        try:
            self.process.stdin.close()
        except BrokenPipeError:
            pass
        try:
            self.process.wait(patience)
        except subprocess.TimeoutExpired:
            pass
        try:
            os.killpg(self.process.pid, signal.SIGKILL)
        except ProcessLookupError:
            pass
        self.process.wait()
        self.process.stdout.close()
        self.complaints.close()


def end_all():
    for child in list(_running):
        child.end()


def output(words, environment=None, folder=None, timeout=PATIENCE, stdin=None):
    """What a program prints that runs to its end."""
    words = [str(word) for word in words]
    try:
        done = subprocess.run(
            words, env=environment, cwd=folder, timeout=timeout, capture_output=True, input=stdin,
            stdin=None if stdin is not None else subprocess.DEVNULL, start_new_session=True, preexec_fn=_bind_to_driver)
    except subprocess.TimeoutExpired:
        raise Failed(f"{words[0]} took more than {timeout} s") from None
    if done.returncode:
        raise Failed(f"{' '.join(words)} failed ({done.returncode}): {done.stderr.decode(errors='replace').strip()[-500:]}")
    return done.stdout.decode()
