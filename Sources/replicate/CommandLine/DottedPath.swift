import StateJSON

/// Places as programs write them that look at JSON: `.a.b[0]["c d"]`, where `.` is the root.
extension JSONPointer {
  /// A place as somebody types it: a JSON Pointer, or a dotted path.
  init(typed text: String) throws(JSONPointerError) {
    guard text.hasPrefix(".") || text.hasPrefix("[") else {
      try self.init(parsing: text)
      return
    }
    guard let tokens = Self.tokens(dotted: text) else {
      throw JSONPointerError(
        code: .syntax, pointer: text,
        message: "'\(text)' is neither a JSON pointer, such as /a/0, nor a path, such as .a[0] or .a[\"b c\"]")
    }
    self.init(tokens)
  }

  private static func tokens(dotted text: String) -> [String]? {
    var tokens: [String] = []
    var rest = text[...]
    if rest == "." { return [] }
    while let first = rest.first {
      rest = rest.dropFirst()
      if first == "." {
        // `.["a"]` is written, too.
        if rest.first == "[" { continue }
        let name = rest.prefix { $0 != "." && $0 != "[" }
        if name.isEmpty { return nil }
        tokens.append(String(name))
        rest = rest[name.endIndex...]
      } else if first == "[", let token = bracketed(&rest) {
        tokens.append(token)
      } else {
        return nil
      }
    }
    return tokens
  }

  /// What stands in brackets, up to the closing one: an index, or a key as a JSON string.
  private static func bracketed(_ rest: inout Substring) -> String? {
    if rest.first == "\"" {
      var end = rest.index(after: rest.startIndex)
      while end < rest.endIndex, rest[end] != "\"" {
        end = rest.index(end, offsetBy: rest[end] == "\\" ? 2 : 1, limitedBy: rest.endIndex) ?? rest.endIndex
      }
      // What isn't a JSON string names no key.
      guard end < rest.endIndex, case .string(let key)? = try? JSONValue(parsing: String(rest[...end])) else {
        return nil
      }
      rest = rest[rest.index(after: end)...]
      guard rest.popFirst() == "]" else { return nil }
      return key
    }
    let index = rest.prefix { $0 != "]" }
    rest = rest[index.endIndex...]
    let isIndex = index == "-" || !index.isEmpty && index.utf8.allSatisfy { (0x30...0x39).contains($0) }
    guard rest.popFirst() == "]", isIndex else { return nil }
    return String(index)
  }

  /// The place as such a path.
  var dotted: String {
    var text = ""
    for token in tokens {
      let isIndex = token.utf8.allSatisfy { (0x30...0x39).contains($0) } && !token.isEmpty
      let isName =
        token.unicodeScalars.allSatisfy { $0.properties.isXIDContinue || $0 == "$" }
        && token.unicodeScalars.first.map { $0.properties.isXIDStart || $0 == "_" || $0 == "$" } ?? false
      text += isIndex ? "[\(token)]" : isName ? ".\(token)" : "[\(JSONValue.string(token))]"
    }
    return text.hasPrefix(".") ? text : "." + text
  }
}

extension JSONPointer {
  /// The pointer as it can be typed: the root's text, which is empty, between quotation marks.
  var shown: String { tokens.isEmpty ? "\"\"" : "\(self)" }

  /// What it leads to, in a sentence.
  var phrase: String { tokens.isEmpty ? "the whole" : "\(self)" }
}

extension Failure {
  /// The failure with places said back as they were typed, as dotted paths.
  func saying(_ dotted: [JSONPointer]) -> Failure {
    var message = message
    for pointer in dotted {
      for count in stride(from: pointer.tokens.count, to: 0, by: -1) {
        let part = JSONPointer(Array(pointer.tokens[..<count]))
        message = message.replacing("'\(part)'", with: "'\(part.dotted)'")
      }
    }
    return Failure(code, message, place: place, pointer: self.pointer, errno: errno)
  }
}
