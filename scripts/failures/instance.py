"""An instance on a bench, which strace can join."""
import subprocess
import threading

from support.client import Client


class Instance(Client):
    """A `replicate attach` of the bench's file."""

    def __init__(self, bench, *options):
        self.bench = bench
        super().__init__([bench.binary, "attach", bench.path, *options], bench.environment)

    def traced(self, *injections):
        """Lets strace join it; returns when it has."""
        tracer = subprocess.Popen(
            [word for word in self.bench.strace(*injections) if word != "-qqq"] + ["-p", str(self.process.pid)],
            stderr=subprocess.PIPE, text=True)
        while True:
            line = tracer.stderr.readline()
            if "attached" in line or not line:
                break
        threading.Thread(target=tracer.stderr.read, daemon=True).start()
        return tracer
