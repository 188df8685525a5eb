"""An editor on one machine: it reads the file, adds a key of its own, and saves."""
import json
import os
import threading
import time

# How long an engine may leave the file away, in seconds.
AWAY = 30.0


class Editor:
    """Saves again and again, and remembers the keys."""

    def __init__(self, machine, path, rng):
        self.machine, self.path, self.rng = machine, path, rng
        self.keys = {}
        self.astray = 0  # saves into a file that wasn't at its path any more, nor at any other
        self.complaints = []
        self.stopping = threading.Event()
        self.thread = None

    def begin(self, save):
        """Begins to save, in one of the ways below."""
        self.stopping.clear()
        self.thread = threading.Thread(target=self.work, args=(save,), daemon=True)
        self.thread.start()

    def finish(self):
        self.stopping.set()
        self.thread.join()

    def work(self, save):
        try:
            while not self.stopping.wait(self.rng.uniform(0.02, 0.15)):
                number = len(self.keys) + self.astray + 1
                if save(self, f"{self.machine.name}-{number}", number):
                    self.keys[f"{self.machine.name}-{number}"] = number
                else:
                    self.astray += 1
        except Exception as error:
            self.complaints.append(f"the editor on {self.machine.name}: {error!r}")

    def edited(self, text, key, number):
        """What is saved, after a while in which others go on: whoever types takes one."""
        value = json.loads(text)
        self.stopping.wait(self.rng.uniform(0, 0.1))
        value["edits"][key] = number
        return json.dumps(value, indent=1) + "\n"

    def open(self, mode):
        """The file; an engine may have taken it away for a while, also when the editor is about to finish."""
        end = time.monotonic() + AWAY
        while True:
            try:
                return open(self.path, mode)
            except FileNotFoundError:
                if time.monotonic() > end:
                    raise
                time.sleep(0.01)

    def rename(self, key, number):
        with self.open("r") as file:
            text = self.edited(file.read(), key, number)
        copy = f"{self.path}.edited"
        with open(copy, "w") as file:
            file.write(text)
        os.rename(copy, self.path)
        return True

    def write(self, key, number):
        """Writes into the file that it has had open since it read it; whether that still had a name then."""
        with self.open("r+") as file:
            text = self.edited(file.read(), key, number)
            file.seek(0)
            file.write(text)
            file.truncate()
            file.flush()
            return os.fstat(file.fileno()).st_nlink > 0
