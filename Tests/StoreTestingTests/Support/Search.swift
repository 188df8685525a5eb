import StoreCore

/// A feature that waits for the typing to stop, and then searches.
struct Search: Equatable, Sendable {
  var text = ""
  var results: [String] = []
  var message: String?
}

enum SearchAction: Equatable, Sendable {
  case type(String)
  case found([String])
  case failed(String)
  case watch
  case clear

  var found: [String]? { if case .found(let results) = self { results } else { nil } }
  var failed: String? { if case .failed(let message) = self { message } else { nil } }
}

@Sendable func search(_ search: inout Search, _ action: SearchAction) -> Effect<SearchAction> {
  switch action {
  case .type(let text):
    search.text = text
    return .run { send in
      try await Dependencies.current.clock.sleep(for: .milliseconds(300))
      send(text == "" ? .failed("nothing to search for") : .found([text.uppercased()]))
    } catch: { error in
      .failed("\(error)")
    }
    .cancellable(id: "search", cancelInFlight: true)
  case .found(let results): search.results = results
  case .failed(let message): search.message = message
  case .watch:
    return .run { _ in
      try await Dependencies.current.clock.sleep(for: .seconds(3600))
    } catch: { _ in
      .failed("the watch")
    }
    .cancellable(id: "watch")
  case .clear:
    search = Search()
    return .cancel(id: "search")
  }
  return .none
}
