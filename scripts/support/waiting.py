"""Waiting for what must come to be so."""
import time

# How long that may take, in seconds.
DEADLINE = 30


def until(condition, patience=DEADLINE, pause=0.01):
    """Waits until something holds, and returns after how many seconds; None if it never does."""
    start = time.monotonic()
    while not condition():
        if time.monotonic() > start + patience:
            return None
        time.sleep(pause)
    return time.monotonic() - start
