import StateJSON

/// A line into which somebody types something.
struct Prompt: Equatable, Sendable {
  var purpose: Purpose
  var editor: LineEditor

  enum Purpose: Equatable, Sendable {
    case search(isBackward: Bool)
    case filter
    case go
    /// A new value for what stands at a pointer.
    case edit(EditTarget, old: JSONValue)
    /// A new last element of an array, or a new member of an object: `"key": value`.
    case append(EditTarget, isObject: Bool)
    /// The file into which is recorded what happened since a version, or from now on.
    case capture(from: TimelinePane.Moment?)
    /// A recording to be looked at.
    case open

    /// Whether it belongs to the list of versions.
    var isOfVersions: Bool {
      switch self {
      case .capture, .open: true
      case .search, .filter, .go, .edit, .append: false
      }
    }
  }

  /// What stands before the line.
  var label: String {
    switch purpose {
    case .search(let isBackward): isBackward ? "?" : "/"
    case .filter: "&"
    case .go: ":"
    case .edit(let target, _): "\(target.pointer) = "
    case .append(let target, let isObject): isObject ? "\(target.pointer)/" : "\(target.pointer)/- = "
    case .capture(let moment): moment.map { "record since \($0.time): " } ?? "record: "
    case .open: "recording: "
    }
  }

  /// What is wrong with the line so far; `nil` if nothing is.
  var complaint: String? {
    do {
      switch purpose {
      case .search, .filter, .capture, .open: break
      case .go: _ = try JSONPointer(typed: editor.string)
      case .edit: _ = try JSONValue(parsing: editor.string)
      case .append(_, let isObject): _ = try addition(isObject: isObject)
      }
      return nil
    } catch let error as JSONParseError {
      return "column \(error.column): \(error.message)"
    } catch {
      return "\(error)"
    }
  }

  /// What is to be added: its key, if it is a member, and its value.
  func addition(isObject: Bool) throws(JSONParseError) -> (key: String?, value: JSONValue) {
    let text = editor.string
    guard isObject else { return (nil, try JSONValue(parsing: text)) }
    do throws(JSONParseError) {
      if case .object(let object) = try JSONValue(parsing: "{" + text + "}"), object.count == 1,
        let member = object.members.first
      {
        return (member.key, member.value)
      }
    } catch {
      // The brace before it is ours.
      throw JSONParseError(
        code: error.code, offset: max(0, error.offset - 1), line: error.line, column: max(1, error.column - 1),
        message: error.message)
    }
    throw JSONParseError(
      code: .syntax, offset: 0, line: 1, column: 1, message: "expected one member: \"key\": value")
  }
}
