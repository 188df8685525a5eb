import StateJSON

/// A value as indented JSON, line by line, each with the place in the value that it shows.
struct PrettyLine: Equatable {
  /// Where the value stands that begins (or, for a closing bracket, ends) on this line.
  let pointer: JSONPointer
  let text: String

  /// The lines of a value, the same text as ``JSONValue/Format/pretty`` gives.
  static func lines(of value: JSONValue) -> [PrettyLine] {
    var lines: [PrettyLine] = []
    append(value, at: .root, prefix: "", suffix: "", depth: 0, to: &lines)
    return lines
  }

  private static func append(
    _ value: JSONValue, at pointer: JSONPointer, prefix: String, suffix: String, depth: Int,
    to lines: inout [PrettyLine]
  ) {
    let indentation = String(repeating: "  ", count: depth)
    func line(_ text: String) { lines.append(PrettyLine(pointer: pointer, text: indentation + text)) }
    switch value {
    case .array(let elements) where !elements.isEmpty:
      line(prefix + "[")
      for (index, element) in elements.enumerated() {
        let comma = index < elements.count - 1 ? "," : ""
        append(element, at: pointer.appending(index), prefix: "", suffix: comma, depth: depth + 1, to: &lines)
      }
      line("]" + suffix)
    case .object(let object) where !object.isEmpty:
      line(prefix + "{")
      for (index, member) in object.members.enumerated() {
        let comma = index < object.count - 1 ? "," : ""
        let key = "\(JSONValue.string(member.key)): "
        append(
          member.value, at: pointer.appending(member.key), prefix: key, suffix: comma, depth: depth + 1, to: &lines)
      }
      line("}" + suffix)
    default:
      line(prefix + value.description + suffix)
    }
  }
}
