"""json_python.py json|orjson FILE ROUNDS: nanoseconds of parsing and of writing, a line each."""

import importlib
import sys
import time

library = importlib.import_module(sys.argv[1])
with open(sys.argv[2], "rb") as file:
    data = file.read()
options = dict(separators=(",", ":"), ensure_ascii=False) if sys.argv[1] == "json" else {}
for _ in range(int(sys.argv[3])):
    start = time.monotonic_ns()
    value = library.loads(data)
    parsed = time.monotonic_ns()
    library.dumps(value, **options)
    print(parsed - start, time.monotonic_ns() - parsed)
