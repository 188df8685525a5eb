import Replication

/// How a device is called where instances have their names: in stamps, in versions, and as ``StoreCore/Cause/instance``.
package enum DeviceName {
  /// What sets it apart from the name of an instance.
  private static let prefix = "device."
  /// As long as the name of an instance may be.
  private static let limit = 64

  /// The mark of changes that other devices have made.
  static func mark(of names: [String]) -> String {
    let text = prefix + names.joined(separator: ".")
    if !names.isEmpty, text.utf8.count <= limit { return text }
    return prefix + "\(names.count)"
  }

  /// Whether it is such a mark.
  static func isMark(_ instance: String) -> Bool { instance.hasPrefix(prefix) }

  /// The devices that a mark is of, in words; `nil` if it is the name of an instance.
  package static func named(by mark: String) -> String? {
    guard isMark(mark) else { return nil }
    let names = mark.dropFirst(prefix.count).split(separator: ".")
    if names.count == 1, let count = Int(names[0]) { return count == 0 ? "another device" : "\(count) devices" }
    return names.joined(separator: ", ")
  }

  /// A name for this machine, to begin with: of its host's, what may be in one.
  package static func suggested(for host: String) -> String {
    let short = host.prefix { $0 != "." }
    let name = String(short.unicodeScalars.map { Writer.isName(String($0)) ? Character($0) : "-" }.prefix(32))
    return isAllowed(name) ? name : "device"
  }

  /// Whether a device may have a name.
  package static func isAllowed(_ name: String) -> Bool {
    Writer.isName(name) && name.utf8.count <= nameLimit && Int(name) == nil
  }

  private static let nameLimit = 32
}
