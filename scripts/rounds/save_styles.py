"""The ways in which programs save a file: the list in Tests/save-styles.json, which the simulation reads as well."""
import contextlib
import json
import mmap
import os
import time

LIST = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "..", "Tests", "save-styles.json")
# How often a file that is kept open is saved into, before it is closed.
KEPT_SAVES = 4


def write_all(descriptor, data):
    while data:
        data = data[os.write(descriptor, data):]


def whole(path, data, flags):
    descriptor = os.open(path, os.O_WRONLY | flags, 0o644)
    try:
        write_all(descriptor, data)
    finally:
        os.close(descriptor)


def opened_standing(path, patience=6.0):
    """Without exchange the file is missing for an instant at each change."""
    end = time.monotonic() + patience
    while True:
        try:
            return os.open(path, os.O_RDWR)
        except FileNotFoundError:
            if time.monotonic() > end:
                raise


class Style:
    """One of them: what it does before it loads what it saves, and after that."""

    def __init__(self, steps):
        load = steps.index("load")
        self.before, self.after = steps[:load], steps[load + 1:]
        self.descriptor, self.left = None, 0

    def prepare(self, path, rng):
        """What comes before the file is loaded."""
        for step in self.before:
            self.take(step, path, None, rng)

    def __call__(self, path, data, rng):
        try:
            for step in self.after:
                self.take(step, path, data, rng)
        except BaseException:
            self.close()
            raise
        if "open kept" in self.before:
            self.left -= 1
            if self.left == 0:
                self.close()

    def close(self):
        if self.descriptor is not None:
            os.close(self.descriptor)
        self.descriptor, self.left = None, 0

    def take(self, step, path, data, rng):
        if step == "idle":
            time.sleep(rng.uniform(0, 0.004))
        elif step == "open":
            self.descriptor = os.open(path, os.O_RDWR | os.O_CREAT, 0o644)
        elif step == "open emptied":
            self.descriptor = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o644)
        elif step == "open standing":
            self.descriptor = opened_standing(path)
        elif step == "open kept":
            if self.descriptor is None:
                self.descriptor, self.left = opened_standing(path), KEPT_SAVES
        elif step == "open beside":
            self.descriptor = os.open(path + ".new", os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o644)
        elif step == "write":
            os.lseek(self.descriptor, 0, os.SEEK_SET)
            write_all(self.descriptor, data)
        elif step == "write in pieces":
            size = max(1, len(data) // 5)
            for start in range(0, len(data), size):
                write_all(self.descriptor, data[start:start + size])
                time.sleep(rng.uniform(0, 0.0005))
        elif step == "write mapped":
            if os.fstat(self.descriptor).st_size < len(data):
                os.ftruncate(self.descriptor, len(data))
            with mmap.mmap(self.descriptor, len(data)) as memory:
                memory[:] = data
        elif step == "empty":
            os.ftruncate(self.descriptor, 0)
        elif step == "cut":
            os.ftruncate(self.descriptor, len(data))
        elif step == "close":
            self.close()
        elif step == "rename over":
            os.rename(path + ".new", path)
        elif step == "rename to backup":
            with contextlib.suppress(FileNotFoundError):
                os.rename(path, path + "~")
        elif step == "unlink":
            with contextlib.suppress(FileNotFoundError):
                os.unlink(path)
        elif step == "unlink backup":
            with contextlib.suppress(FileNotFoundError):
                os.unlink(path + "~")
        else:
            raise ValueError(f"{LIST}: there is no step '{step}'")


with open(LIST) as file:
    STYLES = {entry["style"]: Style(entry["steps"]) for entry in json.load(file)}
