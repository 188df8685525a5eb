// Reads a file whenever it was written: what anybody can't be faster than.
//
//     reader FOLDER NAME            by inotify
//     reader FOLDER NAME lines      whenever its input has a line, for a watcher that prints them
//     reader FOLDER NAME once       now, appending to FOLDER/NAME.seen: for a watcher that starts programs
//
// For each content with another first number it prints the number and when all of the bytes were there.
#include "common.h"
#include <sys/inotify.h>

static char *text = NULL;
static size_t room = 0;
static long last = -1;

static void look(const char *path, FILE *answers) {
  int file = open(path, O_RDONLY);
  if (file < 0) return;
  size_t size = read_all(file, &text, &room);
  uint64_t instant = now();
  close(file);
  long number = number_at(first_number(text, size), text + size);
  if (number == last) return;
  last = number;
  fprintf(answers, "%ld %llu\n", number, (unsigned long long)instant);
  fflush(answers);
}

static void by_inotify(const char *folder, const char *name, const char *path) {
  int watcher = (int)check(inotify_init1(IN_CLOEXEC), "inotify_init1");
  check(inotify_add_watch(watcher, folder, IN_CLOSE_WRITE | IN_MOVED_TO), folder);
  puts("ready");
  look(path, stdout);
  char events[1 << 14] __attribute__((aligned(8)));
  struct pollfd entries[] = {{.fd = watcher, .events = POLLIN}, {.fd = 0, .events = POLLIN}};
  while (poll(entries, 2, -1) > 0 && !entries[1].revents) {
    ssize_t count = check(read(watcher, events, sizeof events), "read");
    int concerned = 0;
    for (ssize_t offset = 0; offset < count;) {
      struct inotify_event *event = (struct inotify_event *)(events + offset);
      if (event->len && !strcmp(event->name, name)) concerned = 1;
      offset += (ssize_t)sizeof *event + (ssize_t)event->len;
    }
    if (concerned) look(path, stdout);
  }
}

int main(int count, char **words) {
  if (count < 3) return fprintf(stderr, "reader FOLDER NAME [lines|once]\n"), 2;
  char path[4096], seen[4200], line[4096];
  snprintf(path, sizeof path, "%s/%s", words[1], words[2]);
  snprintf(seen, sizeof seen, "%s.seen", path);
  if (count > 3 && !strcmp(words[3], "once")) {
    FILE *answers = fopen(seen, "a");
    if (!answers) fail(seen);
    look(path, answers);
  } else if (count > 3) {
    // The program that watches says when it is ready on another stream, or not at all.
    while (fgets(line, sizeof line, stdin)) look(path, stdout);
  } else {
    by_inotify(words[1], words[2], path);
  }
  return 0;
}
