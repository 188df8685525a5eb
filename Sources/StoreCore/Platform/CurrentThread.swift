#if canImport(Darwin)
  import Darwin
#elseif canImport(Musl)
  import Musl
#else
  import Glibc
#endif

/// The thread that asks.
@usableFromInline
enum CurrentThread {
  /// Tells the thread from all others that run: never 0, and its three lowest bits are. A thread that is started when this
  /// one has ended may have the same.
  ///
  /// The corresponding C function is `pthread_self`, which gives the address of what the library keeps about the thread.
  @usableFromInline
  static var identity: UInt {
    #if canImport(Darwin)
      let identity = UInt(bitPattern: pthread_self())
    #else
      let identity = UInt(pthread_self())
    #endif
    assert(identity != 0 && identity & 7 == 0, "a thread's record lies at an address that is a multiple of eight")
    return identity
  }
}
