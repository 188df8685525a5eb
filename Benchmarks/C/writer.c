// Writes a file whenever its input says so: the other process in the measurements of propagation.
//
//     writer FILE SPARE
//
// A line "N" counts the first number of the file up to N: the spare is overwritten and exchanged with the file, so that nobody
// sees a half. The answer is when that began, and when it was done. A line "N COUNT PAUSE" does it COUNT times, PAUSE microseconds
// apart, to N, N + 1, and so on; the answer is that of the last.
#include "common.h"

int main(int count, char **words) {
  if (count != 3) return fprintf(stderr, "writer FILE SPARE\n"), 2;
  char *text = NULL, line[100];
  size_t room = 0;
  int file = (int)check(open(words[1], O_RDONLY), words[1]);
  size_t size = read_all(file, &text, &room);
  close(file);
  char *number = first_number(text, size);
  if (!number) return fprintf(stderr, "no number in %s\n", words[1]), 1;
  close((int)check(open(words[2], O_CREAT | O_WRONLY, 0644), words[2]));
  puts("ready");
  fflush(stdout);
  while (fgets(line, sizeof line, stdin)) {
    long first = 0, times = 1, pause = 0;
    sscanf(line, "%ld %ld %ld", &first, &times, &pause);
    uint64_t start = 0, end = 0;
    for (long time = 0; time < times; time++) {
      if (time > 0 && pause > 0) usleep((useconds_t)pause);
      char digits[20];
      int length = snprintf(digits, sizeof digits, "%ld", first + time);
      memcpy(number, digits, (size_t)length);
      start = now();
      int spare = (int)check(open(words[2], O_WRONLY), words[2]);
      write_all(spare, text, size);
      check(ftruncate(spare, (off_t)size), "ftruncate");
      check(close(spare), "close");
      check(renameat2(AT_FDCWD, words[2], AT_FDCWD, words[1], RENAME_EXCHANGE), "renameat2");
      end = now();
    }
    printf("%llu %llu\n", (unsigned long long)start, (unsigned long long)end);
    fflush(stdout);
  }
  return 0;
}
