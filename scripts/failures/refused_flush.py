"""The disk refuses what a burst has written: the file that holds it is not written to again."""
import os

from support import places
from failures.bench import Bench
from failures.document import DOCUMENT, parsed
from failures.instance import Instance
from support.waiting import DEADLINE, until

BURST = 4


def refuse(options, tally):
    for fault in (None, "fdatasync:error=EIO:when=1"):
        with places.plain(options.folder) as folder, places.plain() as scratch:
            complaints = flush_burst(Bench(options.replicate, options.shim, folder, scratch), fault)
        tally.take(complaints, "the flush of a burst " + ("fails" if fault else "succeeds"))


def flush_burst(bench, fault, tries=5):
    """What is wrong when the flush of a burst fails; or succeeds: then the same file is written to again."""
    complaints = []
    bench.reset(DOCUMENT)
    instance = Instance(bench)
    tracer = instance.traced(*[fault] if fault else [])
    for _ in range(BURST):
        instance.ask("increment", path="/n")
    if "fdatasync(" in bench.traced() and tries > 1:
        # Here something stood still for so long that the burst was over too early.
        instance.close()
        tracer.wait(DEADLINE)
        return flush_burst(bench, fault, tries - 1)
    if until(lambda: "fdatasync(" in bench.traced()) is None:
        complaints.append("the burst was not flushed")
    if fault and not instance.hears("problem", "degraded"):
        complaints.append(f"that the disk refused it was not reported: {instance.notes}")
    flushed = os.stat(bench.path).st_ino
    # Displaced by the first of these, it is what the second would be written to.
    for _ in range(2):
        instance.ask("increment", path="/n")
    is_used = os.stat(bench.path).st_ino == flushed
    if is_used and fault:
        complaints.append("what the disk refused was written to again")
    if not is_used and not fault:
        complaints.append("what the disk took was not written to again")
    code, said = instance.close()
    tracer.wait(DEADLINE)
    if code != 0 or parsed(bench.bytes()) != dict(DOCUMENT, n=BURST + 2):
        complaints.append(f"ended with {code}: {said!r}; the file holds {bench.bytes()!r}")
    if bench.left():
        complaints.append(f"left beside the file: {bench.left()}")
    return complaints
