"""What keeps the folders of one machine in sync with those of others: a process that is started, stopped and killed."""
import os
import subprocess


class Engine:
    """A process on one machine; `name`, `configure` and `start` are those of each kind."""

    # Whether it brings to others what instances have beside a file for an instant.
    leaves_nothing_out = False
    # Why it loses what somebody saves in the file that it brings; empty if it doesn't.
    overwrites = ""

    def __init__(self, machine):
        self.machine = machine
        self.process = None
        self.log = open(os.path.join(machine.folder, "engine.log"), "ab")

    def place(self, name):
        """Where a folder is on the machine."""
        return os.path.join(self.machine.home, name)

    def seen(self, name):
        """Where it is for who looks from outside of the machine."""
        return self.place(name)

    def shared(self, name):
        """Does what is to be done by hand once a file is shared that lies in a folder of this name."""

    def begin(self, *words, **options):
        self.process = self.machine.start(
            *words, stdin=subprocess.DEVNULL, stdout=self.log, stderr=self.log, **options)

    def stop(self):
        """As a user would, or a machine that goes to sleep."""
        self.process.terminate()
        try:
            self.process.wait(20)
        except subprocess.TimeoutExpired:
            self.kill()

    def kill(self):
        self.process.kill()
        self.process.wait()

    def last_words(self):
        with open(self.log.name, errors="replace") as file:
            return (file.read().strip().split("\n"))[-1]
