"""The power is cut, by the file system's own shutdown call."""
import fcntl
import os
import sys
import threading
import time

from support import places
from failures.bench import Bench
from failures.document import DOCUMENT, parsed, shown
from failures.instance import Instance
from failures.scenarios import Scenario
from support.waiting import until

# Like pulling the plug: nothing that is not on the disk gets there any more, the journal neither.
EXT4_IOC_SHUTDOWN = 0x8004587D
NO_LOG_FLUSH = 2


def power(options, tally):
    rounds = 2 if options.short else 10
    # There are others, but btrfs has no shutdown call.
    for kind in ("ext4", "xfs"):
        lost_by_default = 0
        for number in range(rounds):
            try:
                complaints, _ = cut_power(options, kind, "power")
                tally.take(complaints, f"power cut on {kind}, round {number + 1}")
            except places.Unavailable as reason:
                tally.miss(f"power cut on {kind}", reason)
                break
        else:
            try:
                # The positive control: without the flushes something is missing.
                _, lost_by_default = cut_power(options, kind, "process")
            except places.Unavailable as reason:
                tally.miss(f"power cut on {kind}, control", reason)
                continue
            tally.take(
                [] if lost_by_default else ["nothing was missing although nothing was flushed: the cut cuts nothing"],
                f"power cut on {kind}, control")
            print(f"power cut on {kind}: {rounds} rounds; control: {lost_by_default} acknowledged actions missing "
                  "with --durability process", flush=True)


def cut_power(options, kind, durability):
    """Cuts the power while two instances increment; returns complaints, and how many answered increments are gone."""
    with places.disk(kind) as mount, places.plain() as scratch:
        with mount() as folder:
            bench = Bench(options.replicate, options.shim, folder, scratch)
            bench.reset(dict(DOCUMENT, a=0, b=0))
            os.sync()
            instances = {name: Instance(bench, "--durability", durability) for name in "ab"}
            acknowledged = dict.fromkeys("ab", 0)
            stop = threading.Event()

            def work(name):
                while not stop.is_set():
                    answer = instances[name].ask("increment", path=f"/{name}")
                    if "result" not in answer or stop.is_set():
                        return
                    acknowledged[name] = int(answer["result"]["value"])

            threads = [threading.Thread(target=work, args=name) for name in "ab"]
            for thread in threads:
                thread.start()
            until(lambda: min(acknowledged.values()) > 0)
            time.sleep(options.rng.uniform(0.3, 0.8))
            promised = dict(acknowledged)
            descriptor = os.open(folder, os.O_RDONLY)
            try:
                fcntl.ioctl(descriptor, EXT4_IOC_SHUTDOWN, NO_LOG_FLUSH.to_bytes(4, sys.byteorder))
            except OSError as error:
                raise places.Unavailable(f"shutdown: {error.strerror}") from None
            finally:
                os.close(descriptor)
                stop.set()
                for instance in instances.values():
                    instance.process.kill()
                for thread in threads:
                    thread.join()
                for instance in instances.values():
                    instance.close()
        with mount():
            value = parsed(bench.bytes())
            if not isinstance(value, dict):
                return [f"after the power cut the file holds {shown(bench.bytes())}"], sum(promised.values())
            missing = sum(max(0, promised[name] - value[name]) for name in "ab")
            complaints = []
            if missing:
                complaints.append(f"{missing} acknowledged actions are missing: {promised}, but {value}")
            if min(promised.values()) == 0:
                complaints.append(f"nothing was acknowledged before the cut: {promised}")
            again = bench.run(Scenario.words)
            if again.returncode != 0:
                complaints.append(f"the next command failed: {again.stderr.strip()!r}")
            if bench.left():
                complaints.append(f"left beside the file: {bench.left()}")
            return complaints, missing
