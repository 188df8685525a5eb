"""Transfers of less than was asked for, by a library that is loaded before the C library."""
import os
import subprocess

# Halves the K-th transfer of a kind; strace could only pretend that.
SHIM = r"""
#define _GNU_SOURCE
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>
static size_t cut(const char *name, size_t count) {
  static __thread int nested;
  static int seen;
  const char *wanted = getenv("SHORT_CALL"), *when = getenv("SHORT_WHEN");
  if (nested || !wanted || !when || strcmp(wanted, name)) return count;
  if (count > 1 && __sync_add_and_fetch(&seen, 1) == atoi(when)) return count / 2;
  return count;
}
ssize_t read(int fd, void *at, size_t n) { return syscall(SYS_read, fd, at, cut("read", n)); }
ssize_t write(int fd, const void *at, size_t n) { return syscall(SYS_write, fd, at, cut("write", n)); }
ssize_t pread(int fd, void *at, size_t n, off_t o) { return syscall(SYS_pread64, fd, at, cut("pread64", n), o); }
ssize_t pread64(int fd, void *at, size_t n, off_t o) { return syscall(SYS_pread64, fd, at, cut("pread64", n), o); }
ssize_t pwrite64(int fd, const void *at, size_t n, off_t o) {
  return syscall(SYS_pwrite64, fd, at, cut("pwrite64", n), o);
}
ssize_t pwrite(int fd, const void *at, size_t n, off_t o) { return pwrite64(fd, at, n, o); }
"""


def built(compiler, folder):
    """Where the library is, once it is compiled into a folder."""
    source = os.path.join(folder, "short.c")
    shim = os.path.join(folder, "short.so")
    with open(source, "w") as file:
        file.write(SHIM)
    subprocess.run([compiler, "-shared", "-fPIC", "-O1", "-o", shim, source], check=True)
    return shim
