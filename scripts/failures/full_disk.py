"""The disk is full, and then has room again."""
import contextlib
import json
import os

from support import places
from failures.bench import Bench
from failures.document import DOCUMENT, parsed
from failures.instance import Instance


def full(options, tally):
    try:
        with places.tmpfs(size="1M") as folder, places.plain() as scratch:
            tally.take(fill_disk(Bench(options.replicate, options.shim, folder, scratch)), "disk full")
    except places.Unavailable as reason:
        tally.miss("disk full", reason)


def fill_with(ballast):
    with open(ballast, "wb", buffering=0) as file, contextlib.suppress(OSError):
        while file.write(b"x" * 4096):
            pass


def fill_disk(bench):
    complaints = []
    bench.reset(dict(DOCUMENT, blob="x" * 20_000))
    before = bench.bytes()
    instance = Instance(bench)
    reader = Instance(bench)
    if instance.ask("increment", path="/n").get("result", {}).get("value") != 1:
        complaints.append("the first increment was not answered with 1")
    # The spare takes what one version needs: what is bigger finds no room.
    ballast = os.path.join(bench.folder, "ballast")
    fill_with(ballast)
    pending = instance.send("set", path="/blob", value="y" * 60_000)

    if not instance.hears("problem", "cannot-write"):
        complaints.append(f"a full disk was not reported: {instance.notes}")
    else:
        print(f"disk full: {instance.told('problem')[0]['message']}")
    if pending in instance.answers:
        complaints.append(f"what could not be written was answered: {instance.answers[pending]}")
    # Work goes on in memory.
    more = instance.send("increment", path="/n")
    seen = instance.ask("get", path="/n")
    if seen.get("result", {}).get("value") != 2:
        complaints.append(f"the increment is not in memory: {seen}")
    if parsed(bench.bytes()) != dict(json.loads(before), n=1):
        complaints.append("the file is not the old version")
    other = bench.run(["set", "/blob", json.dumps("z" * 60_000)])
    if other.returncode != 4 or "no space left" not in other.stderr:
        complaints.append(f"a command on the full disk: {other.returncode} {other.stderr!r}")
    os.unlink(ballast)
    if not instance.until(lambda: pending in instance.answers and more in instance.answers):
        complaints.append("what was pending was not committed although there is room")
    if not instance.hears("resolved", "cannot-write"):
        complaints.append("the end of the problem was not reported")
    value = parsed(bench.bytes())
    if value.get("n") != 2 or value.get("blob") != "y" * 60_000:
        complaints.append(f"n is {value.get('n')} and the blob has {len(value.get('blob'))} characters")
    for each in (instance, reader):
        code, text = each.close()
        if code != 0:
            complaints.append(f"ended with {code}: {text!r}")
    if bench.left():
        complaints.append(f"left beside the file: {bench.left()}")

    # Who ends while the disk is full says how many writes are lost.
    bench.reset(DOCUMENT)
    fill_with(ballast)
    instance = Instance(bench, "--timeout", "1")
    instance.send("set", path="/blob", value="y" * 60_000)
    code, text = instance.close()
    os.unlink(ballast)
    if code != 4 or "1 write is not in" not in text:
        complaints.append(f"the end on a full disk: {code} {text!r}")
    print(f"disk full at the end: {text.strip()}", flush=True)
    return complaints
