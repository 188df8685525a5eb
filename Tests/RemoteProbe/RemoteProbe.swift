import HotReload
import RemoteControl
import StoreCore

struct Tally: Codable, Sendable {
  var count = 0
}

enum TallyAction: Codable, Sendable {
  case add(Int)
}

/// A program that counts, mirrors its state in the file that it is given, and can be attached to: for RemoteControlTests.
@main struct RemoteProbe {
  static func main() async throws {
    let remote = RemoteControl<Tally, TallyAction>(name: "tally", version: "1.2")
    let store = try Store(
      Tally(), reducer: { tally, action in if case .add(let amount) = action { tally.count += amount } },
      middleware: [remote, HotReload(file: CommandLine.arguments[1])])
    try await remote.serve()
    try await store.close()
  }
}
