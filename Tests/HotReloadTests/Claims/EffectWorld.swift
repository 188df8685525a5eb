import Glibc
import StoreCore
import TestSupport

@testable import HotReload

/// A mirrored state with an effect in it, and notes of what was performed.
struct EffectWorld: Codable, Sendable, Equatable {
  var job = EffectState()
  var notes: [String] = []

  enum Action: Sendable {
    case job(EffectAction)
    case note(String)
  }

  static func reduce(_ world: inout EffectWorld, _ action: Action) {
    switch action {
    case .job(let action): world.job.apply(action)
    case .note(let note): world.notes.append(note)
    }
  }

  /// An instance of a file whose effect notes its name and the attempt, and does what else a test wants.
  static func open(
    _ name: String, _ file: String, owner: EffectOwner = .origin,
    _ operation: @escaping @Sendable () async throws -> Void = {}
  ) throws -> Store<EffectWorld, Action> {
    let store = try Store(EffectWorld(), reducer: reduce, middleware: [HotReload(file: file)])
    store.effect(\.job, action: Action.job, owner: owner, id: "job") { world, send in
      send(.note("\(name) \(world.job.current!)"))
      try await operation()
    }
    return store
  }
}

extension Store where State == EffectWorld {
  /// Waits until the state is so; the suite's time limit ends a wait in vain.
  func until(_ condition: (EffectWorld) -> Bool) async {
    for await world in states where condition(world) { return }
  }
}

/// The claims on a file that stand in the state folder.
func claimFiles(of file: String) throws -> [String] {
  _ = TestStateFolder.path
  return try StateFolder.open(StateFolder.path).names(startingWith: InstanceEntry.prefix(of: file)).filter {
    $0.hasSuffix(".claim")
  }
}

/// Closed until it is opened, which may be asked any number of times.
final class Latch: Sendable {
  private let stream: AsyncStream<Never>
  private let continuation: AsyncStream<Never>.Continuation

  init() { (stream, continuation) = AsyncStream.makeStream() }

  /// Waits until it is opened, or the task is cancelled.
  func pass() async { for await _ in stream {} }

  func open() { continuation.finish() }
}
