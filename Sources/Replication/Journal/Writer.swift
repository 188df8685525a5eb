/// The author of a journal: a device under the name that it goes by at present.
///
/// A device takes a new incarnation where somebody else may be writing under the old one, such as a copy of its state folder.
package struct Writer: Sendable, Hashable {
  /// The device; see ``isName(_:)``.
  package let device: String
  /// Which of the device's names this is.
  package let incarnation: String
  /// `DEVICE.INCARNATION`.
  package let text: String

  /// `nil` unless both are names.
  package init?(device: String, incarnation: String) {
    guard Self.isName(device), Self.isName(incarnation) else { return nil }
    (self.device, self.incarnation, text) = (device, incarnation, "\(device).\(incarnation)")
  }

  /// Reads `DEVICE.INCARNATION`.
  package init?(_ text: String) {
    guard text.utf8.count <= 2 * JournalLimits.nameLength + 1 else { return nil }
    let parts = text.split(separator: ".", omittingEmptySubsequences: false)
    guard parts.count == 2 else { return nil }
    self.init(device: String(parts[0]), incarnation: String(parts[1]))
  }

  /// Whether a text may name a device, an incarnation or a share: letters and digits of ASCII, `-` and `_`, at least one and
  /// at most ``JournalLimits/nameLength``. So it can be part of a file's name anywhere, and means nothing to a terminal.
  package static func isName(_ text: String) -> Bool {
    let bytes = text.utf8
    guard !bytes.isEmpty, bytes.count <= JournalLimits.nameLength else { return false }
    return bytes.allSatisfy { byte in
      switch byte {
      case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
        UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"), UInt8(ascii: "_"):
        true
      default: false
      }
    }
  }
}

extension Writer: Comparable {
  /// The order of the texts.
  package static func < (left: Self, right: Self) -> Bool { left.text < right.text }
}

extension Writer: CustomStringConvertible {
  /// The text.
  package var description: String { text }
}
