"""What the watchers in Python share: reads the file, and says which number it has and when that was known."""

import re
import sys
import threading
import time
import os

_last = None


def look(path):
    global _last
    try:
        with open(path, "rb") as file:
            data = file.read()
    except FileNotFoundError:
        return
    instant = time.monotonic_ns()
    found = re.search(rb"\d+", data)
    if found and found[0] != _last:
        _last = found[0]
        print(int(_last), instant, flush=True)


def end_with_input():
    """Ends the program when nobody speaks to it any more."""
    def wait():
        sys.stdin.read()
        os._exit(0)
    threading.Thread(target=wait, daemon=True).start()
