"""One round: instances, an editor, a watcher and a menace at a new file, and what came of it."""
import contextlib
import json
import os
import random
import shutil
import subprocess
import time

from support import places
from rounds.document import document, text_of
from rounds.editor import Editing
from rounds.instance import Instance
from rounds.judge import Judge, settle
from rounds.menace import Menace
from rounds.watcher import Watcher


def torture(row, folder, seconds, saves, options):
    """One round of a style at a place, added to its row."""
    number = len(row.settled)
    rng = random.Random(f"{options.seed} {row.place} {row.style} {row.counts['saves']} {number}")
    with places.plain(folder) as within, places.plain() as scratch:
        path = os.path.join(within, "state.json")
        before = len(row.complaints)
        instances, editor = round_of(row, path, rng, seconds, saves, scratch, options)
        if options.keep and len(row.complaints) > before:
            kept = os.path.join(options.keep, f"{row.place}-{row.style}-{number}")
            # What a killed instance listened at can't be copied.
            shutil.copytree(scratch, kept, dirs_exist_ok=True, ignore=shutil.ignore_patterns("*.socket"))
            with contextlib.suppress(FileNotFoundError):
                shutil.copy(path, kept)
            with open(os.path.join(kept, "round"), "w") as file:
                file.write("\n".join(row.complaints[before:]) + "\n")
                for begun, ended, value in editor.saves if editor else []:
                    file.write(f"{begun} {ended} saved {json.dumps(value)}\n")
                for instance in instances:
                    for sent, answered, value, _ in instance.steps:
                        file.write(f"{sent} {answered} {instance.name} answered {value}\n")
                    for at in instance.ends:
                        file.write(f"{at} {instance.name} was killed\n")


def round_of(row, path, rng, seconds, saves, scratch, options):
    environment = dict(os.environ, XDG_STATE_HOME=scratch)
    with open(path, "w") as file:
        file.write(text_of(document(options.instances)))
    instances = [Instance(options.replicate, path, environment, number) for number in range(options.instances)]
    watcher = Watcher(options.replicate, path, environment)
    try:
        for instance in instances:
            instance.start()
        # Forked before there are threads that write.
        editing = Editing(path, row.style, 30.0, rng, seconds, saves, scratch)
        return instances, judged_round(row, path, rng, seconds, environment, instances, watcher, editing, options)
    finally:
        watcher.close()
        for instance in instances:
            instance.abandon()


def judged_round(row, path, rng, seconds, environment, instances, watcher, editing, options):
    """What the editor wrote down."""
    for instance in instances:
        instance.begin()
    menace = Menace(instances, rng) if options.menace else None
    complaints = []
    editor = editing.finish(seconds + 120)
    if editor is None:
        complaints.append("the editor hung")
    if menace:
        menace.close()
    for instance in instances:
        instance.stopping.set()
    for instance in instances:
        instance.finish()
    start = time.monotonic()
    alive = [instance for instance in instances if instance.process.poll() is None]
    final, settled = settle(alive, path, start)
    watcher.close()
    judge = Judge(editor.saves if editor else [])
    lost = torn = 0
    examples = []
    if final is None:
        complaints.append("the instances and the file never came to hold the same")
        with contextlib.suppress(ValueError, FileNotFoundError), open(path) as file:
            final = json.load(file)
    else:
        row.settled.append(settled)
    if final:
        for instance in instances:
            judge.counter(instance, final["counters"][instance.name])
            judge.token_list(instance, final)
            judge.row(instance, final)
    if editor:
        if final and final["head"] != editor.confirmed:
            editor.lost += 1
            editor.examples.append(f"at the end the file has save {final['head']}, not {editor.confirmed}")
        lost, torn, examples = editor.lost + editor.taken_back, editor.torn, editor.examples
    for instance in alive:
        instance.close()
    # Whoever was killed may have left something, which the next commit finds.
    subprocess.run([options.replicate, "set", path, "/last", "true"], env=environment, check=True)
    left = sorted(name for name in os.listdir(os.path.dirname(path)) if "replicate" in name)
    if left:
        complaints.append(f"left beside the file: {left}")
    for instance in instances:
        complaints += instance.complaints
    lost += judge.lost
    torn += watcher.torn
    examples = examples + judge.examples + watcher.examples
    if lost or judge.twice or torn:
        complaints += examples[:options.examples]
        if len(examples) > options.examples:
            complaints.append(f"… and {len(examples) - options.examples} more")
    row.counts.update({
        "saves": len(editor.saves) if editor else 0, "actions": sum(instance.acknowledged for instance in instances),
        "lost": lost, "twice": judge.twice, "torn": torn, "kills": sum(instance.kills for instance in instances),
        "stops": menace.stops if menace else 0, "held": menace.held if menace else 0,
        "rescued": sum(len(instance.problems.get("rescued", [])) for instance in instances)})
    row.complaints += complaints
    return editor
