extension SharedFile {
  /// Keeps a save that can stand neither at the path nor beside it, in the state folder, whole or not at all.
  ///
  /// - Returns: Where it is now.
  /// - Throws: When it could not be kept: nothing of it is there then.
  func rescue(_ save: Contents) throws(SystemError) -> String {
    let rescued = try StateFolder.open(stateFolder + "/rescued")
    // The same save, rescued twice, is one file.
    let name = "\(save.hash)-\(nameEnding)"
    // Others may be rescuing the same.
    let provisional = "\(save.hash)-\(String(SystemRandom().next(), radix: 16))~"
    let file = try rescued.open(provisional, System.O_WRONLY | System.O_CREAT | System.O_EXCL, permissions: 0o600)
    do throws(SystemError) {
      try file.write(save.bytes)
      try file.flush()
      try rescued.rename(provisional, to: name)
    } catch {
      // Only half a save would be left.
      try? rescued.remove(provisional)
      throw error
    }
    // The bytes are safe, and so is a name of theirs, as soon as the folder is flushed; some can't be.
    try? rescued.descriptor.flush()
    return rescued.path(of: name)
  }

  /// As much of the file's name as fits behind a hash.
  private var nameEnding: Substring {
    var ending = name[...]
    while ending.utf8.count > 150 { ending.removeFirst() }
    return ending
  }
}
