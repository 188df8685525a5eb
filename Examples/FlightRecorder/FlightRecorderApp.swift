import StoreCore
import StoreRecording

struct Purse: Codable, Sendable {
  var owner = "nobody"
  var token: String?
  var coins: UInt = 10
}

enum Action: Codable, Sendable {
  case logIn(owner: String, token: String)
  case spend(UInt)
}

let reducer = Reducer<Purse, Action> { purse, action in
  switch action {
  case .logIn(let owner, let token): (purse.owner, purse.token) = (owner, token)
  // Below nothing there is nothing: that traps.
  case .spend(let coins): purse.coins -= coins
  }
}

/// Type `NAME TOKEN` to log in, and numbers to spend coins. Spend too many, or kill it: the file says what happened.
@main struct FlightRecorderApp {
  static func main() async throws {
    let recorder = Recorder<Purse, Action>(
      CommandLine.arguments.dropFirst().first ?? "flight.recording", program: "FlightRecorder",
      limits: .flight(steps: 100),
      redacting: [
        .state(\.token, as: "•"),
        .actions { if case .logIn(let owner, _) = $0 { .logIn(owner: owner, token: "•") } else { $0 } },
      ])
    let store = try Store(Purse(), reducer: reducer, middleware: [recorder])
    while let line = await nextLine() {
      let words = line.split(separator: " ").map(String.init)
      if let coins = UInt(line) {
        store.dispatch(.spend(coins))
      } else if words.count == 2 {
        store.dispatch(.logIn(owner: words[0], token: words[1]))
      }
      print(store.withState { purse, _ in "\(purse.owner) has \(purse.coins)" })
    }
    try await store.close()
  }

  /// Reading blocks, which is no work for the threads that all tasks share.
  static func nextLine() async -> String? {
    await Task.detached { readLine() }.value
  }
}
