// Writes a file whenever its input says so: the other process in the measurements of propagation.
//
//     writer FILE SPARE [stamped]
//
// A line "N" counts the first number of the file up to N: the spare is overwritten and exchanged with the file, so that nobody
// sees a half. The answer is when that began, and when it was done. A line "N COUNT PAUSE" does it COUNT times, PAUSE microseconds
// apart, to N, N + 1, and so on; the answer is that of the last. When stamped, what is written bears the stamp of an instance; it is
// made before that begins.
#include "common.h"

// XXH3 with 128 bits, for texts of more than 240 bytes: its digits tell whether a stamp is that of these bytes.

static const uint8_t secret[192] = {
    0xb8, 0xfe, 0x6c, 0x39, 0x23, 0xa4, 0x4b, 0xbe, 0x7c, 0x01, 0x81, 0x2c, 0xf7, 0x21, 0xad, 0x1c,
    0xde, 0xd4, 0x6d, 0xe9, 0x83, 0x90, 0x97, 0xdb, 0x72, 0x40, 0xa4, 0xa4, 0xb7, 0xb3, 0x67, 0x1f,
    0xcb, 0x79, 0xe6, 0x4e, 0xcc, 0xc0, 0xe5, 0x78, 0x82, 0x5a, 0xd0, 0x7d, 0xcc, 0xff, 0x72, 0x21,
    0xb8, 0x08, 0x46, 0x74, 0xf7, 0x43, 0x24, 0x8e, 0xe0, 0x35, 0x90, 0xe6, 0x81, 0x3a, 0x26, 0x4c,
    0x3c, 0x28, 0x52, 0xbb, 0x91, 0xc3, 0x00, 0xcb, 0x88, 0xd0, 0x65, 0x8b, 0x1b, 0x53, 0x2e, 0xa3,
    0x71, 0x64, 0x48, 0x97, 0xa2, 0x0d, 0xf9, 0x4e, 0x38, 0x19, 0xef, 0x46, 0xa9, 0xde, 0xac, 0xd8,
    0xa8, 0xfa, 0x76, 0x3f, 0xe3, 0x9c, 0x34, 0x3f, 0xf9, 0xdc, 0xbb, 0xc7, 0xc7, 0x0b, 0x4f, 0x1d,
    0x8a, 0x51, 0xe0, 0x4b, 0xcd, 0xb4, 0x59, 0x31, 0xc8, 0x9f, 0x7e, 0xc9, 0xd9, 0x78, 0x73, 0x64,
    0xea, 0xc5, 0xac, 0x83, 0x34, 0xd3, 0xeb, 0xc3, 0xc5, 0x81, 0xa0, 0xff, 0xfa, 0x13, 0x63, 0xeb,
    0x17, 0x0d, 0xdd, 0x51, 0xb7, 0xf0, 0xda, 0x49, 0xd3, 0x16, 0x55, 0x26, 0x29, 0xd4, 0x68, 0x9e,
    0x2b, 0x16, 0xbe, 0x58, 0x7d, 0x47, 0xa1, 0xfc, 0x8f, 0xf8, 0xb8, 0xd1, 0x7a, 0xd0, 0x31, 0xce,
    0x45, 0xcb, 0x3a, 0x8f, 0x95, 0x16, 0x04, 0x28, 0xaf, 0xd7, 0xfb, 0xca, 0xbb, 0x4b, 0x40, 0x7e,
};

static uint64_t word_at(const void *place) {
  uint64_t word;
  memcpy(&word, place, sizeof word);
  return word;
}

static void accumulate(uint64_t *lanes, const char *stripe, const uint8_t *from) {
  for (int lane = 0; lane < 8; lane++) {
    uint64_t text = word_at(stripe + 8 * lane), key = text ^ word_at(from + 8 * lane);
    lanes[lane ^ 1] += text;
    lanes[lane] += (uint32_t)key * (key >> 32);
  }
}

static uint64_t merge(const uint64_t *lanes, const uint8_t *from, uint64_t sum) {
  for (int lane = 0; lane < 8; lane += 2) {
    unsigned __int128 product = lanes[lane] ^ word_at(from + 8 * lane);
    product *= lanes[lane + 1] ^ word_at(from + 8 * lane + 8);
    sum += (uint64_t)product ^ (uint64_t)(product >> 64);
  }
  sum = (sum ^ sum >> 37) * 0x165667919e3779f9;
  return sum ^ sum >> 32;
}

// As 22 digits of Base 64, which a stamp has.
static void write_base64(uint64_t high, uint64_t low, char *digits) {
  const char *alphabet = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_";
  unsigned __int128 bits = (unsigned __int128)high << 64 | low;
  for (int place = 1; place < 22; place++) *digits++ = alphabet[(int)(bits >> (128 - 6 * place)) & 63];
  *digits++ = alphabet[(int)(bits << 4) & 63];
  *digits = 0;
}

static void hash(const char *text, size_t size, char *digits) {
  if (size <= 240) fail("too short a text");
  const uint64_t first = 0x9e3779b185ebca87, second = 0xc2b2ae3d27d4eb4f;
  uint64_t lanes[8] = {
    0xc2b2ae3d, first, second, 0x165667b19e3779f9, 0x85ebca77c2b2ae63, 0x85ebca77, 0x27d4eb2f165667c5, 0x9e3779b1,
  };
  for (size_t stripe = 0; stripe < (size - 1) / 64; stripe++) {
    accumulate(lanes, text + 64 * stripe, secret + stripe % 16 * 8);
    // Another block begins.
    if (stripe % 16 == 15)
      for (int lane = 0; lane < 8; lane++)
        lanes[lane] = (lanes[lane] ^ lanes[lane] >> 47 ^ word_at(secret + 128 + 8 * lane)) * 0x9e3779b1;
  }
  accumulate(lanes, text + size - 64, secret + 121);
  uint64_t high = merge(lanes, secret + 117, ~(size * second)), low = merge(lanes, secret + 11, size * first);
  write_base64(high, low, digits);
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
      char stamp[100] = "2 ", *rest = stamp + 2 + 22;
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
