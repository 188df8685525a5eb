// Tells ThreadSanitizer what a contended `Synchronization.Mutex` orders. Loaded before the program (LD_PRELOAD).
//
// An uncontended Mutex is locked by an atomic operation that is compiled into the program, where ThreadSanitizer sees
// it. A contended one is handed over by the kernel (FUTEX_LOCK_PI), called from the runtime library, which isn't
// instrumented: without help, each hand-over is reported as a race. These functions take the place of the library's
// slow paths, call them, and say what they did. Should a toolchain rename them, races are reported that are none;
// real ones never go unseen.
#define _GNU_SOURCE
#include <dlfcn.h>
#include <stdbool.h>
#include <stdint.h>

#define SWIFT __attribute__((swiftcall))
#define SELF __attribute__((swift_context))

// ThreadSanitizer's own, in the program; missing in a program that isn't instrumented.
__attribute__((weak)) void __tsan_acquire(void *address);
__attribute__((weak)) void __tsan_release(void *address);

static void acquired(void *handle) {
  if (__tsan_acquire) __tsan_acquire(handle);
}

static void releasing(void *handle) {
  if (__tsan_release) __tsan_release(handle);
}

// _MutexHandle._lockSlow(_: UInt32)
SWIFT void $s15Synchronization12_MutexHandleV9_lockSlowyys6UInt32VF(uint32_t thread, SELF void *handle) {
  static SWIFT void (*original)(uint32_t, SELF void *);
  if (!original) original = dlsym(RTLD_NEXT, __func__);
  original(thread, handle);
  acquired(handle);
}

// _MutexHandle._tryLockSlow() -> Bool
SWIFT bool $s15Synchronization12_MutexHandleV12_tryLockSlowSbyF(SELF void *handle) {
  static SWIFT bool (*original)(SELF void *);
  if (!original) original = dlsym(RTLD_NEXT, __func__);
  bool isLocked = original(handle);
  if (isLocked) acquired(handle);
  return isLocked;
}

// _MutexHandle._unlockSlow()
SWIFT void $s15Synchronization12_MutexHandleV11_unlockSlowyyF(SELF void *handle) {
  static SWIFT void (*original)(SELF void *);
  if (!original) original = dlsym(RTLD_NEXT, __func__);
  releasing(handle);
  original(handle);
}
