"""One editor, one file, two instances: what is done, and what must be there afterwards."""
import dataclasses
import json
import os
import threading
import time

from editors.instance import Instance

TEXT = """{
  "user": {
    "title": "first title",
    "tags": ["one"],
    "members": { "x": 1 }
  },
  "a": 0,
  "b": 0,
  "log": {}
}
"""


@dataclasses.dataclass(frozen=True)
class Edit:
    old: str
    new: str
    # What is in the file from then on, however that is written.
    sign: str


TITLE = Edit("first title", "second title", "second title")
ELEMENT = Edit('"one"', '"one", "two"', '"two"')
MEMBER = Edit('"x": 1', '"x": 1, "y": 2', '"y"')


class Case:
    def __init__(self, binary, editor, place, commits):
        self.editor, self.place, self.commits = editor, place, commits
        self.expected = TEXT
        place.file.write_text(TEXT)
        self.complaints = []
        self.delays = {}
        self.instances = [Instance(binary, str(place.file), name, place.environment) for name in ("a", "b")]

    def run(self):
        """Returns what is wrong, line by line; nothing where all is well."""
        try:
            self.wait_for_commits(1)
            self.edit_twice()
            if not self.complained():
                self.edit_late()
        except Exception as error:
            self.complaints.append(f"{type(error).__name__}: {error}")
        for instance in self.instances:
            instance.close()
        return self.complained() or self.check()

    def edit_twice(self):
        """Opens the file and saves at once; then again, later, from the same buffer."""
        with self.place.opened(self.editor) as session:
            session.change(TITLE)
            self.save(session, TITLE, "fresh")
            self.wait_for_commits(self.commits)
            session.change(ELEMENT)
            self.save(session, ELEMENT, "again")

    def edit_late(self):
        """Opens the file, lets the instances go on, and only then changes and saves it."""
        with self.place.opened(self.editor) as session:
            self.wait_for_commits(self.commits)
            session.change(MEMBER)
            self.save(session, MEMBER, "stale")
        self.wait_for_commits(10)

    def wait_for_commits(self, count):
        goals = [instance.counted + count for instance in self.instances]
        for instance, goal in zip(self.instances, goals):
            instance.until_answered(goal)

    def save(self, session, edit, kind):
        """Saves, and waits until each instance has heard of it."""
        self.expected = self.expected.replace(edit.old, edit.new)
        value = json.loads(self.expected)["user"]
        begin = time.monotonic()
        sighting = Sighting(self.place.file, edit.sign)
        try:
            session.save()
            moments = [instance.when_heard(value, begin) for instance in self.instances]
        finally:
            seen = sighting.end()
        if None not in moments and seen:
            # An instance may have been sooner than the observer.
            self.delays[kind] = max(0, *(moment - seen for moment in moments))

    def complained(self):
        return self.complaints + [complaint for instance in self.instances for complaint in instance.complaints]

    def check(self):
        counts = {instance.key: instance.asked for instance in self.instances}
        expected = {**json.loads(self.expected), **counts, "log": counts}
        text = self.place.file.read_text()
        complaints = []
        if json.loads(text) != expected:
            complaints.append(f"the file should hold {expected}, but holds\n{text}")
        left = [name for name in os.listdir(self.place.folder) if "replicate" in name]
        if left:
            complaints.append(f"left beside the file: {', '.join(left)}")
        return complaints


class Sighting:
    """Reads the file again and again, to learn when a text was first in it."""

    def __init__(self, path, text):
        self.path, self.text = path, text.encode()
        self.seen = None
        self.ending = False
        self.thread = threading.Thread(target=self.look)
        self.thread.start()

    def look(self):
        while not self.seen:
            is_last = self.ending
            try:
                if self.text in self.path.read_bytes():
                    self.seen = time.monotonic()
            except FileNotFoundError:
                pass  # for a moment, as some save
            if is_last:
                return
            time.sleep(0.001)

    def end(self):
        self.ending = True
        self.thread.join()
        return self.seen
