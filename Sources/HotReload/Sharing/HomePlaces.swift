import Replication
import StateJSON

/// The places of a document that stay on their device: they are in no journal, and what others have there doesn't come here.
struct HomePlaces: Sendable, Equatable {
  let pointers: [JSONPointer]

  /// A place that has no name of its own: it leads through a list, whose elements move.
  struct InList: Error, CustomStringConvertible {
    let pointer: JSONPointer

    var description: String {
      "'\(pointer)' leads through a list, whose elements have no place of their own; except the list, or a member of an object"
    }
  }

  /// The document without them; the same if there are none.
  func removed(from document: JSONValue?) throws(InList) -> JSONValue? {
    guard var document, !pointers.isEmpty else { return document }
    for pointer in pointers where try find(pointer, in: document) != nil {
      // It is there.
      _ = try? document.remove(at: pointer)
    }
    return document
  }

  /// Another document with what is there in this one.
  func kept(of document: JSONValue, in other: JSONValue) throws(InList) -> JSONValue {
    var result = other
    for pointer in pointers {
      guard let value = try find(pointer, in: document) else { continue }
      // Something else than an object may have come to stand on the way. Then the place is gone, as it is for others.
      try? result.set(value, at: pointer, makingParents: true)
    }
    return result
  }

  /// Whether two documents have the same there.
  func areSame(in one: JSONValue?, _ other: JSONValue?) throws(InList) -> Bool {
    for pointer in pointers {
      let values = (
        try one.flatMap { value throws(InList) in try find(pointer, in: value) },
        try other.flatMap { value throws(InList) in try find(pointer, in: value) }
      )
      if values.0 != values.1 { return false }
    }
    return true
  }

  /// Whether an action is done there and nowhere else.
  func have(_ action: DocumentAction) -> Bool {
    let tokens =
      switch action {
      case .set(let pointer, _), .increment(let pointer, _), .append(let pointer, _): pointer.tokens
      }
    return pointers.contains { tokens.starts(with: $0.tokens) }
  }

  private func find(_ pointer: JSONPointer, in document: JSONValue) throws(InList) -> JSONValue? {
    var value = document
    for token in pointer.tokens {
      if case .array = value { throw InList(pointer: pointer) }
      guard case .object(let object) = value, let next = object[token] else { return nil }
      value = next
    }
    return value
  }
}

extension ShareLog.News {
  /// The same without some places: nothing of them, nor of actions that did something there, is told.
  func without(_ places: HomePlaces) throws(HomePlaces.InList) -> ShareLog.News {
    if places.pointers.isEmpty { return self }
    var news = self
    news.value = try places.removed(from: value)
    news.commits = []
    for commit in commits {
      var actions = commit.actions
      if commit.app == nil {
        actions?.removeAll { action in DocumentAction(action).map { places.have($0) } ?? false }
        if actions?.isEmpty == true { actions = nil }
      } else if try !places.areSame(in: commit.before, commit.after) {
        actions = nil
      }
      news.commits.append(
        LocalCommit(
          label: commit.label, time: commit.time, before: try places.removed(from: commit.before),
          after: try places.removed(from: commit.after), actions: actions, app: actions == nil ? nil : commit.app,
          seed: commit.seed))
    }
    return news
  }
}

/// An app whose documents are told without some places: it finds there what this device has.
struct HomeReducer: ActionReducer {
  let app: any ActionReducer
  let places: HomePlaces
  /// A document of this device.
  let home: JSONValue

  var version: AppVersion { app.version }

  func reducing(_ document: JSONValue?, by actions: [JSONValue]) throws -> JSONValue? {
    let whole = try document.map { document throws(HomePlaces.InList) in try places.kept(of: home, in: document) }
    return try places.removed(from: app.reducing(whole, by: actions))
  }
}
