import StateJSON

/// What records say that were added to the end of a log: of all but the last nothing is read but that they are whole.
struct LogTail {
  /// Where the last whole record ends; what follows is torn.
  private(set) var end = 0
  /// How long the longest record of a whole value is.
  private(set) var largest = 0
  /// The last record that is no remark, if there is any.
  private(set) var newest: LogRecord.Head?
  /// Where the mark is of the version that the log ends with, if it has not come to stand in the file.
  private(set) var mark: Int?
  /// What they say of the log's format, if they do.
  private(set) var format: LogFormat?
  /// Whether any of them is a version, or the end of one.
  private(set) var hasVersion = false

  /// The records of a text, the first of which begins at `start`.
  init(_ text: [UInt8], from start: Int = 0) {
    end = start
    text.withUnsafeBytes { text in
      var start = start
      var last: Range<Int>?
      var lastVersion: Range<Int>?
      while let (line, kind, isFormat) = LogRecord.line(startingAt: start, in: text) {
        (start, end) = (line.upperBound + 1, line.upperBound + 1)
        if isFormat, let head = LogRecord.head(of: line, in: text) {
          format = .newer(format, LogFormat(head, in: text))
        }
        // What isn't known is a remark.
        guard let kind else { continue }
        if !kind.isRemark { last = line }
        if !kind.isRemark && kind != .lost { lastVersion = line }
        if kind == .whole { largest = max(largest, line.count + 1) }
      }
      newest = last.flatMap { LogRecord.head(of: $0, in: text) }
      let version = lastVersion == last ? newest : lastVersion.flatMap { LogRecord.head(of: $0, in: text) }
      if version?.kind != .aborted { mark = version?.mark }
      hasVersion = version != nil
    }
  }

  /// The records in the end of a text that begins within one, or before one; nil where none of them is a version.
  init?(endOf text: [UInt8]) {
    guard let lineEnd = text.withUnsafeBytes({ $0.lineEnd(from: 0) }) else { return nil }
    self.init(text, from: lineEnd + 1)
    if !hasVersion { return nil }
  }

  /// Finds the version that the log ends with.
  ///
  /// - Parameter known: The version that the text before these records ends with.
  /// - Returns: `nil` where it was aborted, so that a whole one must follow.
  func version(after known: Version?) -> Version? {
    guard let newest else { return known }
    return newest.kind == .aborted ? nil : newest.version
  }
}
