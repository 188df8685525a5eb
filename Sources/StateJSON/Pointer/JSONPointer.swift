/// A place in a JSON value, as in RFC 6901: the keys and indices that lead there from the root.
///
///     let pointer = try JSONPointer(parsing: "/episodes/0/a~1b")
///     pointer.tokens  // ["episodes", "0", "a/b"]
public struct JSONPointer: Sendable {
  /// The reference tokens, unescaped. Whether one is a key or an index depends on the value it is applied to.
  public var tokens: [String]

  /// The pointer to the whole value: no tokens, written as the empty string.
  public static let root = JSONPointer([])

  /// Makes a pointer of tokens as they are, unescaped.
  public init(_ tokens: [String]) { self.tokens = tokens }

  /// Parses the string representation of RFC 6901, section 5.
  ///
  /// - Throws: An error of code `syntax` unless the text is empty or starts with `/`, and each `~` is part of `~0` or
  ///   `~1`.
  public init(parsing text: String) throws(JSONPointerError) {
    guard !text.isEmpty else {
      self = .root
      return
    }
    guard text.utf8.first == UInt8(ascii: "/") else { throw .syntax(text, "it must be empty or start with '/'") }
    tokens = []
    let parts = text.utf8.dropFirst().split(separator: UInt8(ascii: "/"), omittingEmptySubsequences: false)
    for escaped in parts {
      guard let token = Self.unescape(Substring(escaped)) else { throw .syntax(text, "'~' must be followed by 0 or 1") }
      tokens.append(token)
    }
  }

  /// The pointer to a member or element of the value that this one points to.
  public func appending(_ token: String) -> JSONPointer { JSONPointer(tokens + [token]) }

  /// The pointer to an element of the array that this one points to.
  public func appending(_ index: Int) -> JSONPointer { appending(String(index)) }

  /// Whether this pointer leads to `other` or to something that contains it.
  public func isPrefix(of other: JSONPointer) -> Bool {
    tokens.count <= other.tokens.count && zip(tokens, other.tokens).allSatisfy { $0.hasSameScalars(as: $1) }
  }

  /// The index that a token stands for: digits without a leading zero, no sign (RFC 6901, section 4).
  package static func arrayIndex(_ token: String) -> Int? {
    let digits = token.utf8
    guard let first = digits.first, first != UInt8(ascii: "0") || digits.count == 1 else { return nil }
    guard digits.allSatisfy({ UInt8(ascii: "0")...UInt8(ascii: "9") ~= $0 }) else { return nil }
    return Int(token)
  }

  private static func unescape(_ escaped: Substring) -> String? {
    // Nearly all have no escapes.
    guard escaped.utf8.contains(UInt8(ascii: "~")) else { return String(escaped) }
    var token = String.UnicodeScalarView()
    var rest = escaped.unicodeScalars
    while let scalar = rest.popFirst() {
      guard scalar == "~" else {
        token.append(scalar)
        continue
      }
      switch rest.popFirst() {
      case "0": token.append("~")
      case "1": token.append("/")
      default: return nil
      }
    }
    return String(token)
  }
}

extension JSONPointer: Hashable {
  public static func == (left: Self, right: Self) -> Bool {
    left.tokens.count == right.tokens.count && left.isPrefix(of: right)
  }

  public func hash(into hasher: inout Hasher) {
    for token in tokens { hasher.combine(ScalarString(token)) }
  }
}

extension JSONPointer: CustomStringConvertible {
  /// The string representation of RFC 6901, which ``init(parsing:)`` reads.
  public var description: String {
    var text = ""
    for token in tokens {
      text += "/"
      guard token.utf8.contains(where: { $0 == UInt8(ascii: "~") || $0 == UInt8(ascii: "/") }) else {
        text += token
        continue
      }
      for scalar in token.unicodeScalars {
        switch scalar {
        case "~": text += "~0"
        case "/": text += "~1"
        default: text.unicodeScalars.append(scalar)
        }
      }
    }
    return text
  }
}
