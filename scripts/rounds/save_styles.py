"""The ways in which programs save a file."""
import contextlib
import mmap
import os
import time


def write_all(descriptor, data):
    while data:
        data = data[os.write(descriptor, data):]


def whole(path, data, flags):
    descriptor = os.open(path, os.O_WRONLY | flags, 0o644)
    try:
        write_all(descriptor, data)
    finally:
        os.close(descriptor)


def rename_over(path, data, rng):
    whole(path + ".new", data, os.O_CREAT | os.O_TRUNC)
    os.rename(path + ".new", path)


def truncate_write(path, data, rng):
    whole(path, data, os.O_CREAT | os.O_TRUNC)


def write_ftruncate(path, data, rng):
    descriptor = os.open(path, os.O_RDWR | os.O_CREAT, 0o644)
    try:
        write_all(descriptor, data)
        os.ftruncate(descriptor, len(data))
    finally:
        os.close(descriptor)


def piecewise(path, data, rng):
    descriptor = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o644)
    try:
        size = max(1, len(data) // 5)
        for start in range(0, len(data), size):
            write_all(descriptor, data[start:start + size])
            time.sleep(rng.uniform(0, 0.0005))
    finally:
        os.close(descriptor)


def unlink_create(path, data, rng):
    with contextlib.suppress(FileNotFoundError):
        os.unlink(path)
    whole(path, data, os.O_CREAT | os.O_TRUNC)


def backup_create(path, data, rng):
    with contextlib.suppress(FileNotFoundError):
        os.rename(path, path + "~")
    whole(path, data, os.O_CREAT | os.O_TRUNC)
    with contextlib.suppress(FileNotFoundError):
        os.unlink(path + "~")


def mapped(path, data, rng):
    descriptor = os.open(path, os.O_RDWR | os.O_CREAT, 0o644)
    try:
        if os.fstat(descriptor).st_size < len(data):
            os.ftruncate(descriptor, len(data))
        with mmap.mmap(descriptor, len(data)) as memory:
            memory[:] = data
        os.ftruncate(descriptor, len(data))
    finally:
        os.close(descriptor)


class KeptOpen:
    """Opens the file, idles, and only then reads it and writes to what it had opened; so often, before it closes it."""

    def __init__(self, times):
        self.times, self.left = times, 0

    def prepare(self, path, rng):
        if self.left == 0:
            self.descriptor = self.opened(path)
            self.left = self.times
        time.sleep(rng.uniform(0, 0.004))

    @staticmethod
    def opened(path, patience=6.0):
        """Without exchange the file is missing for an instant at each change."""
        end = time.monotonic() + patience
        while True:
            try:
                return os.open(path, os.O_RDWR)
            except FileNotFoundError:
                if time.monotonic() > end:
                    raise

    def __call__(self, path, data, rng):
        os.ftruncate(self.descriptor, 0)
        os.lseek(self.descriptor, 0, os.SEEK_SET)
        write_all(self.descriptor, data)
        self.left -= 1
        if self.left == 0:
            os.close(self.descriptor)


STYLES = {
    "rename-over": rename_over,
    "truncate-write": truncate_write,
    "write-ftruncate": write_ftruncate,
    "piecewise": piecewise,
    "kept-open": KeptOpen(1),
    "kept-for-long": KeptOpen(4),
    "unlink-create": unlink_create,
    "backup-create": backup_create,
    "mmap": mapped,
}
