"""A folder of a server's that each machine has mounted: nothing is copied, all see the same files, a moment late."""
import os

from support import places
from machines.engine import Engine
from machines.world import Bridge


class Server:
    """A machine that serves a folder over SSH."""

    def __init__(self, stack, folder):
        self.source = os.path.join(folder, "served")
        os.mkdir(self.source)
        keys = os.path.join(folder, "keys")
        os.mkdir(keys, 0o700)
        places.run("ip", "address", "add", f"{Bridge.SERVER}/24", "dev", Bridge.NAME)
        self.options = places.ssh_options(keys, stack.enter_context(places.ssh_server(keys, Bridge.SERVER)))


class Mounted(Engine):
    """An `sshfs` on one machine, started, stopped and killed."""

    name = "sshfs"

    def __init__(self, machine, server):
        super().__init__(machine)
        self.server = server
        self.mount = os.path.join(machine.home, "mounted")
        os.makedirs(self.mount, exist_ok=True)

    def place(self, name):
        return os.path.join(self.mount, name)

    def seen(self, name):
        return os.path.join(self.server.source, name)

    def configure(self, folders, engines):
        for name in folders:
            os.makedirs(self.seen(name), exist_ok=True)

    def start(self):
        # What a killed one has left stands in the way.
        self.machine.do("umount", "--lazy", self.mount)
        # Who loses the server tries to reach it again, instead of ending.
        options = self.server.options + ["-o", "reconnect", "-o", "ServerAliveInterval=1"]
        self.begin(
            "sshfs", "-f", f"{places.user_name()}@{Bridge.SERVER}:{self.server.source}", self.mount, *options)
