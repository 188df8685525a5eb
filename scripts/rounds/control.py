"""The control: writers that lock and rename, as most programs do, and lose saves."""
import contextlib
import fcntl
import json
import multiprocessing
import os
import random
import sys
import time

from support import places
from rounds.document import document, text_of
from rounds.editor import Editing
from rounds.save_styles import whole

# For how long a style may go without the control losing a save.
CONTROL_PATIENCE = 20.0


def write_plainly(path, name):
    """The control: locks the folder, reads, writes a temporary, renames it over the file."""
    folder = os.open(os.path.dirname(path), os.O_RDONLY)
    while True:
        fcntl.flock(folder, fcntl.LOCK_EX)
        # The editor may be at it.
        with contextlib.suppress(FileNotFoundError, ValueError):
            with open(path, "rb") as file:
                value = json.loads(file.read())
            value["counters"][name] += 1
            whole(f"{path}.{name}", text_of(value).encode(), os.O_CREAT | os.O_TRUNC)
            os.rename(f"{path}.{name}", path)
        fcntl.flock(folder, fcntl.LOCK_UN)


def control(style, options):
    """How many saves were made, and how many of them plain writers lost."""
    rng = random.Random(f"{options.seed} control {style}")
    with places.plain(options.folder) as folder, places.plain() as scratch:
        path = os.path.join(folder, "state.json")
        with open(path, "w") as file:
            file.write(text_of(document(2)))
        fork = multiprocessing.get_context("fork")
        writers = [fork.Process(target=write_plainly, args=(path, name), daemon=True) for name in ("i0", "i1")]
        for writer in writers:
            writer.start()
        saves = lost = 0
        end = time.monotonic() + CONTROL_PATIENCE
        try:
            while lost == 0 and time.monotonic() < end:
                editing = Editing(path, style, 0.15, rng, options.control_seconds, sys.maxsize, scratch)
                editor = editing.finish(options.control_seconds + 60)
                if not editor:
                    raise SystemExit("the editor hung")
                saves += len(editor.saves)
                lost += editor.lost + editor.taken_back
        finally:
            for writer in writers:
                writer.kill()
                writer.join()
    return style, saves, lost
