"""A reader of the file that must never see half a save."""
import json
import subprocess
import threading


class Watcher:
    """Reads the file as any instance does, and finds no half of a save."""

    def __init__(self, binary, path, environment):
        self.torn, self.seen, self.examples = 0, 0, []
        self.process = subprocess.Popen(
            [binary, "watch", path], stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, env=environment)
        self.thread = threading.Thread(target=self.read, daemon=True)
        self.thread.start()

    def read(self):
        for line in self.process.stdout:
            if not line.endswith(b"\n"):
                return
            self.seen += 1
            try:
                value = json.loads(line)
                rows = {row["id"]: row["value"] for row in value["rows"]}
                if not value["head"] == value["tail"] == rows["editor"]:
                    raise ValueError(f"{value['head']} != {value['tail']} != {rows['editor']}")
            except (ValueError, KeyError, TypeError) as error:
                self.torn += 1
                self.examples.append(f"watch printed what is no whole version: {error!r}")

    def close(self):
        self.process.kill()
        self.process.wait()
        self.thread.join(5)
