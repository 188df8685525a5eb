// The loop of XXH3 over whole blocks, for processors with vectors of 256 bits, which Swift can't be told to use in one function.
//
// Each function does what StateJSON's `XXH3.accumulatePortably` does, in half of the time.
#ifndef CXXH3_H
#define CXXH3_H

#include <stdint.h>

#if defined(__x86_64__)

/// Four words, anywhere in memory, whatever was stored there.
typedef uint64_t xxh3_words __attribute__((vector_size(32), aligned(1), may_alias));

/// Whether this processor and this system know such vectors.
static inline int xxh3_has_avx2(void) { return __builtin_cpu_supports("avx2"); }

/// Adds blocks of 1,024 bytes to eight lanes.
///
/// It reads `count` blocks from `text`, the first 192 bytes of `secret`, and nothing else: what is prefetched need not be there.
__attribute__((target("avx2"))) static inline void xxh3_accumulate_avx2(
    uint64_t *lanes, const uint8_t *text, intptr_t count, const uint8_t *secret) {
  xxh3_words low = *(const xxh3_words *)lanes, high = *(const xxh3_words *)(lanes + 4);
  for (const uint8_t *end = text + 1024 * count; text != end; text += 1024) {
    for (int stripe = 0; stripe < 16; stripe++) {
      // The processor's own guess ends with each page.
      __builtin_prefetch(text + 64 * stripe + 512);
      xxh3_words first = *(const xxh3_words *)(text + 64 * stripe);
      xxh3_words last = *(const xxh3_words *)(text + 64 * stripe + 32);
      xxh3_words first_key = first ^ *(const xxh3_words *)(secret + 8 * stripe);
      xxh3_words last_key = last ^ *(const xxh3_words *)(secret + 8 * stripe + 32);
      low += __builtin_shufflevector(first, first, 1, 0, 3, 2) + (first_key & 0xffffffff) * (first_key >> 32);
      high += __builtin_shufflevector(last, last, 1, 0, 3, 2) + (last_key & 0xffffffff) * (last_key >> 32);
    }
    low = (low ^ low >> 47 ^ *(const xxh3_words *)(secret + 128)) * 0x9e3779b1;
    high = (high ^ high >> 47 ^ *(const xxh3_words *)(secret + 160)) * 0x9e3779b1;
  }
  *(xxh3_words *)lanes = low;
  *(xxh3_words *)(lanes + 4) = high;
}

#endif
#endif
