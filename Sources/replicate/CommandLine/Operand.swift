/// A word of the command line that is no option, by what it stands for.
enum Operand: String, Sendable {
  case file = "FILE"
  case pointer = "POINTER"
  case value = "VALUE"
  case by = "BY"
  case patch = "PATCH"
  case document = "DOCUMENT"
  case version = "VERSION"
  case newerVersion = "NEWER"
  case recording = "OUT"
  case folder = "FOLDER"
  case command = "COMMAND"

  /// Whether it names a file.
  var isPath: Bool { self == .file || self == .recording || self == .folder }
}
