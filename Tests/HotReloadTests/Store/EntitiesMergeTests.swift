import HotReload
import StoreCore
import TestSupport
import Testing

private struct Book: Identifiable, Codable, Sendable, Equatable {
  var id: Int
  var title: String
}

private struct Library: Codable, Sendable, Equatable {
  var books: Entities<Book> = []
}

private enum Action: Sendable {
  case rename(Int, String)
  case move(Int, after: Int)
  case add(Book)
}

private func reduce(_ library: inout Library, _ action: Action) {
  switch action {
  case .rename(let id, let title): library.books[id: id]?.title = title
  case .move(let id, let other): library.books.move(id: id, after: other)
  case .add(let book): library.books.upsert(book)
  }
}

@Suite(.timeLimit(.minutes(10)))
struct `Entities in a mirrored file` {
  private let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  private func makeStore(timeout: Duration = .seconds(10)) throws -> Store<Library, Action> {
    try Store(
      Library(), reducer: reduce, middleware: [HotReload(file: folder.path("books.json"), timeout: timeout)])
  }

  private func wait(for store: Store<Library, Action>, _ condition: (Library) -> Bool) async {
    for await library in store.states where condition(library) { return }
  }

  @Test func `merge by identity, whoever changes them`() async throws {
    try folder.write(
      #"{"books": [{"id": 1, "title": "one"}, {"id": 2, "title": "two"}]}"#, to: "books.json")
    let (one, two) = (try makeStore(), try makeStore())
    one.dispatch(.rename(1, "ONE"))
    two.dispatch(.rename(2, "TWO"))
    two.dispatch(.add(Book(id: 4, title: "four")))
    try await one.commit()
    try await two.commit()
    // An editor that has the file as it was at first inserts one in front, and saves over all of that.
    try folder.save(
      #"{"books": [{"id": 3, "title": "three"}, {"id": 1, "title": "one"}, {"id": 2, "title": "two"}]}"#,
      to: "books.json")
    let merged: Entities = [
      Book(id: 3, title: "three"), Book(id: 1, title: "ONE"), Book(id: 2, title: "TWO"), Book(id: 4, title: "four"),
    ]
    await wait(for: one) { $0.books == merged }
    await wait(for: two) { $0.books == merged }
    try await one.close()
    try await two.close()
    #expect(
      try folder.text(of: "books.json")
        == #"{"books": [{"id": 3, "title": "three"}, {"id": 1, "title": "ONE"}, {"id": 2, "title": "TWO"}, "#
        + #"{"id": 4, "title": "four"}]}"#)
  }

  @Test func `keep what others put into an element, also where it moves`() async throws {
    try folder.write(
      #"{"books": [{"id": 1, "title": "one", "theirs": 1.0}, {"id": 2, "title": "two"}]}"#, to: "books.json")
    let store = try makeStore()
    store.dispatch(.move(1, after: 2))
    store.dispatch(.rename(1, "ONE"))
    try await store.close()
    #expect(
      try folder.text(of: "books.json")
        == #"{"books": [{"id": 2, "title": "two"}, {"id": 1, "title": "ONE", "theirs": 1.0}]}"#)
  }

  @Test func `with the same identity twice are a problem that names it`() async throws {
    try folder.write("{\"books\": [{\"id\": 7, \"title\": \"a\"},\n {\"id\": 7, \"title\": \"b\"}]}", to: "books.json")
    let store = try makeStore(timeout: .milliseconds(100))
    guard case .occurred(let problem) = await store.problems.first(where: { _ in true }) else {
      Issue.record("no problem occurred")
      return
    }
    let place = "\(folder.path("books.json")):2:2"
    #expect("\(problem)" == "\(place): at /books/1: the id 7 is that of the element at position 0, too")
  }
}
