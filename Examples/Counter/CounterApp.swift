import HotReload
import RemoteControl
import StoreCore

struct Counter: Codable, Sendable {
  var title = "Sheep"
  var count = 0
}

enum Action: Codable, Sendable {
  case add(Int)
  case rename(String)
}

func reduce(_ counter: inout Counter, _ action: Action) {
  switch action {
  case .add(let amount): counter.count += amount
  case .rename(let title): counter.title = title
  }
}

/// Start it twice on one file, type numbers and names into either, and open the file in an editor too. With `--attach` another
/// program drives it instead.
@main struct CounterApp {
  static func main() async throws {
    let file = CommandLine.arguments.dropFirst().first { $0 != "--attach" } ?? "counter.json"
    let remote = RemoteControl<Counter, Action>()
    let store = try Store(Counter(), reducer: reduce, middleware: [remote, HotReload(file: file)])
    if CommandLine.arguments.contains("--attach") {
      try await remote.serve()
      return try await store.close()
    }
    let display = store.subscribe { counter, cause in print("\(counter.title): \(counter.count)  (\(cause))") }
    let problems = Task { for await event in store.problems { print(event) } }

    while let line = await nextLine() {
      store.dispatch(Int(line).map(Action.add) ?? .rename(line))
    }
    display.cancel()
    problems.cancel()
    try await store.close()
  }

  /// Reading blocks, which is no work for the threads that all tasks share.
  static func nextLine() async -> String? {
    await Task.detached { readLine() }.value
  }
}
