/// How a file is shared with other devices.
enum ShareForm {
  /// Through a folder in which it doesn't lie itself: what others did comes by journals alone.
  case apart
  /// Together with its journals, which lie beside it: what keeps them in sync brings others' files over it.
  case inside
}

extension ShareAgreement {
  /// The folder beside a file that its journals lie in if the file itself lies in what is kept in sync.
  package static func folder(beside file: String) -> String { "\(file).journals" }

  /// Whether its file lies beside the journals, or somewhere else.
  var form: ShareForm { folder == Self.folder(beside: file) ? .inside : .apart }
}
