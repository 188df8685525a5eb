// Increments a number in a file, as often as it can, while others do: with a lock, a temporary and a rename.
//
//     increment FILE
//
// A line "SECONDS" of the input begins it; the answer is how many there were, and the longest that one took, in nanoseconds.
#include "common.h"

int main(int count, char **words) {
  if (count != 2) return fprintf(stderr, "increment FILE\n"), 2;
  char lock_path[4200], temporary[4200], line[100], text[100];
  snprintf(lock_path, sizeof lock_path, "%s.lock", words[1]);
  snprintf(temporary, sizeof temporary, "%s.tmp", words[1]);
  int lock = (int)check(open(lock_path, O_CREAT | O_RDWR, 0644), lock_path);
  puts("ready");
  fflush(stdout);
  while (fgets(line, sizeof line, stdin)) {
    uint64_t start = now(), end = start + (uint64_t)(atof(line) * 1e9), longest = 0;
    long done = 0;
    while (start < end) {
      check(flock(lock, LOCK_EX), "flock");
      int file = (int)check(open(words[1], O_RDONLY), words[1]);
      ssize_t length = check(read(file, text, sizeof text - 1), "read");
      close(file);
      text[length] = 0;
      long number = number_at(first_number(text, (size_t)length), text + length);
      length = snprintf(text, sizeof text, "{\"count\":%ld}\n", number + 1);
      file = (int)check(open(temporary, O_CREAT | O_WRONLY | O_TRUNC, 0644), temporary);
      write_all(file, text, (size_t)length);
      check(close(file), "close");
      check(rename(temporary, words[1]), "rename");
      check(flock(lock, LOCK_UN), "flock");
      done++;
      uint64_t instant = now();
      if (instant - start > longest) longest = instant - start;
      start = instant;
    }
    printf("%ld %llu\n", done, (unsigned long long)longest);
    fflush(stdout);
  }
  return 0;
}
