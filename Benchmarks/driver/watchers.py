"""Programs that watch a file, each with a file and a writer of its own, so that only the one that is measured has anything to do."""

import os
import time

from programs import PATIENCE, Failed


class Watcher:
    """A watcher, the file that it watches, and the program that writes it."""

    def __init__(self, place, name, words, settings="", size=1000, ready="ready", greeting=None, is_stamped=True,
                 is_slow=False, is_peer=False):
        self.name, self.settings, self.is_slow, self.is_peer = name, settings, is_slow, is_peer
        self.folder = place.new_folder("watched")
        self.path = place.document(size, folder=self.folder)
        self.number = 100_000_000
        self.writer = place.child([place.c("writer"), self.path, f"{self.path}.spare"] + (["stamped"] if is_stamped else []))
        try:
            self.child = place.child(words(self.folder, os.path.basename(self.path), self.path), ready=ready)
        except Failed:
            self.writer.end()
            raise
        try:
            if greeting and self.child.ask(greeting) != "ok":
                raise Failed(f"{name} does not watch")
            self._warm_up()
        except Failed:
            self.end()
            raise

    def _warm_up(self):
        """Waits until it sees what is written, as some watchers say nothing when they begin."""
        for _ in range(20):
            if self.latency(1) is not None:
                return
        raise Failed(f"{self.name} sees nothing of what is written: {self.child.complaint()}")

    def seen(self, number, timeout):
        """When it had read a number; None if it didn't in time."""
        deadline = time.monotonic() + timeout
        while (rest := deadline - time.monotonic()) > 0 and (line := self.child.line(rest)):
            found, instant = line.split()
            if int(found) == number:
                return int(instant)
        return None

    def latency(self, timeout=PATIENCE):
        """Nanoseconds from when a write begins to when it has been read."""
        self.number += 1
        self.writer.tell(self.number)
        instant = self.seen(self.number, timeout)
        # Asked for afterwards, so that nothing wakes up in between.
        start = int(self.writer.answer().split()[0])
        # What the watcher has to do beside is done before the next write.
        time.sleep(0.003)
        return None if instant is None else instant - start

    def sees_last_of(self, count, milliseconds):
        """Writes several times; whether the last one was seen."""
        first = self.number + 1
        self.number += count
        self.writer.tell(f"{first} {count} {milliseconds * 1000}")
        seen = self.seen(self.number, (5 if self.is_peer else 20) + count * milliseconds / 1000) is not None
        self.writer.answer()
        return seen

    def end(self):
        # Some peers don't end by themselves.
        self.child.end(0.2 if self.is_peer else 5)
        self.writer.end()


def ours_and_theirs(place, size=1000):
    """All that can be had here, the C program first."""
    reader, python = place.c("reader"), place.python
    made = []

    def add(name, words, peer=None, **options):
        if peer and not place.has(peer):
            return
        try:
            made.append(Watcher(place, name, words, size=size, is_peer=peer is not None, **options))
        except Failed:
            if not peer:
                raise
            # A peer that doesn't work here is one that is missing.
            place.versions.pop(peer, None)

    add("C, inotify", lambda folder, name, path: [reader, folder, name])
    add("bytes", lambda folder, name, path: [place.product("file-probe"), "watch", path])
    add("bytes, of a save", lambda folder, name, path: [place.product("file-probe"), "watch", path], is_stamped=False)
    add("typed state", lambda folder, name, path: [place.product("instance"), path], greeting="watch")
    add("typed state, of a save", lambda folder, name, path: [place.product("instance"), path], greeting="watch", is_stamped=False)
    # Of what a shell starts, all is to end with the shell.
    add("inotifywait", lambda folder, name, path: [
        "sh", "-c", 'with="setpriv --pdeathsig KILL"; $with inotifywait -m -q -e close_write,moved_to --include "/$2\\$" "$1" | '
        '$with "$0" "$1" "$2" lines', reader, folder, name],
        peer="inotifywait", settings="`-m -e close_write,moved_to`, into a C program that reads", ready=None)
    add("node `fs.watch`", lambda folder, name, path: ["node", place.peer("watch_node.js"), folder, name], peer="node",
        settings="of the folder")
    add("watchfiles", lambda folder, name, path: [python, place.peer("watch_watchfiles.py"), folder, name], peer="watchfiles",
        settings="its own: step 50 ms, debounce 1,600 ms", is_slow=True)
    add("watchfiles, fast", lambda folder, name, path: [python, place.peer("watch_watchfiles.py"), folder, name, 1, 1],
        peer="watchfiles", settings="step 1 ms, debounce 1 ms")
    add("watchdog", lambda folder, name, path: [python, place.peer("watch_watchdog.py"), folder, name], peer="watchdog",
        settings="its own")
    add("entr", lambda folder, name, path: [
        "sh", "-c", 'with="setpriv --pdeathsig KILL"; touch "$3.seen"; $with tail -f -n 0 "$3.seen" & '
        'echo "$3" | $with entr -n -p "$0" "$1" "$2" once >/dev/null', reader, folder, name, path],
        peer="entr", settings="`-n -p`, starting a C program that reads", ready=None, is_slow=True)
    return made
