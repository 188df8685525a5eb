// What the baselines share: the clock, failing aloud, and reading and writing whole files.
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <sys/xattr.h>
#include <time.h>
#include <unistd.h>

static inline uint64_t now(void) {
  struct timespec time;
  clock_gettime(CLOCK_MONOTONIC, &time);
  return (uint64_t)time.tv_sec * 1000000000u + (uint64_t)time.tv_nsec;
}

static inline void fail(const char *what) {
  perror(what);
  exit(1);
}

static inline long check(long result, const char *what) {
  if (result < 0) fail(what);
  return result;
}

// Reads an open file as a whole; returns how many bytes there are. The buffer is made larger as needed. It begins with a page: some
// processors copy a tenth as fast to where large blocks of the allocator begin, 16 bytes behind the start of one.
static inline size_t read_all(int file, char **buffer, size_t *room) {
  struct stat status;
  check(fstat(file, &status), "fstat");
  size_t size = (size_t)status.st_size, done = 0;
  if (*room < size + 1) {
    free(*buffer);
    *room = (size + 4096) / 4096 * 4096;
    *buffer = aligned_alloc(4096, *room);
    if (!*buffer) fail("aligned_alloc");
  }
  while (done < *room) {
    ssize_t count = read(file, *buffer + done, *room - done);
    if (count < 0 && errno == EINTR) continue;
    if (check(count, "read") == 0) break;
    done += (size_t)count;
  }
  return done;
}

static inline void write_all(int file, const char *bytes, size_t size) {
  for (size_t done = 0; done < size;) done += (size_t)check(write(file, bytes + done, size - done), "write");
}

// Where the first number in a text begins; NULL if there is none.
static inline char *first_number(char *text, size_t size) {
  for (size_t index = 0; index < size; index++)
    if (text[index] >= '0' && text[index] <= '9') return text + index;
  return NULL;
}

static inline long number_at(const char *digits, const char *end) {
  long number = 0;
  for (; digits && digits < end && *digits >= '0' && *digits <= '9'; digits++) number = number * 10 + (*digits - '0');
  return number;
}
