"""What the kernel says that programs have used."""

import glob
import os

from programs import Failed


def nanoseconds(children):
    """Of the processor, of all threads of these programs and of those that they have started."""
    total = sum(_of_process(process) for child in children for process in _processes(child))
    if total == 0:
        raise Failed("the kernel doesn't say how much of the processor a program has used, or it has ended")
    return total


def resident(child):
    """Bytes of memory."""
    total = 0
    for process in _processes(child):
        words = _read(f"/proc/{process}/statm").split()
        total += int(words[1]) * os.sysconf("SC_PAGESIZE") if words else 0
    if total == 0:
        raise Failed(f"{child} has ended: {child.complaint()}")
    return total


def _of_process(process):
    threads = [_read(path).split() for path in glob.glob(f"/proc/{process}/task/*/schedstat")]
    if any(threads):
        return sum(int(words[0]) for words in threads if words)
    # A kernel without that counts in hundredths of a second.
    words = _read(f"/proc/{process}/stat").rpartition(")")[2].split()
    return (int(words[11]) + int(words[12])) * 1_000_000_000 // os.sysconf("SC_CLK_TCK") if words else 0


def _processes(child):
    found, waiting = [], [child.process.pid]
    while waiting:
        process = waiting.pop()
        found.append(process)
        for path in glob.glob(f"/proc/{process}/task/*/children"):
            waiting += [int(word) for word in _read(path).split()]
    return found


def _read(path):
    """Empty when the process or the thread has ended."""
    try:
        with open(path) as file:
            return file.read()
    except OSError:
        return ""
