import StateJSON

/// Why a line doesn't count.
package enum JournalLineError: Error, Sendable, Hashable {
  /// It has more bytes than ``JournalLimits/lineLength``.
  case tooLong
  /// Something else than a name and a body.
  case form
  /// Its name is not that of what it says after the line before it.
  case hash
  /// It belongs to a later format.
  case needs(Int)
  /// A journal begins with something else than its head.
  case noHead
  /// A journal's head is not its first line.
  case secondHead
  /// Its body is no JSON, or has something that it must not have, or not as it is; with the place.
  case body(String)
  /// There are as many lines before it as a journal may have.
  case tooManyLines
  /// It is beyond what is read of a file.
  case fileTooLong

  /// What is wrong in a body.
  init(_ error: JSONDecodingError) {
    self = .body(error.pointer.tokens.isEmpty ? error.message : error.description)
  }
}

extension JournalLineError: CustomStringConvertible {
  /// The fault in words, to follow `line 3: `.
  package var description: String {
    switch self {
    case .tooLong: "it is longer than \(JournalLimits.lineLength) bytes"
    case .form: "it is not the name of a line, a space and a JSON object"
    case .hash: "its name does not belong to what it says here: it, or the line before it, was changed"
    case .needs(let format): "it needs format \(format), and this version knows \(JournalHead.format): update it"
    case .noHead: "a journal begins with a line of the kind \"journal\""
    case .secondHead: "a line of the kind \"journal\" is only the first of a journal"
    case .body(let reason): Self.shortened(reason)
    case .tooManyLines: "a journal has at most \(JournalLimits.lineCount) lines"
    case .fileTooLong: "a journal has at most \(JournalLimits.fileSize) bytes"
    }
  }

  /// Keys and places may be as long as a line.
  private static func shortened(_ text: String) -> String {
    let limit = 300
    guard text.utf8.count > limit else { return text }
    return String(text.unicodeScalars.prefix(limit)) + "…"
  }
}
