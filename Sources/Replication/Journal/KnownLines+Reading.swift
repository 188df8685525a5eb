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
  /// something, or miss it, or how they are called, is no news.
  func hasNews(unreadBy reader: Number) -> Bool {
    unreadRanges(by: reader).contains { chain, places in
      places.contains { place in
        let line = line(line(in: chain, at: place))
        switch line.contents {
        case .head, .wrote, .carried, .wants, .name, .left: return false
        case .entry, .save, .settled: return true
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

  /// Whether the writer of a line, who asks for others there, has said since that it has read these. Where its journal has
  /// parted, all who go on from there have to.
  func isAnswered(_ asking: Number, for ids: [LineID]) -> Bool {
    let wanted = ids.compactMap { number(of: $0) }
    guard counts(asking), wanted.count == ids.count, wanted.allSatisfy({ counts($0) }) else { return false }
    return unreadRanges(by: nil).allSatisfy { chain, places in
      guard let last = places.last.map({ line(in: chain, at: $0) }), writer(of: last) == writer(of: asking),
        last == asking || isRead(asking, by: last)
      else { return true }
      return wanted.allSatisfy { isRead($0, by: last) }
    }
  }

  /// The devices of whom there is news, as ``hasNews(unreadBy:)``.
  func authors(unreadBy reader: Number?) -> [String] {
    unreadRanges(by: reader).flatMap { chain, places in
      places.lazy.map { line(in: chain, at: $0) }.filter { line($0).isDoing }.prefix(1).map { writer(of: $0).device }
    }
  }

  /// How many entries of a device the writer of a line hadn't read when it had written that.
  func entryCount(of device: String, unreadBy reader: Number) -> Int {
    unreadRanges(by: reader).reduce(0) { count, range in
      guard let first = range.places.first, writer(of: line(in: range.chain, at: first)).device == device else {
        return count
      }
      return count + range.places.count { line(line(in: range.chain, at: $0)).entry != nil }
    }
  }

  /// The lines that do something and that none of some lines is, and no writer of them had read.
  func doing(unreadBy readers: [Number]) -> [Number] {
    unreadRanges(by: readers.first).flatMap { chain, places in
      places.lazy.map { line(in: chain, at: $0) }
        .filter { number in line(number).doing != nil && !readers.contains { $0 == number || isRead(number, by: $0) } }
    }
  }
}
