import Glibc
import Synchronization

/// Something to be done when the process ends normally: by `exit` or by returning from `main`. Not when it is killed.
final class ExitHook: Sendable {
  private struct Registry {
    var isInstalled = false
    var nextKey = 0
    var bodies: [Int: @Sendable () -> Void] = [:]
  }

  private static let registry = Mutex(Registry())
  private let key: Int

  /// Registers it. Of several, the newest runs first. The corresponding C function is `atexit`, called once.
  init(_ body: @escaping @Sendable () -> Void) {
    key = Self.registry.withLock { registry in
      if !registry.isInstalled {
        registry.isInstalled = true
        atexit { ExitHook.runAll() }
      }
      registry.nextKey += 1
      registry.bodies[registry.nextKey] = body
      return registry.nextKey
    }
  }

  /// Forgets it, if it hasn't begun.
  func cancel() {
    Self.registry.withLock { $0.bodies[key] = nil }
  }

  private static func runAll() {
    while true {
      let next = registry.withLock { registry in
        registry.bodies.keys.max().flatMap { registry.bodies.removeValue(forKey: $0) }
      }
      guard let next else { return }
      next()
    }
  }
}
