/// Lines that the writer of a line hadn't read yet.
extension KnownLines {
  /// The lines that count and that the writer of a line hadn't read when it had written that: of those that lead to each other
  /// only the last, in the order of their IDs. All that count, for no line.
  ///
  /// - Complexity: O(*c*²) in the number of chains that have such lines.
  func heads(unreadBy reader: Number?) -> [Number] {
    let last = unread(by: reader).compactMap(\.last)
    let heads = last.filter { head in !last.contains { $0 != head && isRead(head, by: $0) } }
    return heads.sorted { line($0).id < line($1).id }
  }

  /// Whether somebody did something that the writer of a line hadn't read when it had written that. That others have read
  /// something, or miss it, or how they are called, is no news.
  func hasNews(unreadBy reader: Number) -> Bool {
    unread(by: reader).joined().contains { number in
      let line = line(number)
      return if case .other = line.contents { line.kind != "ack" } else { line.isDoing }
    }
  }

  /// A line that somebody asks for, and what its writer had read and the one who asks hadn't.
  func unread(by reader: Number, of wanted: Number) -> [Number] {
    guard counts(reader), counts(wanted) else { return [wanted] }
    return unread(by: reader).joined().filter { isRead($0, by: wanted) } + [wanted]
  }

  /// Whether the writer of a line, who asks for others there, has said since that it has read these. Where its journal has
  /// parted, all who go on from there have to.
  func isAnswered(_ asking: Number, for ids: [LineID]) -> Bool {
    let wanted = ids.compactMap { number(of: $0) }
    guard counts(asking), wanted.count == ids.count, wanted.allSatisfy({ counts($0) }) else { return false }
    return unread(by: nil).compactMap(\.last).allSatisfy { last in
      guard writer(of: last) == writer(of: asking), last == asking || isRead(asking, by: last) else { return true }
      return wanted.allSatisfy { isRead($0, by: last) }
    }
  }

  /// The devices of whom there is news, as ``hasNews(unreadBy:)``.
  func authors(unreadBy reader: Number?) -> [String] {
    unread(by: reader).compactMap { lines in lines.first { line($0).isDoing }.map { writer(of: $0).device } }
  }

  /// How many entries of a device the writer of a line hadn't read when it had written that.
  func entryCount(of device: String, unreadBy reader: Number) -> Int {
    unread(by: reader).joined().count { line($0).entry != nil && writer(of: $0).device == device }
  }

  /// The lines that do something and that none of some lines is, and no writer of them had read.
  func doing(unreadBy readers: [Number]) -> [Number] {
    unread(by: readers.first).joined().filter { number in
      line(number).doing != nil && !readers.contains { $0 == number || isRead(number, by: $0) }
    }
  }
}
