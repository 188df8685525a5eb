import StateJSON

/// An action of a verb of the command on a document, whatever that holds by then. Every device can do it, whichever app it runs.
///
/// As JSON `["set", POINTER, VALUE]`, `["increment", POINTER, NUMBER]` or `["append", POINTER, VALUE]`. A pointer leads through
/// objects; those that are missing are made. Where something else is in the way nothing changes: what a place in a list holds
/// by then, nobody can know.
package enum DocumentAction: Sendable {
  /// Puts a value in a place.
  case set(JSONPointer, JSONValue)
  /// Adds to a number, or to zero where there is nothing.
  case increment(JSONPointer, JSONNumber)
  /// Adds an element to the end of a list, or to an empty one where there is nothing.
  case append(JSONPointer, JSONValue)

  /// Reads an action; `nil` if it is none of these, or could nest a document deeper than a parser accepts by default.
  package init?(_ value: JSONValue) {
    guard case .array(let parts) = value, parts.count == 3, case .string(let verb) = parts[0],
      case .string(let text) = parts[1], let pointer = try? JSONPointer(parsing: text)  // What is none leads nowhere.
    else { return nil }
    let depth = JSONLimits.default.depth - pointer.tokens.count
    switch verb {
    case "set" where parts[2].isNested(atMost: depth): self = .set(pointer, parts[2])
    case "append" where parts[2].isNested(atMost: depth - 1): self = .append(pointer, parts[2])
    case "increment":
      guard depth >= 0, case .number(let number) = parts[2] else { return nil }
      self = .increment(pointer, number)
    default: return nil
    }
  }

  /// Reads several; `nil` unless all of them are known.
  package static func all(_ values: [JSONValue]) -> [DocumentAction]? {
    let actions = values.compactMap { DocumentAction($0) }
    return actions.count == values.count ? actions : nil
  }

  /// The same actions, as they are encoded, with one in the place of increments of one place by whole numbers that follow each other:
  /// what it comes to is the same, whatever a document holds there, but for a number of a thousand digits.
  static func summed(_ actions: [JSONValue]) -> [JSONValue] {
    var summed: [JSONValue] = []
    var last: (pointer: String, number: Int)?
    for action in actions {
      guard let next = wholeIncrement(action) else {
        last = nil
        summed.append(action)
        continue
      }
      if let before = last, before.pointer.utf8.elementsEqual(next.pointer.utf8),
        case (let number, false) = before.number.addingReportingOverflow(next.number)
      {
        last = (before.pointer, number)
        summed[summed.count - 1] = ["increment", .string(before.pointer), .number(JSONNumber(number))]
      } else {
        last = next
        summed.append(action)
      }
    }
    return summed
  }

  /// The number is one that is written as a whole number, since a sum has as many digits after the point as the longer one.
  private static func wholeIncrement(_ action: JSONValue) -> (pointer: String, number: Int)? {
    guard case .array(let parts) = action, parts.count == 3, parts[0] == "increment",
      case .string(let pointer) = parts[1],
      case .number(let literal) = parts[2], let number = Int(literal.literal), "\(number)" == literal.literal
    else { return nil }
    return (pointer, number)
  }

  /// Whether actions, as they are encoded, are known and make one document of another.
  static func lead(_ actions: [JSONValue], from before: JSONValue?, to after: JSONValue?) -> Bool {
    guard let actions = all(actions) else { return false }
    var document = before
    for action in actions { action.apply(to: &document) }
    return document == after
  }

  /// The place that it changes.
  package var pointer: JSONPointer {
    switch self {
    case .set(let pointer, _), .increment(let pointer, _), .append(let pointer, _): pointer
    }
  }

  /// The JSON form.
  package var value: JSONValue {
    switch self {
    case .set(let pointer, let value): ["set", .string("\(pointer)"), value]
    case .increment(let pointer, let number): ["increment", .string("\(pointer)"), .number(number)]
    case .append(let pointer, let value): ["append", .string("\(pointer)"), value]
    }
  }

  /// Does it, in place; `nil` is a document that isn't there.
  package func apply(to document: inout JSONValue?) {
    switch self {
    case .set(let pointer, let value): Self.change(&document, pointer.tokens[...]) { $0 = value }
    case .increment(let pointer, let number):
      Self.change(&document, pointer.tokens[...]) { place in
        guard let old = place else { return place = .number(number) }
        // A sum that is too long to be written out is none, for all who come to add it.
        guard case .number(let start) = old, let sum = try? start.adding(number) else { return }
        place = .number(sum)
      }
    case .append(let pointer, let value):
      Self.change(&document, pointer.tokens[...]) { place in
        guard case .array(var elements) = place ?? .array([]) else { return }
        place = nil
        elements.append(value)
        place = .array(elements)
      }
    }
  }

  /// Changes what is at a place, which has something afterwards.
  private static func change(
    _ place: inout JSONValue?, _ tokens: ArraySlice<String>, _ body: (inout JSONValue?) -> Void
  ) {
    guard let token = tokens.first else { return body(&place) }
    guard case .object(var object) = place ?? .object(JSONObject()) else { return }
    // Taken out on the way down, so that nobody else holds it and nothing is copied.
    place = nil
    if let index = object.index(forKey: token) {
      var inner: JSONValue? = object.exchangeValue(at: index, with: .null)
      change(&inner, tokens.dropFirst(), body)
      _ = object.exchangeValue(at: index, with: inner ?? .null)
    } else {
      var inner: JSONValue?
      change(&inner, tokens.dropFirst(), body)
      if let inner { object.append(token, inner) }
    }
    place = .object(object)
  }
}

extension JSONValue {
  /// Whether it has no more levels of lists and objects.
  package func isNested(atMost levels: Int) -> Bool {
    guard levels >= 0 else { return false }
    return switch self {
    case .array(let elements): levels > 0 && elements.allSatisfy { $0.isNested(atMost: levels - 1) }
    case .object(let object): levels > 0 && object.values.allSatisfy { $0.isNested(atMost: levels - 1) }
    default: true
    }
  }
}
