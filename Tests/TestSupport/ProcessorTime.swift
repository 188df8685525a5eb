import Glibc

/// The processor time that a body takes on this thread: unlike the time on a clock, the load of the machine and the other
/// tests don't count.
///
/// Compared between a small and a large input it tells linear from quadratic time, on any machine and under sanitizers.
package func processorTime<E: Error>(of body: () throws(E) -> Void) throws(E) -> Duration {
  let start = now()
  try body()
  return now() - start
}

private func now() -> Duration {
  var time = timespec()
  precondition(clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time) == 0, "every thread has a clock")
  return .seconds(time.tv_sec) + .nanoseconds(time.tv_nsec)
}
