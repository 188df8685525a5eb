import Glibc
import HotReload
import StoreCore

/// What a mirrored file adds to a dispatch, on the thread that dispatches: that of the driver's isn't counted here.
func mirrored(_ files: Files, rounds: Int) async throws -> String {
  var lines = [
    "## A mirrored file, on the thread that dispatches", "",
    "| | ns | added | longest, of its processor time | longest, bare |", "|---|--:|--:|--:|--:|",
  ]
  for (name, rows) in [("a state of 1 KB", 10), ("of 100 KB", 1_500), ("of 20 MB", 300_000)] {
    var app = App()
    app.rows = (0..<rows).map { Row(id: $0, count: 1_000_000_000_000_000_000 + $0) }
    let plain = Store(app, reducer: reduceRows)
    let store = try Store(
      app, reducer: reduceRows,
      middleware: [HotReload(file: files.path("mirrored-\(rows).json"), timeout: .seconds(600))])
    files.closeAtEnd(store)
    // Until it is in the file the initial state is shared with what is written, and the first changes copy the array.
    for _ in 0..<2 {
      for store in [plain, store] { for row in 0..<1_000 { store.dispatch(.row(row % rows, .add(1))) } }
      try await store.commit()
    }
    let bare = Bare()
    let dispatch: (Store<App, Action>) -> (Int) -> Void = { store in { store.dispatch(.row($0 % rows, .add(1))) } }
    // Dumps go on all the time meanwhile.
    var costs: [(plain: Double, mirrored: Double)] = []
    var longest = (mirrored: 0.0, bare: 0.0)
    for _ in 0..<rounds {
      costs.append((threadTime(20_000, dispatch(plain)), threadTime(20_000, dispatch(store))))
      longest.mirrored = max(longest.mirrored, longestPause(2_000, dispatch(store)))
      longest.bare = max(longest.bare, longestPause(2_000) { _ in bare.dispatch(.add(1)) })
    }
    let mirroredCost = median(costs.map(\.mirrored))
    let added = median(costs.map { $0.mirrored - $0.plain })
    lines.append(
      "| \(name) | \(Int(mirroredCost.rounded())) | \(Int(added.rounded())) | \(Int(longest.mirrored / 1_000)) µs "
        + "| \(Int(longest.bare / 1_000)) µs |")
  }
  return lines.joined(separator: "\n")
}

@Sendable private func reduceRows(_ app: inout App, _ action: Action) {
  switch action {
  case .row(let index, .add(let step)): app.rows[index].count &+= step
  default: reduce(&app, action)
  }
}

private func median(_ numbers: [Double]) -> Double { numbers.sorted()[numbers.count / 2] }

private func now() -> Double {
  var time = timespec()
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time)
  return Double(time.tv_sec) * 1e9 + Double(time.tv_nsec)
}

private func threadTime(_ count: Int, _ body: (Int) -> Void) -> Double {
  let start = now()
  for index in 0..<count { body(index) }
  return (now() - start) / Double(count)
}

/// The longest of so many, by the time the thread was running: that others have the processor is none of its pauses.
private func longestPause(_ count: Int, _ body: (Int) -> Void) -> Double {
  var longest = 0.0
  var last = now()
  for index in 0..<count {
    body(index)
    let time = now()
    longest = max(longest, time - last)
    last = time
  }
  return longest
}
