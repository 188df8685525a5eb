"""Small worlds to try a shared file in: file systems of their own, mounted for a while.

Each is a context manager that yields a folder. Where this machine doesn't allow it, `Unavailable` says why, and the
caller counts that as a failure, or as skipped if it was told to. What is mounted is unmounted again, also after a
failure.
"""

import contextlib
import os
import pwd
import shutil
import signal
import socket
import subprocess
import sys
import tempfile
import threading


class Unavailable(Exception):
    """This machine or user can't have such a place."""


class Tally:
    """Counts what held, and prints what didn't."""

    def __init__(self, may_skip):
        self.may_skip = may_skip
        self.passed = self.failed = self.skipped = 0
        self.lock = threading.Lock()

    def take(self, complaints, name=""):
        with self.lock:
            if complaints:
                self.failed += 1
            else:
                self.passed += 1
            for complaint in complaints:
                print(f"{name}: {complaint}" if name else f"    {complaint}", flush=True)

    def miss(self, name, reason):
        """What can't be tried here was not tried: a failure, unless that was allowed."""
        with self.lock:
            if self.may_skip:
                self.skipped += 1
                print(f"{name} skipped: {reason}", flush=True)
            else:
                self.failed += 1
                print(f"{name} cannot be tried here: {reason}; --skip-unavailable leaves it out", flush=True)

    def end(self):
        """Prints the sums; returns the exit code."""
        print(f"{self.passed} passed, {self.failed} failed, {self.skipped} skipped", flush=True)
        return 1 if self.failed else 0


def end_cleanly():
    """Lets SIGTERM end this process as an error would: what is mounted is unmounted, and what runs is ended."""

    def end(*_):
        # Whoever ends a group of processes tells some of them twice.
        signal.signal(signal.SIGTERM, signal.SIG_IGN)
        sys.exit(1)

    signal.signal(signal.SIGTERM, end)


def require(*programs):
    """Ends the script where something it needs is not installed."""
    missing = [program for program in programs if not shutil.which(program)]
    if missing:
        raise SystemExit(f"not installed: {', '.join(missing)}; install {', '.join(missing)}")


def run(*command):
    try:
        done = subprocess.run(command, capture_output=True, text=True, timeout=60)
    except FileNotFoundError:
        raise Unavailable(f"{command[0]} is not installed") from None
    if done.returncode != 0:
        raise Unavailable(f"{command[0]}: {done.stderr.strip() or done.returncode}".splitlines()[0])


def unmount(folder):
    if subprocess.run(["umount", folder], capture_output=True).returncode != 0:
        subprocess.run(["umount", "--lazy", folder], capture_output=True)


@contextlib.contextmanager
def mounted(at, *command):
    """Runs a command that mounts something at a folder or file; unmounts it at the end."""
    run(*command, at)
    try:
        yield at
    finally:
        unmount(at)


@contextlib.contextmanager
def plain(base=None):
    """A new folder on whatever file system `base` is on."""
    folder = os.path.realpath(tempfile.mkdtemp(prefix="replicate-", dir=base))
    try:
        yield folder
    finally:
        shutil.rmtree(folder, ignore_errors=True)


@contextlib.contextmanager
def tmpfs(base=None, size="64M"):
    with plain(base) as folder, mounted(folder, "mount", "-t", "tmpfs", "-o", f"size={size}", "replicate"):
        yield folder


@contextlib.contextmanager
def disk(kind, base=None):
    """A file system of its own in a file; yields what mounts it, as a loop device, at a folder beside it."""
    with plain(base) as outer:
        path, folder = os.path.join(outer, "image"), os.path.join(outer, "mounted")
        os.mkdir(folder)
        with open(path, "wb") as file:
            file.truncate({"ext4": 64, "xfs": 320, "btrfs": 128}[kind] << 20)
        run(f"mkfs.{kind}", "-q", path)
        yield lambda: mounted(folder, "mount", "-o", "loop", path)


@contextlib.contextmanager
def image(kind, base=None):
    """Such a file system, mounted."""
    with disk(kind, base) as mount, mount() as folder:
        yield folder


@contextlib.contextmanager
def overlay(base=None):
    # The upper layer can't be an overlay itself, and what is under `base` may be one.
    with tmpfs(base) as outer:
        lower, upper, work, folder = (os.path.join(outer, name) for name in ("lower", "upper", "work", "merged"))
        for name in (lower, upper, work, folder):
            os.mkdir(name)
        layers = f"lowerdir={lower},upperdir={upper},workdir={work}"
        with mounted(folder, "mount", "-t", "overlay", "-o", layers, "replicate"):
            yield folder


@contextlib.contextmanager
def bindfs(base=None):
    """FUSE: names can't be swapped, and inotify doesn't see what is changed behind the mount."""
    with plain(base) as outer:
        source, folder = os.path.join(outer, "source"), os.path.join(outer, "mounted")
        os.mkdir(source)
        os.mkdir(folder)
        with mounted(folder, "bindfs", source):
            yield folder


@contextlib.contextmanager
def sshfs(base=None):
    """FUSE over a network: an SSH server of its own on the loopback, and keys that nobody else has."""
    with contextlib.ExitStack() as stack:
        keys = stack.enter_context(plain())
        outer = stack.enter_context(plain(base))
        source, folder = os.path.join(outer, "source"), os.path.join(outer, "mounted")
        os.mkdir(source)
        os.mkdir(folder)
        port = stack.enter_context(ssh_server(keys))
        run("sshfs", f"{user_name()}@127.0.0.1:{source}", folder, *ssh_options(keys, port))
        stack.callback(unmount, folder)
        yield folder


def user_name():
    return pwd.getpwuid(os.getuid()).pw_name


def ssh_options(keys, port):
    """What `sshfs` is told so that it reaches a server with these keys."""
    options = [
        f"port={port}", f"IdentityFile={keys}/user", f"UserKnownHostsFile={keys}/known", "BatchMode=yes",
        "ssh_command=ssh -F none"]
    return [word for option in options for word in ("-o", option)]


@contextlib.contextmanager
def ssh_server(keys, address="127.0.0.1"):
    """Runs sshd for this user; yields its port."""
    server = shutil.which("sshd", path=os.environ.get("PATH", "") + ":/usr/sbin:/usr/local/sbin")
    if not server:
        raise Unavailable("sshd is not installed")
    for name in ("host", "user"):
        run("ssh-keygen", "-q", "-t", "ed25519", "-N", "", "-f", os.path.join(keys, name))
    with socket.socket() as free:
        free.bind((address, 0))
        port = free.getsockname()[1]
    with open(os.path.join(keys, "host.pub")) as file:
        host = file.read()
    with open(os.path.join(keys, "known"), "w") as file:
        file.write(f"[{address}]:{port} {host}")
    with open(os.path.join(keys, "config"), "w") as file:
        file.write(f"""
            ListenAddress {address}
            Port {port}
            HostKey {keys}/host
            AuthorizedKeysFile {keys}/user.pub
            PidFile none
            StrictModes no
            UsePAM no
            PermitRootLogin yes
            PasswordAuthentication no
            KbdInteractiveAuthentication no
            Subsystem sftp internal-sftp
            """)
    # Where it shuts itself in before anybody has logged in; what starts it at boot would make it.
    is_made = os.geteuid() == 0 and not os.path.isdir("/run/sshd")
    if is_made:
        os.mkdir("/run/sshd", 0o755)
    process = subprocess.Popen(
        [server, "-D", "-e", "-f", os.path.join(keys, "config")], stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL,
        stderr=subprocess.PIPE, text=True)
    lines = []
    try:
        for line in process.stderr:
            lines.append(line.strip())
            if "listening" in line:
                break
        else:
            raise Unavailable(f"sshd: {'; '.join(lines)}")
        threading.Thread(target=process.stderr.read, daemon=True).start()
        yield port
    finally:
        process.terminate()
        process.wait()
        if is_made:
            os.rmdir("/run/sshd")


FILE_SYSTEMS = ("ext4", "tmpfs", "xfs", "btrfs", "overlay", "bindfs", "sshfs")
PLACES = {
    "here": plain,
    "tmpfs": tmpfs,
    "ext4": lambda base=None: image("ext4", base),
    "xfs": lambda base=None: image("xfs", base),
    "btrfs": lambda base=None: image("btrfs", base),
    "overlay": overlay,
    "bindfs": bindfs,
    "sshfs": sshfs,
}
