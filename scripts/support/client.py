"""An instance as a process, and a conversation with it: JSON-RPC, a message a line."""
import contextlib
import json
import queue
import subprocess
import threading
import time

from support.waiting import DEADLINE


class Client:
    """What runs `replicate attach`: what it is sent, what it answers, and what it tells of its own accord."""

    def __init__(self, command, environment=None, stderr=subprocess.PIPE, **options):
        self.process = subprocess.Popen(
            command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=stderr, env=environment, **options)
        # What `until` has taken: answers by the number of the request, of which there should be one; and what was told.
        self.answers, self.notes = {}, []
        self.number = 0
        # Whether it takes no more requests, as it has ended.
        self.is_deaf = False
        self.messages = queue.SimpleQueue()
        threading.Thread(target=self.read, daemon=True).start()

    def read(self):
        try:
            for line in self.process.stdout:
                # What a kill has torn is no message.
                if line.endswith(b"\n"):
                    self.messages.put(json.loads(line))
        finally:
            self.messages.put(None)

    def send(self, method, **parameters):
        """Sends one request; its number."""
        return self.send_all([(method, parameters)])[0]

    def send_all(self, requests):
        """Sends requests at once, each a method and what it is given; their numbers. Who has ended gets none of them."""
        first = self.number + 1
        self.number += len(requests)
        lines = [
            json.dumps({"jsonrpc": "2.0", "id": number, "method": method, "params": parameters}).encode() + b"\n"
            for number, (method, parameters) in enumerate(requests, first)]
        try:
            self.process.stdin.write(b"".join(lines))
            self.process.stdin.flush()
        except BrokenPipeError:
            self.is_deaf = True
        return range(first, first + len(requests))

    def receive(self, seconds=None):
        """The next message; nothing where none comes for so long, or the instance has ended."""
        try:
            message = self.messages.get(timeout=seconds)
        except queue.Empty:
            return None
        if message is None:
            self.messages.put(None)
        return message

    def until(self, condition, seconds=DEADLINE):
        """Takes what comes until a condition holds; whether it came to hold."""
        end = time.monotonic() + seconds
        while not condition():
            message = self.receive(max(0, end - time.monotonic()))
            if message is None:
                return condition()
            if "id" in message:
                self.answers.setdefault(message["id"], []).append(message)
            else:
                self.notes.append(message)
        return True

    def ask(self, method, seconds=DEADLINE, **parameters):
        """What it answers; an empty message where no answer comes."""
        number = self.send(method, **parameters)
        self.until(lambda: number in self.answers, seconds)
        return self.answers.get(number, [{}])[0]

    def told(self, method):
        """What it has told by a method, one after another."""
        return [note["params"] for note in self.notes if note["method"] == method]

    def hears(self, method, code, seconds=DEADLINE):
        """Whether it comes to be told that there is a problem, or that it is resolved."""
        return self.until(lambda: any(params.get("code") == code for params in self.told(method)), seconds)

    def end(self):
        """Ends the input."""
        with contextlib.suppress(BrokenPipeError):
            self.process.stdin.close()

    def close(self, seconds=DEADLINE):
        """Ends the input, and takes what comes still; the exit code, and what was said on standard error."""
        self.end()
        try:
            code = self.process.wait(seconds)
        except subprocess.TimeoutExpired:
            self.process.kill()
            self.process.wait()
            code = "hung"
        self.until(lambda: False, 1)
        return code, self.process.stderr.read().decode() if self.process.stderr else ""
