"""Runs the commands of one check and everything that they start, and ends what they leave running.

Orphans come back to this process, so that the caller's `wait4` counts the processor time of all.
"""
import ctypes
import json
import os
import signal
import subprocess
import sys
import time

PR_SET_CHILD_SUBREAPER = 36
# How long processes that a check leaves behind may take to end by themselves, in seconds.
GRACE = 2.0


def reap():
    """Collects children that have ended; false once there are none left."""
    try:
        while os.waitpid(-1, os.WNOHANG) != (0, 0):
            pass
        return True
    except ChildProcessError:
        return False


def descendants():
    """The processes below this one."""
    parents = {}
    for name in filter(str.isdigit, os.listdir("/proc")):
        try:
            with open(f"/proc/{name}/stat") as file:
                parents[int(name)] = int(file.read().rpartition(")")[2].split()[1])
        except (FileNotFoundError, ProcessLookupError):
            pass  # ended meanwhile
    found, rest = [], [os.getpid()]
    while rest:
        parent = rest.pop()
        children = [process for process, its_parent in parents.items() if its_parent == parent]
        found += children
        rest += children
    return found


def end_all():
    deadline = time.monotonic() + GRACE
    while reap() and time.monotonic() < deadline:
        time.sleep(0.01)
    while reap():
        for process in descendants():
            try:
                os.kill(process, signal.SIGKILL)
            except ProcessLookupError:
                pass  # ended meanwhile
        time.sleep(0.01)


def main():
    if ctypes.CDLL(None).prctl(PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0) != 0:
        raise SystemExit("this system has no subreapers")
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(128 + signal.SIGTERM))
    code = 0
    try:
        for command in json.loads(sys.argv[1]):
            code = subprocess.call(command, stdin=subprocess.DEVNULL)
            if code != 0:
                print(f"{' '.join(command)} ended with {code}", flush=True)
                break
    finally:
        end_all()
    sys.exit(0 if code == 0 else 1)


if __name__ == "__main__":
    main()
