import StateJSON

extension VersionLog {
  /// Puts a thinned log in the place of this one, which ends with a version. Where that can't be done, it grows on, and
  /// that is tried again when it has.
  func thinIfTooLarge(endingWith newest: Version) {
    let limit = max(sizeLimit, largest * Self.valueLimit)
    guard let size = current?.end?.size, size > max(limit, current?.nextThinning ?? 0) else { return }
    do throws(SystemError) {
      // Not for ever, should whoever makes a copy be stopped.
      if thinsAside, size < 2 * limit { try thinAside(endingWith: newest) } else { try thin(endingWith: newest) }
    } catch {
      current?.copy = nil
      current?.nextThinning = size + sizeLimit / 8
      // It may be a lack of room.
      try? place.folder().remove(place.copyName)
    }
  }

  /// Begins to make a thinned copy, or puts it in the place of the log once it is made.
  private func thinAside(endingWith newest: Version) throws(SystemError) {
    guard let end = current?.end, let source = current?.identity else { return }
    let folder = try place.folder()
    guard let copy = current?.copy else {
      current?.copy = try ThinnedCopy(
        of: place.name, as: place.copyName, in: folder, source: source, size: end.size, now: newest.time,
        limit: thinnedSize)
      return
    }
    switch copy.outcome {
    case nil: return
    case .failed:
      current?.copy = nil
      try thin(endingWith: newest)
    case .made(let size):
      let opened = try folder.open(place.copyName, System.O_RDWR)
      let identity = try opened.status().identity
      // Somebody may have put another one there.
      guard try copy.identity() == identity else {
        current?.copy = nil
        return
      }
      let added = try text(from: copy.size, to: end.size)
      try copy.append(added, at: size)
      try folder.rename(place.copyName, to: place.name)
      current = Current(
        file: opened, identity: identity, end: End(size: size + added.count, version: newest),
        format: current?.format ?? .own)
    }
  }

  /// How much of a log is to stay, about.
  private var thinnedSize: Int { max(sizeLimit, largest) / 2 }

  private func thin(endingWith newest: Version) throws(SystemError) {
    guard let end = current?.end else { return }
    let records = LogRecords(try text(from: 0, to: end.size))
    guard let lines = LogThinning.lines(of: records, now: newest.time, limit: thinnedSize) else {
      // Of what makes no sense nothing can be gone on with: the next version stands by itself.
      current?.end?.version = nil
      cache = nil
      return
    }
    let folder = try place.folder()
    // An instance that makes a copy aside has it open, and goes on writing to that.
    try folder.remove(place.copyName)
    let copy = try folder.open(
      place.copyName, System.O_RDWR | System.O_CREAT | System.O_TRUNC, permissions: 0o600)
    try copy.write(lines)
    try folder.rename(place.copyName, to: place.name)
    let identity = try copy.status().identity
    // Records of another release can't be read, and are left out with all that follows: then the next version stands by itself.
    let isWhole = records.end == end.size
    current = Current(
      file: copy, identity: identity, end: End(size: lines.count, version: isWhole ? newest : nil),
      format: records.format ?? .own)
    if !isWhole { cache = nil }
  }
}
