import Replication

/// What a machine keeps for itself: the lines that it has said, and those of others that it has read.
struct Records {
  /// What it has said, under each of its names.
  private(set) var own: [[JournalLine]] = []
  /// The lines of others, in the order in which they came.
  private(set) var kept: [JournalLine] = []
  private var known: Set<LineID> = []
  /// How far each file in the folder has been read, and the last line of that.
  private var ends: [String: (count: Int, last: LineID)] = [:]

  /// How many lines it has said.
  var ownCount: Int { own.reduce(0) { $0 + $1.count } }

  /// The label of the last commit that it has said.
  var exported: String? { own.joined().last { $0.entry?.upto != nil }?.entry?.upto }

  /// The name of its journal.
  var ownName: String? { if case .head(let head)? = own.last?.first?.contents { head.writer.text } else { nil } }

  /// What it has said since it was like this.
  func said(since old: Records) -> [JournalLine] {
    own.indices.flatMap { own[$0].dropFirst(old.own.indices.contains($0) ? old.own[$0].count : 0) }
  }

  /// Adds lines that it has said; a head begins another file.
  mutating func say(_ lines: some Sequence<JournalLine>) {
    for line in lines {
      if line.previous == nil { own.append([]) }
      own[own.count - 1].append(line)
    }
  }

  /// Forgets what is in its own last file, for something else.
  mutating func replaceLast(with lines: [JournalLine]) { own[own.count - 1] = lines }

  /// Forgets what of others it has kept since it was like this.
  mutating func forgetKept(since old: Records) { (kept, known, ends) = (old.kept, old.known, old.ends) }

  /// The place in a file from which on it hasn't been read.
  func unread(of file: [JournalLine], _ name: String, variant: ShareVariant?) -> Int {
    guard let end = ends[name] else { return 0 }
    switch variant {
    case .positionsByCount: return min(end.count, file.count)
    case .sameLengthIsSame:
      if let length = lengths[name], length == file.length { return file.count }
    default: break
    }
    return end.count <= file.count && file[end.count - 1].id == end.last ? end.count : 0
  }

  /// Keeps lines of a file, and those that they carry.
  mutating func keep(_ lines: ArraySlice<JournalLine>, of name: String, variant: ShareVariant?) {
    guard let last = lines.last else { return }
    for line in lines {
      var next: JournalLine? = line
      while let line = next {
        if known.insert(line.id).inserted { kept.append(line) }
        next = line.carriedLine
      }
    }
    ends[name] = (lines.endIndex, last.id)
    if variant == .sameLengthIsSame {
      lengths[name] = (lines.startIndex == 0 ? 0 : lengths[name] ?? 0) + Array(lines).length
    }
  }

  /// How long what was read of each file is, for a machine that goes by that.
  private var lengths: [String: Int] = [:]
}

extension [JournalLine] {
  /// How many bytes they take.
  fileprivate var length: Int { reduce(0) { $0 + $1.body.count + LineID.length + 2 } }
}

extension JournalLine {
  /// The ID of the line that this one carries.
  var carriedID: LineID? { if case .carried(let line) = contents { line.id } else { nil } }

  /// The line that this one carries.
  var carriedLine: JournalLine? {
    guard case .carried(let line) = contents else { return nil }
    return try? JournalLine(body: line.body, after: line.previous, id: line.id)
  }
}
