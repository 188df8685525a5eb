"""What happens while all machines are at work."""
import time

from machines.editor import Editor
from machines.fleet import PATIENCE, pause, read, until


class Happening:
    """How often something was done to the machines, and what went wrong."""

    def __init__(self):
        self.saves = self.kills = self.cuts = 0
        self.astray = 0  # saves into a file that had no name any more
        self.complaints = []


def all_at_once(fleet, seconds):
    pause(seconds)
    return Happening()


def apart(fleet, seconds):
    """In each round one machine is cut off, or its engine stopped, and then hears of the others again."""
    happening = Happening()
    end = time.monotonic() + seconds
    while time.monotonic() < end:
        node = fleet.rng.choice(fleet.nodes)
        is_cut = fleet.rng.random() < 0.5
        node.cut() if is_cut else node.engine.stop()
        happening.cuts += 1
        pause(fleet.rng.uniform(0.5, 3))
        node.connect() if is_cut else node.engine.start()
        if until(Meeting(fleet, node).is_over) is None:
            happening.complaints.append(f"{node.name} and others didn't meet again in {PATIENCE:.0f} s")
            return happening
    return happening


class Meeting:
    """A machine and all others, which are to hear what each has done since."""

    def __init__(self, fleet, node):
        self.pairs = [pair for other in fleet.nodes if other is not node for pair in ((node, other), (other, node))]
        self.since = {other.name: other.worker.next_token for other in fleet.nodes}

    def is_over(self):
        return all(self.knows(*pair) for pair in self.pairs)

    def knows(self, reader, writer):
        value = read(reader.seen)
        tokens = value["tokens"] if value else {}
        return any(f"{writer.name}-{number}" in tokens
                   for number in range(self.since[writer.name] + 1, writer.worker.next_token + 1))


def an_editor(fleet, seconds, save=Editor.rename):
    happening = Happening()
    editor = fleet.editor
    before, astray = len(editor.keys), editor.astray
    editor.begin(save)
    pause(seconds)
    editor.finish()
    happening.saves = len(editor.keys) - before
    happening.astray = editor.astray - astray
    happening.complaints += editor.complaints
    return happening


def in_place(fleet, seconds):
    return an_editor(fleet, seconds, Editor.write)


def kills(fleet, seconds):
    """Instances and engines are killed at any time, and started again."""
    happening = Happening()
    end = time.monotonic() + seconds
    down = {}  # engines, and when they are started again
    while time.monotonic() < end:
        pause(fleet.rng.uniform(0.1, 0.6))
        for engine in [engine for engine, due in down.items() if due < time.monotonic()]:
            engine.start()
            del down[engine]
        node = fleet.rng.choice(fleet.nodes)
        if fleet.rng.random() < 0.6:
            # One that has only just started would be killed again before it did anything.
            if not node.worker.is_at_work:
                continue
            node.worker.kill()
        elif node.engine in down:
            continue
        else:
            node.engine.kill()
            down[node.engine] = time.monotonic() + fleet.rng.uniform(0, 1.5)
        happening.kills += 1
    for engine in down:
        engine.start()
    return happening


SCENARIOS = {
    "verbs": all_at_once, "all at once": all_at_once, "apart": apart, "an editor": an_editor, "in place": in_place,
    "kills": kills}

# Those in which somebody saves.
WITH_SAVES = ("an editor", "in place")
