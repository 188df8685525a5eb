"""An editor, in a process of its own, that saves the file and waits for the instances to go on from that."""
import json
import multiprocessing
import os
import pickle
import random
import time

from rounds.document import text_of
from rounds.save_styles import STYLES


class Editor:
    """Saves again and again, in a process of its own, and writes down what it read, wrote and saw."""

    def __init__(self, path, style, patience, seed):
        self.path, self.style, self.patience = path, style, patience
        self.rng = random.Random(seed)
        self.torn = self.lost = self.taken_back = 0
        self.saves = []
        self.confirmed = 0
        self.examples = []

    def read(self):
        """What the file holds: whole, since nobody but this editor writes in pieces."""
        end = time.monotonic() + self.patience
        while True:
            try:
                with open(self.path, "rb") as file:
                    data = file.read()
                value = json.loads(data)
                if value["head"] != value["tail"]:
                    raise ValueError("head and tail differ")
                return value
            except FileNotFoundError:
                # Without exchange the file is missing for an instant at each change.
                if time.monotonic() > end:
                    raise
            except ValueError as error:
                self.torn += 1
                self.examples.append(f"torn: {error}: {data[:60]!r}… {len(data)} bytes")
                if time.monotonic() > end:
                    raise

    def save(self, number):
        if self.rng.random() < 0.5:
            time.sleep(self.rng.uniform(0, 0.003))
        style = STYLES[self.style]
        style.prepare(self.path, self.rng)
        value = self.read()
        if self.rng.random() < 0.3:
            time.sleep(self.rng.uniform(0, 0.02))
        if value["head"] != self.confirmed:
            self.taken_back += 1
            self.examples.append(f"save {self.confirmed} was taken back to {value['head']}")
        value["head"] = value["tail"] = number
        next(row for row in value["rows"] if row["id"] == "editor")["value"] = number
        data = text_of(value).encode()
        begun = time.monotonic()
        style(self.path, data, self.rng)
        self.saves.append((begun, time.monotonic(), value))
        return value

    def confirm(self, number, saved):
        """Waits until instances have twice gone on from a save."""
        end = time.monotonic() + self.patience
        versions = [(saved["counters"], saved["tokens"])]
        while True:
            value = self.read()
            now = time.monotonic()
            if value["head"] == number:
                version = (value["counters"], value["tokens"])
                if version not in versions:
                    versions.append(version)
                if len(versions) > 2 or now > end:
                    return True
            elif now > end:
                self.examples.append(f"save {number} is lost: the file has that of {value['head']}")
                return False
            # Reading without a pause would take the processor from those who are waited for.
            time.sleep(self.rng.uniform(0, 0.001))

    def run(self, seconds, limit, log):
        end = time.monotonic() + seconds
        number = 0
        try:
            while time.monotonic() < end and number < limit:
                number += 1
                saved = self.save(number)
                if self.confirm(number, saved):
                    self.confirmed = number
                else:
                    self.lost += 1
                    self.confirmed = self.read()["head"]
        except Exception as error:  # what the editor can't survive is what is being looked for
            self.lost += 1
            self.examples.append(f"save {number}: {error!r}")
        with open(log, "wb") as file:
            pickle.dump(self.__dict__, file)


class Editing:
    """An editor in a process of its own."""

    def __init__(self, path, style, patience, rng, seconds, saves, scratch):
        self.editor = Editor(path, style, patience, rng.randrange(1 << 32))
        self.log = os.path.join(scratch, "editor.log")
        self.process = multiprocessing.get_context("fork").Process(
            target=self.editor.run, args=(seconds, saves, self.log), daemon=True)
        self.process.start()

    def finish(self, seconds):
        """What it wrote down; None if it hung."""
        self.process.join(seconds)
        if self.process.is_alive():
            self.process.kill()
            self.process.join()
            return None
        with open(self.log, "rb") as file:
            self.editor.__dict__.update(pickle.load(file))
        os.unlink(self.log)
        return self.editor
