#pragma once
#include <malloc.h>
#include <stddef.h>

/// How many bytes the main thread has allocated and not freed, with what the allocator adds to each piece.
static inline size_t allocator_bytes_in_use(void) {
  struct mallinfo2 information = mallinfo2();
  return information.uordblks + information.hblkhd;
}
