"""Records a file while vim edits it and an instance counts in it, and replays that onto a copy.

    scripts/check recording                        a few seconds
    scripts/check recording --replicate PATH

vim saves several edits, from buffers that are out of date; one that changes the formatting alone; and one that isn't
JSON, which it mends. The recording is replayed ten times as fast onto a copy of what the file was at first, which
`replicate watch` follows in another terminal, and again by hand. Each time the same bytes must come out. Whatever is
waited for must come within 30 seconds.
"""
import json
import shutil
import subprocess
import threading
import time

from support import arguments
from support.arguments import ROOT
from support import waiting
from support.client import Client
from editors.by_hand import EDITORS
from editors.place import Place
from editors.terminal import Stuck, Terminal, go_through

SPEED = 10


class Counter:
    """An instance that counts up a number, but while it rests."""

    def __init__(self, binary, path, pointer, environment):
        self.client = Client([binary, "attach", path], environment)
        self.pointer = pointer
        self.count = 0
        self.works = threading.Event()
        self.works.set()
        self.rests = threading.Condition()
        self.stopping = False
        self.thread = threading.Thread(target=self.work, daemon=True)
        self.thread.start()

    def work(self):
        while not self.stopping:
            self.works.wait()
            with self.rests:
                if "result" not in self.client.ask("increment", path=self.pointer):
                    return
                self.count += 1
            time.sleep(0.02)

    def rest(self):
        self.works.clear()
        # Whoever has this knows that nothing is under way.
        with self.rests:
            pass

    def end(self):
        self.stopping = True
        self.works.set()
        self.thread.join()
        code, said = self.client.close()
        if code != 0:
            raise Stuck(f"the instance ended with {code}: {said}")
        if self.count != self.client.number:
            raise Stuck(f"{self.count} of {self.client.number} increments were answered")


class Check:
    def __init__(self, binary, place):
        self.binary, self.place = binary, place
        self.original = ROOT / "sample-state.json"
        shutil.copyfile(self.original, place.file)
        self.recording = place.folder / "session.recording"
        self.copy = place.folder / "copy.json"
        self.terminals = []

    def open(self, *command):
        terminal = Terminal(command, self.place.folder, self.place.environment, columns=100, rows=30)
        self.terminals.append(terminal)
        return terminal

    def run(self, *words, code=0):
        done = subprocess.run(
            [self.binary, *words], cwd=self.place.folder, env=self.place.environment, capture_output=True, text=True)
        if done.returncode != code:
            raise Stuck(f"replicate {' '.join(words)} ended with {done.returncode}: {done.stderr}")
        return done.stdout

    def until(self, what, condition):
        if waiting.until(condition) is None:
            raise Stuck(f"it never came to this: {what}")

    def edit(self, old, new):
        self.vim.type(f":%s/{old}/{new}/<Enter>")
        self.vim.until(EDITORS["vim"].change[1])

    def save(self):
        keys, done = EDITORS["vim"].save
        self.vim.type(keys)
        self.vim.until(done, EDITORS["vim"].questions)

    def until_file_has(self, text):
        self.until(f"the file has {text}", lambda: text in self.place.file.read_text())

    # What is done, one after another.

    def records(self):
        # The shell outlives the key that ends it, and so its screen stays.
        command = 'trap : INT; "$0" record state.json session.recording; echo "ended with $?"; read line'
        self.recorder = self.open("bash", "-c", command, self.binary)
        self.until("there is a recording", lambda: self.recording.exists() and self.recording.stat().st_size > 0)
        self.counter = Counter(self.binary, self.place.file, "/show/viewers", self.place.environment)

    def edits(self):
        self.vim = self.open(*EDITORS["vim"].command, self.place.file.name)
        self.vim.until('"schemaVersion"')
        edits = [
            ('"Nebel"', '"Fog"'), ('"query": "café"', '"query": "雪"'), ('"minutes": 52', '"minutes": 53'),
            ('"rating": null', '"rating": 7.5'), ('"Fog"', '"Nebel"'),
        ]
        for old, new in edits:
            self.edit(old, new)
            count = self.counter.count
            self.until("its buffer is out of date", lambda: self.counter.count > count + 3)
            self.save()
            self.until_file_has(new)

    def lays_out_anew(self):
        self.counter.rest()
        self.vim.type(":e!<Enter>")
        self.vim.until(r'"state.json" \d+L, \d+B(?! written)')
        self.edit('"isOpen": false', '"isOpen":      false')
        self.save()
        self.until_file_has('"isOpen":      false')
        # Otherwise it may see what follows in one with it.
        self.until("the recording has that", lambda: r'isOpen\":      false' in self.recording.read_text())
        self.counter.works.set()

    def bears_nonsense(self):
        self.edit('"isOpen":      false,', '"isOpen": true')
        self.save()
        self.recorder.until(r"state.json:\d+:\d+: expected ',' or '}'")
        self.vim.type("u")
        self.vim.until('"isOpen":      false,')
        self.edit('"isOpen":      false,', '"isOpen":      true,')
        self.save()
        self.recorder.until("'state.json' is valid JSON again")
        self.until_file_has('"isOpen":      true,')

    def ends(self):
        self.vim.type(":q!<Enter>")
        self.vim.until_ended()
        self.counter.end()
        self.recorder.type("<C-c>")
        self.recorder.until("ended with 130")
        self.elapsed = json.loads(self.recording.read_text().splitlines()[-1])
        if not self.elapsed.get("end"):
            raise Stuck(f"the recording ends with {self.elapsed}")

    def shows(self):
        lines = self.run("show", "session.recording").splitlines()
        for pattern in ["state.json, recorded ", "ended in good order"]:
            if not any(line.startswith(pattern) for line in lines):
                raise Stuck(f"no line begins with {pattern!r}")
        steps = json.loads(self.run("show", "--json", "session.recording"))["steps"]
        causes = {step["cause"] for step in steps}
        if causes != {"edit", "instance"}:
            raise Stuck(f"the causes are {causes}")
        if not any(step["cause"] == "edit" and not step["changed"] for step in steps):
            raise Stuck("no step changed the formatting alone")
        print(f"  {len(steps)} steps in {self.elapsed['at']:.1f} s, {self.recording.stat().st_size} bytes")

    def replays(self):
        shutil.copyfile(self.original, self.copy)
        watcher = self.open(self.binary, "watch", "-f", "json", "copy.json", "/show/viewers")
        watcher.until("1e3")
        start = time.monotonic()
        self.run("replay", "--speed", str(SPEED), "session.recording", "copy.json")
        taken = time.monotonic() - start
        watcher.until(str(1000 + self.counter.count))
        self.compare()
        print(f"  replayed in {taken:.1f} s")
        if not self.elapsed["at"] / SPEED - 1 < taken < self.elapsed["at"] / SPEED + 10:
            raise Stuck(f"that took {taken} s for what took {self.elapsed['at']} s")

    def replays_by_hand(self):
        self.copy.write_text("[]")
        hand = self.open(self.binary, "replay", "--step", "session.recording", "copy.json")
        hand.until("Enter takes one")
        for number in range(1, 4):
            hand.type("<Enter>")
            hand.until(rf"(?m)^{number}  ")
        hand.type("<C-d>")
        hand.until_ended()
        self.run("replay", "--speed", "1000", "--from", "3", "session.recording", "copy.json")
        self.compare()

    def leaves_nothing(self):
        for terminal in self.terminals:
            terminal.close()
        # vim leaves its own copy of what was replaced while it wrote.
        left = sorted(path.name for path in self.place.folder.iterdir() if not path.name.endswith("~"))
        if left != ["copy.json", "session.recording", "state.json"]:
            raise Stuck(f"there are {', '.join(left)}")

    def compare(self):
        if self.copy.read_bytes() != self.place.file.read_bytes():
            difference = subprocess.run(
                ["diff", self.place.file, self.copy], capture_output=True, text=True, check=False).stdout
            raise Stuck(f"the copy has other bytes:\n{difference}")


def main():
    parser = arguments.parser(__doc__)
    options = parser.parse_args()
    with Place(ROOT / ".build") as place:
        check = Check(options.replicate, place)
        try:
            go_through([
                check.records, check.edits, check.lays_out_anew, check.bears_nonsense, check.ends, check.shows,
                check.replays, check.replays_by_hand, check.leaves_nothing,
            ])
        finally:
            for terminal in check.terminals:
                terminal.close()


if __name__ == "__main__":
    main()
