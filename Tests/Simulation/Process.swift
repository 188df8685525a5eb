/// Something that acts step by step: an instance, its user, an editor.
///
/// Between any two steps others act, and it may be killed or stopped.
final class Process {
  /// Thrown where a process is when it is killed.
  struct Killed: Error {}

  let name: String
  unowned let world: World
  var body: () async throws -> Void = {}
  /// Where it goes on; nil while it runs, and when it has ended.
  var continuation: UnsafeContinuation<Void, any Error>?
  /// When it goes on.
  var wake: UInt64 = 0
  /// Until when nothing lets it go on.
  private var stoppedUntil: UInt64 = 0
  /// When it goes on at the latest, whatever else there is to do: nobody may take what it leaves for finished.
  var hurry: UInt64?
  var isAlive = true
  /// It may be killed and stopped.
  var isMortal = false
  var descriptors: [Descriptor] = []

  init(_ name: String, in world: World) {
    self.name = name
    self.world = world
  }

  /// Lets others act before what comes next.
  func step(_ what: @autoclosure () -> String) async throws {
    wake = world.now
    try await pause()
    world.note(self, what())
  }

  /// There is something to do for it, now or soon.
  func rouse(after delay: UInt64 = 0) { wake = min(wake, max(world.now + delay, stoppedUntil)) }

  /// Stops it for a while, wherever it is.
  func stop(for pause: UInt64) {
    world.note(self, "is stopped for \(pause / 1_000) µs")
    stoppedUntil = world.now + pause
    wake = max(wake, stoppedUntil)
  }

  func sleep(_ nanoseconds: UInt64) async throws {
    wake = world.now + nanoseconds
    try await pause()
  }

  func sleep(until time: UInt64) async throws {
    wake = max(time, world.now)
    try await pause()
  }

  private func pause() async throws {
    try await withUnsafeThrowingContinuation {
      continuation = $0
      world.goOn()
    }
  }

  /// Ends it here and now; what it has open is closed.
  func kill() {
    world.note(self, "is killed")
    isAlive = false
    closeAll()
    let continuation = continuation
    self.continuation = nil
    continuation?.resume(throwing: Killed())
  }

  func closeAll() {
    for descriptor in descriptors { descriptor.close() }
    if world.lockOwner === self { world.lockOwner = nil }
  }
}
