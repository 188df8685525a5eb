import StateJSON

/// The name of a file that stands beside the shared file: it alone tells a later instance what to do with it.
///
///     .NAME.replicate-MACHINE-INODE-BASE-NEW.tmp      to be swapped in, or what came out of the swap
///     .NAME.replicate-MACHINE-INODE-BASE-NEW.back     to be put back to the path, or what came out of that
///     .NAME.replicate-MACHINE-INODE-BASE-NEW.aside    what stood at the path, renamed away
///     .NAME.replicate-MACHINE-INODE-BASE.spare        displaced, compared, free to be overwritten
///     .NAME.replicate-MACHINE-0-INSTANCE-0.burst      swapped again and again: its stamp tells what it is
///
/// INODE belongs to the new contents and is `0` until it is known, which is never the case in a swap. BASE and NEW are
/// shortened hashes of bytes, INSTANCE that of an instance's identity.
struct SharedFileName: Hashable {
  enum Role: String {
    case temporary = "tmp"
    case back
    case aside
    case spare
    case burst
  }

  var role: Role
  var inode: UInt64
  /// The shortened hash of the bytes believed to be in what was displaced.
  var base: String
  /// The shortened hash of the new bytes.
  var new: String
  /// Sets it apart from a file of the same name that is still kept.
  var attempt = 0

  /// The shortened hash of the bytes that nobody needs to see again, should a file of this name have them.
  ///
  /// What was swapped out is told by its inode from what was swapped in for it, stood at the path, and gave way again.
  func believed(of inode: UInt64) -> String { role == .back && inode == self.inode ? new : base }

  static func short(_ hash: ContentHash?) -> String {
    guard let hash else { return String(repeating: "0", count: 16) }
    return hash.digits(of: 16)
  }

  /// What all names beside one shared file begin with, those of this machine and of others.
  static func family(of name: String) -> String {
    // 255 bytes for a name, less what follows it.
    let limit = 150
    guard name.utf8.count > limit else { return ".\(name).replicate-" }
    var cut = name[...]
    while cut.utf8.count > limit - 17 { cut.removeLast() }
    return ".\(cut)~\(short(ContentHash(Array(name.utf8)))).replicate-"
  }

  /// The whole name, where `prefix` is the family and the machine.
  func text(_ prefix: String) -> String {
    var text = prefix
    for part in [String(inode), "-", base, "-", new] { text += part }
    if attempt != 0 { text += "-\(attempt)" }
    text += "."
    text += role.rawValue
    return text
  }

  /// Takes another number, which most likely nothing has yet.
  mutating func attemptAnew() {
    var random = SystemRandom()
    attempt = .random(in: 1...999_999_999, using: &random)
  }
}

extension SharedFileName {
  /// What an instance swaps in a row of commits.
  init(burstOf instance: String) {
    self.init(role: .burst, inode: 0, base: Self.short(ContentHash(Array(instance.utf8))), new: Self.short(nil))
  }

  /// Whether a file of this name is swapped in a row of commits.
  static func isOfBurst(_ name: String) -> Bool { name.hasSuffix(".\(Role.burst.rawValue)") }

  /// Understands a name that begins with `prefix`; nil if it isn't one of ours.
  init?(_ text: String, prefix: String) {
    guard text.hasPrefix(prefix) else { return nil }
    let rest = text.dropFirst(prefix.count)
    guard let dot = rest.lastIndex(of: "."), let role = Role(rawValue: String(rest[rest.index(after: dot)...])) else {
      return nil
    }
    let fields = rest[..<dot].split(separator: "-")
    guard fields.count == 3 || fields.count == 4, let inode = UInt64(fields[0]) else { return nil }
    self.role = role
    self.inode = inode
    base = String(fields[1])
    new = String(fields[2])
    attempt = fields.count == 4 ? Int(fields[3]) ?? 0 : 0
  }
}
