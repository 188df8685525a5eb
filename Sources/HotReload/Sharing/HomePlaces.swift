import Replication
import StateJSON

/// The places of a document that stay on their device: they are in no journal, and what others have there doesn't come here.
struct HomePlaces: Sendable, Equatable {
  let pointers: [JSONPointer]

  /// A place that has no name of its own: it leads through a list, whose elements move.
  struct InListError: Error, CustomStringConvertible {
    let pointer: JSONPointer

    var description: String {
      "'\(pointer)' leads through a list, whose elements have no place of their own; except the list, or a member of an object"
    }
  }

  /// The document without them; the same if there are none.
  func removed(from document: JSONValue?) throws(InListError) -> JSONValue? {
    guard var document, !pointers.isEmpty else { return document }
    for pointer in pointers where try find(pointer, in: document) != nil {
      // It is there.
      _ = try? document.remove(at: pointer)
    }
    return document
  }

  /// Another document with what is there in this one.
  func kept(of document: JSONValue, in other: JSONValue) throws(InListError) -> JSONValue {
    var result = other
    for pointer in pointers {
      guard let value = try find(pointer, in: document) else { continue }
      // Something else than an object may have come to stand on the way. Then the place is gone, as it is for others.
      try? result.set(value, at: pointer, makingParents: true)
    }
    return result
  }

  /// Whether two documents have the same there.
  func areSame(in one: JSONValue?, _ other: JSONValue?) throws(InListError) -> Bool {
    for pointer in pointers {
      if try find(pointer, in: one) != find(pointer, in: other) { return false }
    }
    return true
  }

  /// The actions that may be told of those that made one document of another: not those that are done there, and none if they may say
  /// what is there.
  func told(_ recorded: RecordedActions.Reading, from one: JSONValue?, to other: JSONValue?) -> RecordedActions.Reading?
  {
    guard !pointers.isEmpty, var actions = recorded.actions else { return recorded }
    if recorded.app == nil {
      let tokens = actions.map { DocumentAction($0)?.pointer.tokens }
      guard
        tokens.allSatisfy({ tokens in
          pointers.allSatisfy { !$0.tokens.starts(with: tokens ?? []) || $0.tokens == tokens }
        })
      else { return nil }
      actions = zip(actions, tokens).filter { _, tokens in !pointers.contains { (tokens ?? []).starts(with: $0.tokens) }
      }
      .map(\.0)
    } else {
      guard (try? areSame(in: one, other)) == true else { return nil }
    }
    guard !actions.isEmpty else { return nil }
    let ground = try? removed(from: recorded.ground)
    return RecordedActions.Reading(app: recorded.app, actions: actions, sums: [], ground: ground, size: recorded.size)
  }

  private func find(_ pointer: JSONPointer, in document: JSONValue?) throws(InListError) -> JSONValue? {
    var value = document
    for token in pointer.tokens {
      if case .array? = value { throw InListError(pointer: pointer) }
      guard case .object(let object)? = value else { return nil }
      value = object[token]
    }
    return value
  }
}

extension ShareLog.News {
  /// The same documents without some places.
  func without(_ places: HomePlaces) throws(HomePlaces.InListError) -> ShareLog.News {
    if places.pointers.isEmpty { return self }
    var news = self
    news.value = try places.removed(from: value)
    for (index, commit) in commits.enumerated() {
      news.commits[index].before = try places.removed(from: commit.before)
      news.commits[index].after = try places.removed(from: commit.after)
    }
    return news
  }
}

/// An app whose documents are told without some places: it finds there what this device has.
struct HomeReducer: ActionReducer {
  let app: any ActionReducer
  let places: HomePlaces
  /// A document of this device, if it has one.
  let home: JSONValue?

  var version: AppVersion { app.version }

  func reducing(_ document: JSONValue?, by actions: [JSONValue]) throws -> JSONValue? {
    var own = document
    if let home, let document { own = try places.kept(of: home, in: places.removed(from: document) ?? document) }
    let result = try places.removed(from: app.reducing(own, by: actions))
    // Others keep what they have there.
    guard let document, let result else { return result }
    return try places.kept(of: document, in: result)
  }
}
