import StateJSON
import StoreCore
import TestSupport
import Testing

@testable import HotReload

private struct Board: Codable, Sendable, Equatable {
  var count = 0
  var title = "a"
  var tags: Set<String> = []
}

private struct Game: Sendable, Equatable {
  var board = Board()
  var cursor = 0
}

private enum Move: Sendable {
  case count
  case point(Int)
}

private func reduce(_ game: inout Game, _ move: Move) {
  switch move {
  case .count: game.board.count += 1
  case .point(let place): game.cursor = place
  }
}

/// Tells a mirror of changes with another cause.
private struct Recaused: Middleware {
  let mirror: HotReload<Game, Move>
  let cause: Cause

  func start(_ store: Store<Game, Move>) throws { try mirror.start(store) }

  func changed(_ change: Change<Game, Move>, state: borrowing Game) {
    mirror.changed(
      Change(action: change.action, cause: cause, version: change.version, before: copy state), state: state)
  }

  func flush() async throws { try await mirror.flush() }

  func close() async throws { try await mirror.close() }

  func abandon(state: borrowing Game) { mirror.abandon(state: state) }
}

/// A return to an earlier state, such as time travel makes, in the file and in other instances.
@Suite(.timeLimit(.minutes(10)))
struct `A restored state` {
  private let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  private func makeStore(
    inSlot: Bool = false
  ) throws -> (store: Store<Game, Move>, mirror: HotReload<Game, Move>) {
    let mirror = HotReload<Game, Move>(file: folder.path("board.json"), replicating: \.board)
    let middleware: any Middleware<Game, Move> = inSlot ? MiddlewareSlot([mirror]) : mirror
    return (try Store(Game(), reducer: reduce, middleware: [middleware]), mirror)
  }

  private func wait(for store: Store<Game, Move>, _ condition: (Game) -> Bool) async {
    for await state in store.states where condition(state) { return }
  }

  private func title(_ title: String, count: Int) -> String { #"{"count":\#(count),"title":"\#(title)","tags":[]}"# }

  @Test(arguments: [false, true])
  func `is in the file, and other instances hear of it as such`(inSlot: Bool) async throws {
    let (one, mirror) = try makeStore(inSlot: inSlot)
    let (two, _) = try makeStore()
    one.dispatch(.count)
    one.dispatch(.count)
    await wait(for: two) { $0.board.count == 2 }
    let causes = AsyncStream<Cause>.makeStream()
    let subscription = two.subscribe(skipFirst: true) { _, cause in causes.continuation.yield(cause) }
    one.rebase(cause: .restore) { game, _ in game.board.count = 1 }
    try await one.commit()
    #expect(try folder.text(of: "board.json").contains(#""count": 1,"#))
    await wait(for: two) { $0.board.count == 1 }
    var heard = causes.stream.makeAsyncIterator()
    #expect(await heard.next() == Cause(.restore, instance: mirror.instance))
    withExtendedLifetime(subscription) {}
    let history = try VersionLog(of: folder.path("board.json")).history()
    #expect(history?.newest.cause == .restore)

    // What came from the file is not written once more.
    two.dispatch(.count)
    try await two.commit()
    await wait(for: one) { $0.board.count == 2 }
    try await one.close()
    try await two.close()
    #expect(try VersionLog(of: folder.path("board.json")).history()?.newest.cause == .action)
  }

  @Test(arguments: [Cause.Kind.action, .restore, .start, Cause.Kind(rawValue: "elsewhere")])
  func `with an action is that action, whatever cause a middleware passes it on with`(kind: Cause.Kind) async throws {
    let mirror = HotReload<Game, Move>(file: folder.path("board.json"), replicating: \.board)
    let store = try Store(Game(), reducer: reduce, middleware: [Recaused(mirror: mirror, cause: Cause(kind))])
    store.dispatch(.count)
    try await store.commit()
    #expect(try folder.text(of: "board.json").contains(#""count": 1,"#))
    try await store.close()
    #expect(try VersionLog(of: folder.path("board.json")).history()?.newest.cause == .action)
  }

  @Test func `leaves what others have changed meanwhile`() async throws {
    let (store, _) = try makeStore()
    store.dispatch(.count)
    try await store.commit()
    var problems = store.problems.makeAsyncIterator()
    try folder.save("{", to: "board.json")
    _ = await problems.next()
    store.rebase(cause: .restore) { game, _ in game.board.count = 0 }
    store.dispatch(.point(3))
    try folder.save(title("b", count: 1), to: "board.json")
    await wait(for: store) { $0.board.title == "b" }
    #expect(store.state == Game(board: Board(count: 0, title: "b"), cursor: 3))
    try await store.close()
    #expect(try folder.text(of: "board.json") == title("b", count: 0))
  }

  @Test func `wins where others have changed the same, and actions go on from it`() async throws {
    let (store, _) = try makeStore()
    store.dispatch(.count)
    try await store.commit()
    var problems = store.problems.makeAsyncIterator()
    try folder.save("{", to: "board.json")
    _ = await problems.next()
    store.rebase(cause: .restore) { game, _ in game.board.count = 10 }
    store.dispatch(.count)
    try folder.save(title("b", count: 5), to: "board.json")
    await wait(for: store) { $0.board.title == "b" }
    #expect(store.state.board.count == 11)
    try await store.close()
    #expect(try folder.text(of: "board.json") == title("b", count: 11))
  }

  @Test func `of what isn't mirrored changes nothing in the file`() async throws {
    let (one, _) = try makeStore()
    let (two, _) = try makeStore()
    one.dispatch(.point(1))
    one.rebase(cause: .restore) { game, _ in game.cursor = 0 }
    two.dispatch(.count)
    one.rebase(cause: .restore) { game, _ in game.cursor = 7 }
    try await two.commit()
    try await one.commit()
    await wait(for: one) { $0.board.count == 1 }
    #expect(one.state.cursor == 7)
    try await one.close()
    try await two.close()
    #expect(try folder.text(of: "board.json").contains(#""count": 1,"#))
  }

  @Test func `of time travel leaves what others did since out of the way`() async throws {
    let travel = TimeTravel<Game, Move>(
      of: \.board,
      merge: { before, after, current in
        var game = current
        game.board = try TimeTravel<Board, Move>.merging(
          before: before.board, after: after.board, current: current.board)
        return game
      })
    let one = try Store(
      Game(), reducer: reduce, middleware: [travel, HotReload(file: folder.path("board.json"), replicating: \.board)])
    let (two, _) = try makeStore()
    one.dispatch(.count)
    one.dispatch(.count)
    try await one.commit()
    try folder.save(title("b", count: 2), to: "board.json")
    await wait(for: one) { $0.board.title == "b" }
    one.dispatch(.count)
    #expect(travel.steps.map(\.cause) == [.action, .action, .edit, .action])

    // Skipping what came before the edit leaves the edit.
    try travel.skip(1)
    #expect(one.state.board == Board(count: 2, title: "b"))
    await wait(for: two) { $0.board == Board(count: 2, title: "b") }
    try travel.jump(to: 2)
    await wait(for: two) { $0.board == Board(count: 1, title: "a") }
    #expect(travel.undo())
    #expect(travel.redo())
    try await one.close()
    try await two.close()
    #expect(try folder.text(of: "board.json") == title("a", count: 1))
  }

  @Test func `of several who travel at once is the same for all in the end`() async throws {
    let stores = try (0..<3).map { _ in
      let travel = TimeTravel<Game, Move>(of: \.board, limit: 20)
      let mirror = HotReload<Game, Move>(file: folder.path("board.json"), replicating: \.board)
      return (store: try Store(Game(), reducer: reduce, middleware: [travel, mirror]), travel: travel)
    }
    await withTaskGroup { group in
      for (seed, (store, travel)) in stores.enumerated() {
        group.addTask {
          var random = SplitMix64(seed: UInt64(seed))
          for _ in 0..<300 {
            switch Int.random(in: 0..<4, using: &random) {
            case 0: travel.undo()
            case 1: travel.redo()
            default: store.dispatch(.count)
            }
          }
        }
      }
    }
    for (store, _) in stores { try await store.commit() }
    let board = try JSONValueDecoder().decode(
      Board.self, from: JSONValue(parsing: folder.bytes(of: "board.json")))
    for (store, _) in stores { await wait(for: store) { $0.board == board } }
    for (store, _) in stores { try await store.close() }
    #expect(try folder.names == ["board.json"])
  }
}
