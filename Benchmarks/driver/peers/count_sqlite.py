"""count_sqlite.py FILE: increments a number in a database, as long as each line of the input says.

A write-ahead log, synchronous = normal: what is committed survives the end of the process, as with us.
"""

import sqlite3
import sys
import time

database = sqlite3.connect(sys.argv[1], timeout=60, isolation_level=None)
database.execute("PRAGMA journal_mode = WAL")
database.execute("PRAGMA synchronous = NORMAL")
database.execute("CREATE TABLE IF NOT EXISTS tally (id INTEGER PRIMARY KEY, count INTEGER)")
database.execute("INSERT OR IGNORE INTO tally VALUES (1, 0)")
print("ready", flush=True)
for line in sys.stdin:
    done, longest = 0, 0
    instant = time.monotonic_ns()
    end = instant + int(float(line) * 1e9)
    while instant < end:
        database.execute("UPDATE tally SET count = count + 1 WHERE id = 1")
        done += 1
        after = time.monotonic_ns()
        longest, instant = max(longest, after - instant), after
    print(done, longest, flush=True)
