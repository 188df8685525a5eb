"""count_filelock.py FILE: increments a number in a JSON file, as long as each line of the input says."""

import json
import os
import sys
import time

from filelock import FileLock

path = sys.argv[1]
temporary = f"{path}.tmp"
lock = FileLock(f"{path}.lock", poll_interval=0.0005)
print("ready", flush=True)
for line in sys.stdin:
    done, longest = 0, 0
    instant = time.monotonic_ns()
    end = instant + int(float(line) * 1e9)
    while instant < end:
        with lock:
            with open(path) as file:
                state = json.load(file)
            state["count"] += 1
            with open(temporary, "w") as file:
                json.dump(state, file)
            os.replace(temporary, path)
        done += 1
        after = time.monotonic_ns()
        longest, instant = max(longest, after - instant), after
    print(done, longest, flush=True)
