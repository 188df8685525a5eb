"""Compares Replication with the model in Tests/SharedFolderModel on generated documents and changes of them.

usage: scripts/check journals [--count N] [--worlds N] [--seed N] [--model FOLDER]: a minute, by default

Each case is a document that two sides change, one of them in several steps. The differences must be the same; and what one
side did must give the same value when it is done to what the other side has, with and without the ghosts of what that
removed; to a document that has nothing to do with it; and to nothing. Some changes are edited themselves, so that they say
what no difference says: then Swift may refuse them, but nothing else.

Each world is some devices whose journals lie in a folder, in part. Which lines count, in which order, and what they come to
with and without an app must be the same, in whatever order they arrive. Exits 1 at the first that differs, and shows it.
"""

import collections
import functools
import json
import os
import random
import subprocess
import sys

from support import arguments
from support.arguments import ROOT
from support.probe import Probe


def with_additions(rng, change):
    """The same change, but now and then a number is said as an addition."""
    if "in" in change:
        return {"in": {key: with_additions(rng, inner) for key, inner in change["in"].items()}}
    if "by" in change:
        return {**change, "of": [[name, with_additions(rng, inner)] for name, inner in change["of"]]}
    if isinstance(change.get("is"), int) and rng.random() < .3:
        return {"add": change["is"]}
    return change


def questions(rng, model):
    """What is asked about one random document: requests, each with what gives the answer, and whether it may be refused."""
    base = model.document(rng)
    here = model.edited(rng, base)
    steps = [base]
    for _ in range(rng.randint(1, 3)):
        steps.append(model.edited(rng, steps[-1]))
    for old, new in [*zip(steps, steps[1:]), (base, here)]:
        yield {"difference": [old, new]}, functools.partial(model.difference, old, new), False

    removed = [change for change in map(model.difference, steps, steps[1:]) if change]
    change = model.difference(base, here)
    if change is None:
        return
    is_strange = rng.random() < .3
    change = model.edited(rng, change) if is_strange else with_additions(rng, change)
    for value in (base, steps[-1], model.document(rng), model.ABSENT):
        for others in (removed, []):
            to = {} if value is model.ABSENT else {"to": value}
            expect = functools.partial(applied, model, change, value, others)
            yield {"apply": change, **to, "removed": others}, expect, is_strange


def applied(model, change, value, removed):
    """What the model answers."""
    ghosts = model.Ghosts()
    for other in removed:
        ghosts.remember(other)
    result = model.apply(change, value, ghosts)
    return {} if result is model.ABSENT else {"value": result}


def check_worlds(probe, model, first, count, *options):
    """Compares what the journals of random worlds come to; returns how many there were."""
    command = [sys.executable, os.path.join(model, "check.py"), "journals", str(first), str(first + count), *options]
    found = subprocess.run(command, check=True, capture_output=True, text=True).stdout
    observations = [json.loads(line) for line in found.splitlines()]
    names, rng = [observation.pop("name") for observation in observations], random.Random(first)
    requests = []
    for observation in observations:
        journals = list(observation.pop("journals").items())
        rng.shuffle(journals)
        requests.append({"journals": dict(journals), "seed": rng.randint(1, 1 << 62)})
    for name, request, expected, answer in zip(names, requests, observations, probe.ask_all(requests)):
        if answer != expected:
            sys.exit(f"{json.dumps(request)}\n  World:  {name}\n  Python: {json.dumps(expected)}\n  Swift:  {json.dumps(answer)}")
    return len(observations)


def import_model(folder):
    """The modules of the model that are asked here, as one."""
    sys.path.insert(0, folder)
    import change
    import documents
    change.document, change.edited = documents.document, documents.edited
    return change


def main():
    parser = arguments.bare_parser(__doc__)
    parser.add_argument("--count", type=int, default=3000, help="how many documents")
    parser.add_argument("--worlds", type=int, default=300, help="how many worlds")
    parser.add_argument("--file-worlds", type=int, default=100, help="how many in which FILE lies in the folder as well")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--model", default=os.path.join(ROOT, "Tests", "SharedFolderModel"), help="the folder of the model")
    options = parser.parse_args()

    rng, model = random.Random(options.seed), import_model(options.model)
    asked = [question for _ in range(options.count) for question in questions(rng, model)]
    probe = Probe("journal-probe")
    answers = probe.ask_all([request for request, _, _ in asked])
    kinds = collections.Counter()
    for (request, expect, is_strange), answer in zip(asked, answers):
        is_refused = is_strange and "error" in (answer or {})
        kinds["refused" if is_refused else "difference" if "difference" in request else "applied"] += 1
        if not is_refused and answer != (expected := expect()):
            sys.exit(f"{json.dumps(request)}\n  Python: {json.dumps(expected)}\n  Swift:  {json.dumps(answer)}")
    print(f"{kinds['difference']} differences and {kinds['applied']} results agree; {kinds['refused']} were refused")
    found = check_worlds(probe, options.model, options.seed, options.worlds)
    print(f"{found} folders of {options.worlds} worlds come to the same")
    found = check_worlds(probe, options.model, options.seed, options.file_worlds, "--file-inside")
    print(f"{found} folders of {options.file_worlds} worlds whose FILE lies there come to the same")


main()
