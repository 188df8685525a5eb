// Replaces a file, in three ways, and says what it costs.
//
//     commit rename|exchange|protocol FILE [power]
//
// rename     a temporary is written and renamed over the file, as most programs save. ext4 flushes the bytes then.
// exchange   a spare is overwritten under a write lease, and exchanged with the file.
// protocol   the same with all that it takes not to lose anybody's save, as docs/architecture.md has it: the folder's lock, the
//            file read under a read lease, the spare under a name of its own, a stamp as an extended attribute, and what came out
//            read again under a lease and compared.
// power      the temporary is flushed before, and the folder after.
//
// A line "N" of the input does it N times; the answer is the nanoseconds of all.
#include "common.h"

static const char *path;
static char folder_path[4096], spare_path[4200], next_path[4200];
static char *text = NULL, *base = NULL, *found = NULL;
static size_t size, text_room = 0, base_room = 0, found_room = 0;
static int power = 0, folder;

static void lease(int file, int kind) {
  // A broken lease would raise SIGIO, which ends a process.
  check(fcntl(file, F_SETSIG, SIGURG), "F_SETSIG");
  check(fcntl(file, F_SETLEASE, kind), "F_SETLEASE");
}

static void fill(int file) {
  write_all(file, text, size);
  check(ftruncate(file, (off_t)size), "ftruncate");
  if (power) check(fsync(file), "fsync");
}

static void by_rename(void) {
  int file = (int)check(open(spare_path, O_CREAT | O_WRONLY | O_TRUNC, 0644), spare_path);
  fill(file);
  check(close(file), "close");
  check(rename(spare_path, path), "rename");
  if (power) check(fsync(folder), "fsync");
}

static void by_exchange(const char *spare) {
  int file = (int)check(open(spare, O_RDWR), spare);
  lease(file, F_WRLCK);
  fill(file);
  check(fcntl(file, F_SETLEASE, F_UNLCK), "F_UNLCK");
  check(close(file), "close");
  check(renameat2(AT_FDCWD, spare, AT_FDCWD, path, RENAME_EXCHANGE), "renameat2");
  if (power) check(fsync(folder), "fsync");
}

static size_t read_under_lease(const char *name, int flags, int kind, char **buffer, size_t *room) {
  int file = (int)check(open(name, flags | O_NOATIME), name);
  lease(file, kind);
  size_t count = read_all(file, buffer, room);
  check(fcntl(file, F_SETLEASE, F_UNLCK), "F_UNLCK");
  check(close(file), "close");
  return count;
}

static void by_protocol(void) {
  check(flock(folder, LOCK_EX), "flock");
  size_t base_size = read_under_lease(path, O_RDONLY, F_RDLCK, &base, &base_room);
  check(rename(spare_path, next_path), "rename");
  int file = (int)check(open(next_path, O_RDWR), next_path);
  lease(file, F_WRLCK);
  write_all(file, text, size);
  check(ftruncate(file, (off_t)size), "ftruncate");
  // Short enough to be kept in the inode, as ours is.
  char stamp[100];
  int length = snprintf(stamp, sizeof stamp, "2 %022zx %022zx C", size, base_size);
  check(fsetxattr(file, "user.baseline", stamp, (size_t)length, 0), "fsetxattr");
  if (power) check(fsync(file), "fsync");
  check(fcntl(file, F_SETLEASE, F_UNLCK), "F_UNLCK");
  check(close(file), "close");
  check(renameat2(AT_FDCWD, next_path, AT_FDCWD, path, RENAME_EXCHANGE), "renameat2");
  if (power) check(fsync(folder), "fsync");
  size_t found_size = read_under_lease(next_path, O_RDWR, F_WRLCK, &found, &found_room);
  if (found_size != base_size || memcmp(found, base, base_size)) fail("somebody else saved");
  check(rename(next_path, spare_path), "rename");
  check(flock(folder, LOCK_UN), "flock");
}

int main(int count, char **words) {
  if (count < 3) return fprintf(stderr, "commit rename|exchange|protocol FILE [power]\n"), 2;
  path = words[2];
  power = count > 3;
  snprintf(folder_path, sizeof folder_path, "%s", path);
  char *slash = strrchr(folder_path, '/');
  if (!slash) return fprintf(stderr, "the path must be absolute\n"), 2;
  *slash = 0;
  snprintf(spare_path, sizeof spare_path, "%s.spare", path);
  snprintf(next_path, sizeof next_path, "%s.next", path);
  folder = (int)check(open(folder_path, O_RDONLY | O_DIRECTORY), folder_path);
  int file = (int)check(open(path, O_RDONLY), path);
  size = read_all(file, &text, &text_room);
  close(file);
  char *number = first_number(text, size), line[100];
  if (strcmp(words[1], "rename")) {
    file = (int)check(open(spare_path, O_CREAT | O_WRONLY, 0644), spare_path);
    write_all(file, text, size);
    check(close(file), "close");
  }
  puts("ready");
  fflush(stdout);
  while (fgets(line, sizeof line, stdin)) {
    long round = atol(line);
    uint64_t start = now();
    for (; round > 0; round--) {
      if (number) *number = (char)('1' + (*number - '0') % 9);
      if (!strcmp(words[1], "rename")) by_rename();
      else if (!strcmp(words[1], "exchange")) by_exchange(spare_path);
      else by_protocol();
    }
    printf("%llu\n", (unsigned long long)(now() - start));
    fflush(stdout);
  }
  unlink(spare_path);
  return 0;
}
