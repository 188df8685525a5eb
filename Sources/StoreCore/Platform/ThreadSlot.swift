#if canImport(Darwin)
  import Darwin
#elseif canImport(Musl)
  import Musl
#else
  import Glibc
#endif

/// A variable that each thread has for itself; nil to begin with.
///
/// It doesn't keep its value alive: who sets it does so as long as it is there, and then sets back what was there before.
struct ThreadSlot<Value: AnyObject>: Sendable {
  private let key: pthread_key_t

  init() {
    var key = pthread_key_t()
    guard pthread_key_create(&key, nil) == 0 else { fatalError("the process has no thread-specific keys left") }
    self.key = key
  }

  var value: Value? {
    get { pthread_getspecific(key).map { Unmanaged.fromOpaque($0).takeUnretainedValue() } }
    nonmutating set {
      let pointer = newValue.map { UnsafeRawPointer(Unmanaged.passUnretained($0).toOpaque()) }
      guard pthread_setspecific(key, pointer) == 0 else { fatalError("there is no memory for a thread's own value") }
    }
  }
}
