// Linux system calls and constants that Swift's Glibc module leaves out.
//
// The Glibc module is built without _GNU_SOURCE, and defining it here would give Swift a second, different idea
// of the same types. So GNU-only functions are declared again, and GNU-only constants are named `LINUX_…`.
#ifndef CLINUX_H
#define CLINUX_H

#include <errno.h>
#include <fcntl.h>
#include <linux/stat.h>
#include <malloc.h>
#include <poll.h>
#include <pthread.h>
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/eventfd.h>
#include <sys/file.h>
#include <sys/inotify.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/vfs.h>
#include <sys/xattr.h>
#include <time.h>
#include <unistd.h>

enum {
  LINUX_O_PATH = __O_PATH,
  LINUX_O_NOATIME = __O_NOATIME,
  LINUX_O_TMPFILE = __O_TMPFILE | O_DIRECTORY,
  LINUX_UTIME_OMIT = UTIME_OMIT,
  LINUX_FALLOC_FL_KEEP_SIZE = 1,
  LINUX_RENAME_NOREPLACE = 1,
  LINUX_RENAME_EXCHANGE = 2,
  LINUX_SCHED_BATCH = 3,
  LINUX_SYNC_FILE_RANGE_WRITE = 2,
};

extern int accept4(int, struct sockaddr *, socklen_t *, int);
extern int fallocate(int, int, off_t, off_t);
extern int renameat2(int, const char *, int, const char *, unsigned int);
extern int pipe2(int[2], int);
extern int sched_getaffinity(pid_t, size_t, void *);
extern int sched_getcpu(void);
extern int sched_setaffinity(pid_t, size_t, const void *);
extern int sync_file_range(int, off_t, off_t, unsigned int);
extern int ppoll(struct pollfd *, nfds_t, const struct timespec *, const sigset_t *);
extern int pthread_setname_np(pthread_t, const char *);
extern int statx(int, const char *, int, unsigned int, struct statx *);
extern const char *strerrordesc_np(int);

/// Sets or removes (`F_UNLCK`) a lease. The corresponding C function is `fcntl` with `F_SETLEASE`.
static inline int linux_set_lease(int descriptor, int type) { return fcntl(descriptor, 1024, type); }

/// What lease there is: what it is about to become where somebody waits for it to be broken. The corresponding C function is
/// `fcntl` with `F_GETLEASE`.
static inline int linux_lease(int descriptor) { return fcntl(descriptor, 1025); }

/// Names the signal that tells of a lease being broken. The corresponding C function is `fcntl` with `F_SETSIG`.
static inline int linux_set_signal(int descriptor, int signal) { return fcntl(descriptor, __F_SETSIG, signal); }

/// Whether something is mounted at a name. The corresponding C function is `statx`.
static inline int linux_is_mount_point(int directory, const char *path) {
  struct statx status;
  if (statx(directory, path, AT_SYMLINK_NOFOLLOW, 0, &status) != 0) return -1;
  return (status.stx_attributes & STATX_ATTR_MOUNT_ROOT) != 0;
}

/// The next names in a directory, as records that each tell their own length. The corresponding C function is `getdents64`, which older
/// C libraries lack.
static inline ssize_t linux_getdents(int directory, void *buffer, size_t size) {
  return syscall(SYS_getdents64, directory, buffer, size);
}

/// `open` with a mode, relative to a directory's descriptor; not variadic, as Swift needs it.
static inline int linux_openat(int directory, const char *path, int flags, mode_t mode) {
  return openat(directory, path, flags, mode);
}

/// The user of the process at the other end of a Unix socket. The corresponding C function is `getsockopt` with
/// `SO_PEERCRED`.
static inline int linux_peer_user(int descriptor, uid_t *user) {
  struct { pid_t process; uid_t user; gid_t group; } peer;
  socklen_t size = sizeof peer;
  if (getsockopt(descriptor, SOL_SOCKET, SO_PEERCRED, &peer, &size) != 0) return -1;
  *user = peer.user;
  return 0;
}

/// A descriptor that becomes readable when a child process ends. The corresponding C function is `pidfd_open`, which
/// older C libraries lack.
static inline int linux_pidfd_open(pid_t process) { return (int)syscall(SYS_pidfd_open, process, 0); }

#endif
