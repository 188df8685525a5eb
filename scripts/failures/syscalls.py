"""The system calls that may fail, how, and which of them a run made."""
import collections
import re

ERRORS = ("EIO", "ENOSPC", "EDQUOT", "EINTR", "EACCES")
TRANSFERS = ("read", "pread64", "write", "pwrite64")
CALLS = TRANSFERS + (
    "openat", "newfstatat", "fstat", "statx", "faccessat2", "readlinkat", "getdents64", "statfs", "mkdirat",
    "fchmod", "fchown", "fsetxattr", "fgetxattr", "lgetxattr", "flistxattr", "fremovexattr", "ftruncate", "fallocate",
    "renameat", "renameat2", "linkat", "unlinkat", "fsync", "fdatasync", "sync_file_range", "flock", "fcntl",
    "inotify_init1", "inotify_add_watch", "poll", "ppoll", "eventfd2")


class Fault(collections.namedtuple("Fault", "call when kind")):
    @property
    def injection(self):
        """As strace is told it."""
        how = "signal=KILL" if self.kind == "KILL" else f"error={self.kind}"
        return f"{self.call}:{how}:when={self.when}"


class Trace:
    """The calls that a run made, as strace wrote them down."""

    LINE = re.compile(r"^(?:(\d+) +)?(\w+)\(")

    def __init__(self, path):
        self.calls = []
        with open(path, errors="replace") as file:
            for line in file:
                found = self.LINE.match(line)
                if found:
                    self.calls.append((found[1], found[2], line))

    def numbered(self):
        """Each call with its thread's number for it, from 1, as strace counts."""
        seen = collections.Counter()
        for thread, call, line in self.calls:
            seen[thread, call] += 1
            yield call, seen[thread, call], line

    def since(self, text):
        """The numbered calls from the first that mentions a text."""
        begun = False
        for call, number, line in self.numbered():
            begun = begun or text in line and call != "execve"
            if begun:
                yield call, number, line

    def swap(self):
        """The call that first swaps two files, and the one that comes after it."""
        swap = None
        for call, number, line in self.numbered():
            if swap and call in CALLS:
                return swap, (call, number)
            if "RENAME_EXCHANGE" in line:
                swap = call, number
        raise SystemExit("nothing was swapped, or nothing came after it")
