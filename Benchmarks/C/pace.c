// Says how fast processors and memory are at the moment: on a virtual machine somebody else may use the other half of a core, and the
// caches that all share.
//
//     pace
//
// For each line of its input it does the same on each processor, and prints two numbers: the nanoseconds that a calculation took, the
// one in the middle of three, as something may come between once; and those of a walk through memory, the fastest of four.
#include "common.h"
#include <sched.h>

enum { STEPS = 1000000, LINE = 64, LINES = (8 << 20) / LINE, WALK = 2000 };

// Nothing but registers: as long as the core is the program's alone, it always takes the same time.
static uint64_t calculate(void) {
  uint64_t start = now(), a = 1, b = 2, c = 3, d = 4;
  for (int step = 0; step < STEPS; step++) {
    a = a * 3 + 1;
    b = b * 5 + 1;
    c ^= c << 3;
    d += d >> 2;
    __asm__ volatile("" ::"r"(a), "r"(b), "r"(c), "r"(d));
  }
  return now() - start;
}

// More than a core's own caches hold: each line says which is the next, in no order that could be guessed.
static struct {
  uint32_t next;
  char rest[LINE - sizeof(uint32_t)];
} lines[LINES] __attribute__((aligned(LINE)));
static uint32_t place = 0;

static void shuffle(void) {
  // One cycle through all of them (Sattolo).
  uint64_t random = 1;
  for (uint32_t line = 0; line < LINES; line++) lines[line].next = line;
  for (uint32_t line = LINES - 1; line > 0; line--) {
    random = random * 6364136223846793005u + 1442695040888963407u;
    uint32_t other = (uint32_t)((random >> 33) % line), next = lines[line].next;
    lines[line].next = lines[other].next;
    lines[other].next = next;
  }
}

static uint64_t walk(void) {
  uint64_t start = now();
  for (int step = 0; step < WALK; step++) place = lines[place].next;
  __asm__ volatile("" ::"r"(place));
  return now() - start;
}

static uint64_t least(uint64_t a, uint64_t b) { return a < b ? a : b; }

static uint64_t middle(uint64_t a, uint64_t b, uint64_t c) {
  uint64_t low = least(a, b), high = a < b ? b : a;
  return c < low ? low : c > high ? high : c;
}

int main(void) {
  cpu_set_t all;
  CPU_ZERO(&all);
  check(sched_getaffinity(0, sizeof all, &all), "sched_getaffinity");
  shuffle();
  char line[80];
  printf("ready\n");
  fflush(stdout);
  while (fgets(line, sizeof line, stdin)) {
    for (int processor = 0; processor < CPU_SETSIZE; processor++) {
      if (!CPU_ISSET(processor, &all)) continue;
      cpu_set_t one;
      CPU_ZERO(&one);
      CPU_SET(processor, &one);
      check(sched_setaffinity(0, sizeof one, &one), "sched_setaffinity");
      uint64_t calculated = middle(calculate(), calculate(), calculate());
      uint64_t walked = least(least(walk(), walk()), least(walk(), walk()));
      printf("%llu %llu ", (unsigned long long)calculated, (unsigned long long)walked);
    }
    printf("\n");
    fflush(stdout);
  }
  return 0;
}
