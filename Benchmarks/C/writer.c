// Writes a file whenever its input says so: the other process in the measurements of propagation.
//
//     writer FILE SPARE [stamped]
//
// A line "N" counts the first number of the file up to N: the spare is overwritten and exchanged with the file, so that nobody
// sees a half. The answer is when that began, and when it was done. A line "N COUNT PAUSE" does it COUNT times, PAUSE microseconds
// apart, to N, N + 1, and so on; the answer is that of the last. When stamped, what is written bears the stamp of an instance; it is
// made before that begins.
#include "common.h"

static uint64_t rotated(uint64_t word, int count) { return word << count | word >> (64 - count); }

static uint64_t avalanche(uint64_t word) {
  word = (word ^ word >> 33) * 0xff51afd7ed558ccd;
  word = (word ^ word >> 33) * 0xc4ceb9fe1a85ec53;
  return word ^ word >> 33;
}

// The digits of the text's MurmurHash3 x64 128, which tell whether a stamp is that of these bytes.
static void hash(const char *text, size_t size, char *digits) {
  const uint64_t one = 0x87c37b91114253d5, two = 0x4cf5ad432745937f;
  uint64_t first = 0, second = 0, words[2];
  for (size_t offset = 0; offset <= size; offset += 16) {
    size_t count = size - offset < 16 ? size - offset : 16;
    memset(words, 0, sizeof words);
    memcpy(words, text + offset, count);
    first ^= rotated(words[0] * one, 31) * two;
    if (count == 16) first = (rotated(first, 27) + second) * 5 + 0x52dce729;
    second ^= rotated(words[1] * two, 33) * one;
    if (count == 16) second = (rotated(second, 31) + first) * 5 + 0x38495ab5;
  }
  first ^= size, second ^= size;
  first += second, second += first;
  first = avalanche(first), second = avalanche(second);
  first += second, second += first;
  sprintf(digits, "%016llx%016llx", (unsigned long long)first, (unsigned long long)second);
}

int main(int count, char **words) {
  if (count != 3 && count != 4) return fprintf(stderr, "writer FILE SPARE [stamped]\n"), 2;
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
      char stamp[100] = "1 ", *rest = stamp + 2 + 32;
      if (count == 4) hash(text, size, stamp + 2), strcpy(rest, " - writer");
      start = now();
      int spare = (int)check(open(words[2], O_WRONLY), words[2]);
      write_all(spare, text, size);
      check(ftruncate(spare, (off_t)size), "ftruncate");
      if (count == 4) check(fsetxattr(spare, "user.replicate", stamp, strlen(stamp), 0), "fsetxattr");
      check(close(spare), "close");
      check(renameat2(AT_FDCWD, words[2], AT_FDCWD, words[1], RENAME_EXCHANGE), "renameat2");
      end = now();
    }
    printf("%llu %llu\n", (unsigned long long)start, (unsigned long long)end);
    fflush(stdout);
  }
  return 0;
}
