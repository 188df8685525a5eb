/// Lines that the writer of a line hadn't read yet.
extension KnownLines {
  /// The lines that count and that the writer of a line hadn't read when it had written that: of those that lead to each other
  /// only the last, in the order of their IDs. All that count, for no line.
  ///
  /// - Complexity: O(*c*²) in the number of chains that have such lines.
  func heads(unreadBy reader: Number?) -> [Number] {
    let last = unreadRanges(by: reader).compactMap { chain, places in places.last.map { line(in: chain, at: $0) } }
    let heads = last.filter { head in !last.contains { $0 != head && isRead(head, by: $0) } }
    return heads.sorted { line($0).id < line($1).id }
  }

  /// Whether somebody did something that the writer of a line hadn't read when it had written that. That others have read
  /// something, or miss it, is no news.
  func hasNews(unreadBy reader: Number) -> Bool {
    unreadRanges(by: reader).contains { chain, places in
      places.contains { place in
        let line = line(line(in: chain, at: place))
        switch line.contents {
        case .head, .carried, .wants: return false
        case .entry, .settled: return true
        case .other: return line.kind != "ack"
        }
      }
    }
  }

  /// A line that somebody asks for, and what its writer had read and the one who asks hadn't.
  func unread(by reader: Number, of wanted: Number) -> [Number] {
    guard counts(reader), counts(wanted) else { return [wanted] }
    return unreadRanges(by: reader).flatMap { chain, places in
      places.lazy.map { line(in: chain, at: $0) }.filter { isRead($0, by: wanted) }
    } + [wanted]
  }
}
