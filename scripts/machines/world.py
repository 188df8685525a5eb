"""A world of its own: what runs, is mounted, and is connected there is gone when it ends, however it ends."""
import contextlib
import ctypes
import os
import signal
import subprocess
import time
import traceback

from support import places

NEW_MOUNTS, NEW_PROCESSES, NEW_NETWORK = 0x00020000, 0x20000000, 0x40000000
SET_PARENT_DEATH_SIGNAL = 1

# How long what was told to end may take for that.
PATIENCE = 20.0


def unshare(flags, what):
    libc = ctypes.CDLL(None, use_errno=True)
    if libc.unshare(flags) != 0:
        raise places.Unavailable(f"no namespace for {what}: {os.strerror(ctypes.get_errno())}")


def alone(work):
    """What becomes of a function, an exit code, in a process that is the first one of a namespace.

    When it ends, the kernel ends all that it has started.
    """
    unshare(NEW_PROCESSES, "processes")
    child = os.fork()
    if child == 0:
        os._exit(first_process(work))
    try:
        return os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])
    except BaseException:
        end(child)
        raise


def first_process(work):
    code = 1
    try:
        ctypes.CDLL(None).prctl(SET_PARENT_DEATH_SIGNAL, signal.SIGKILL)
        code = work()
    except KeyboardInterrupt:
        pass
    except SystemExit as exit:
        code = exit.code
    except BaseException:
        traceback.print_exc()
    return code if isinstance(code, int) else 1


def settle():
    """Gives this process, and those that it starts, mounts and a network of their own."""
    unshare(NEW_MOUNTS | NEW_NETWORK, "mounts and the network")
    places.run("mount", "--make-rprivate", "/")
    places.run("mount", "-t", "proc", "proc", "/proc")


def end(child):
    """Ends the first process: by asking, if need be by force."""
    with contextlib.suppress(ProcessLookupError, ChildProcessError):
        os.kill(child, signal.SIGTERM)
        deadline = time.monotonic() + PATIENCE
        while os.waitpid(child, os.WNOHANG) == (0, 0):
            if time.monotonic() > deadline:
                os.kill(child, signal.SIGKILL)
                os.waitpid(child, 0)
                return
            time.sleep(0.02)


class Bridge:
    """The network between machines; its addresses are those that are kept for examples."""

    NAME = "bridge"
    # Where somebody is who serves all machines.
    SERVER = "192.0.2.254"

    def __init__(self):
        places.run("ip", "link", "add", "name", self.NAME, "type", "bridge")
        places.run("ip", "link", "set", "dev", self.NAME, "up")

    @staticmethod
    def address(number):
        return f"192.0.2.{number + 1}"


class Machine:
    """One machine: a network, a name and an identifier of its own, and a link to the bridge that can be cut."""

    def __init__(self, number, folder):
        self.number, self.name, self.link = number, f"m{number + 1}", f"link{number + 1}"
        self.folder = os.path.join(folder, self.name)
        self.home = os.path.join(self.folder, "home")
        os.makedirs(self.home)
        self.environment = {key: value for key, value in os.environ.items() if not key.startswith("XDG_")}
        self.environment.update(HOME=self.home, XDG_STATE_HOME=os.path.join(self.folder, "state"))
        identifier = os.path.join(self.folder, "machine-id")
        with open(identifier, "w") as file:
            file.write(f"{number + 1:032x}\n")
        # Where there is no such file, machines are told apart by their names.
        identify = f"mount --bind {identifier} /etc/machine-id &&" if os.path.exists("/etc/machine-id") else ""
        self.holder = subprocess.Popen(
            ["unshare", "--net", "--mount", "--uts", "--", "sh", "-ec",
             f"{identify} hostname {self.name} && ip link set dev lo up && echo there && exec cat"],
            stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE)
        if self.holder.stdout.readline() != b"there\n":
            raise places.Unavailable(f"no machine of its own: {self.holder.stderr.read().decode().strip()}")
        places.run(
            "ip", "link", "add", "name", self.link, "type", "veth", "peer", "name", "eth0", "netns",
            str(self.holder.pid))
        places.run("ip", "link", "set", "dev", self.link, "master", Bridge.NAME, "up")
        places.run(*self.command("ip", "address", "add", f"{Bridge.address(number)}/24", "dev", "eth0"))
        places.run(*self.command("ip", "link", "set", "dev", "eth0", "up"))

    def command(self, *words):
        """What runs a command on this machine; it becomes that command."""
        return ["nsenter", f"--target={self.holder.pid}", "--net", "--mount", "--uts", "--", *words]

    def start(self, *words, **options):
        return subprocess.Popen(self.command(*words), env=self.environment, **options)

    def do(self, *words, timeout=120):
        """Runs a command to its end, as somebody would type it."""
        return subprocess.run(
            self.command(*words), env=self.environment, capture_output=True, text=True, timeout=timeout)

    def cut(self):
        places.run("ip", "link", "set", "dev", self.link, "down")

    def connect(self):
        places.run("ip", "link", "set", "dev", self.link, "up")
