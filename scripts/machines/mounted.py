"""A folder of a server's that each machine has mounted: nothing is copied, all see the same files, a moment late."""
import os
import subprocess

import places
from world import Bridge


class Server:
    """A machine that serves a folder over SSH."""

    def __init__(self, stack, folder):
        self.source = os.path.join(folder, "served")
        os.mkdir(self.source)
        keys = os.path.join(folder, "keys")
        os.mkdir(keys, 0o700)
        places.run("ip", "address", "add", f"{Bridge.SERVER}/24", "dev", Bridge.NAME)
        self.options = places.ssh_options(keys, stack.enter_context(places.ssh_server(keys, Bridge.SERVER)))


class Mounted:
    """An `sshfs` on one machine, started, stopped and killed."""

    name = "sshfs"

    def __init__(self, machine, server):
        self.machine, self.server = machine, server
        self.mount = os.path.join(machine.home, "mounted")
        os.makedirs(self.mount, exist_ok=True)
        self.process = None
        self.log = open(os.path.join(machine.folder, "engine.log"), "ab")

    def place(self, name):
        """Where a folder is on the machine."""
        return os.path.join(self.mount, name)

    def seen(self, name):
        """Where it is for who looks from outside of the machine."""
        return os.path.join(self.server.source, name)

    def configure(self, folders, engines):
        for name in folders:
            os.makedirs(self.seen(name), exist_ok=True)

    def start(self):
        # What a killed one has left stands in the way.
        self.machine.do("umount", "--lazy", self.mount)
        # Who loses the server tries to reach it again, instead of ending.
        options = self.server.options + ["-o", "reconnect", "-o", "ServerAliveInterval=1"]
        self.process = self.machine.start(
            "sshfs", "-f", f"{places.user_name()}@{Bridge.SERVER}:{self.server.source}", self.mount, *options,
            stdin=subprocess.DEVNULL, stdout=self.log, stderr=self.log)

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
        with open(self.log.name) as file:
            return (file.read().strip().split("\n"))[-1]
