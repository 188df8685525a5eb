// Says how fast the processors are at the moment: on a virtual machine somebody else may use the other half of a core.
//
//     pace
//
// For each line of its input it does the same calculation on each processor, three times, and prints the nanoseconds that it took:
// one number a processor, the one in the middle, as something may come between once.
#include "common.h"
#include <sched.h>

enum { STEPS = 1000000 };

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

static uint64_t middle(uint64_t a, uint64_t b, uint64_t c) {
  uint64_t low = a < b ? a : b, high = a < b ? b : a;
  return c < low ? low : c > high ? high : c;
}

int main(void) {
  cpu_set_t all;
  CPU_ZERO(&all);
  check(sched_getaffinity(0, sizeof all, &all), "sched_getaffinity");
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
      printf("%llu ", (unsigned long long)middle(calculate(), calculate(), calculate()));
    }
    printf("\n");
    fflush(stdout);
  }
  return 0;
}
