import StateJSON
import StoreCore

/// The mark that an instance leaves on what it wrote, swapped in together with the content.
///
/// While the content still has the stamp's hash, an instance wrote it, and whoever reads it may adopt it. Otherwise
/// somebody else saved. Kept in the extended attribute `user.replicate` as `2 CONTENT PREDECESSOR INSTANCE`, and `restore`
/// after that where an older version was brought back. Where the file lies in a folder that something keeps in sync, which may bring
/// the attribute along from another device, INSTANCE is followed by `@` and a mark of this one, and counts only with that. The hashes are written in 22 digits each: so it fits into what ext4
/// keeps with the file itself, while 32 digits take a block of their own, which has to be found, or shared, and freed again.
package struct Stamp: Hashable, Sendable {
  /// The hash of the bytes that were written.
  package var content: ContentHash
  /// The hash of the bytes that they replaced; nil when there was no file.
  package var predecessor: ContentHash?
  /// The identity of the instance that wrote.
  package var instance: String
  /// Whether it brought an older version back.
  package var isRestore: Bool

  package init(content: ContentHash, predecessor: ContentHash?, instance: String, isRestore: Bool = false) {
    self.content = content
    self.predecessor = predecessor
    self.instance = instance
    self.isRestore = isRestore
  }

  /// What the others are told of the change.
  var cause: Cause {
    if let devices = DeviceName.named(by: instance) { return .device(devices) }
    return isRestore ? Cause(.restore, instance: instance) : .instance(instance)
  }

  static let attribute = "user.replicate"
  /// In the place of a stamp on a file that is being written: whatever is in it is nobody's, and it never stood at the path.
  static let unfinished = Array("2 - - -".utf8)
  private static let restore = "restore"

  /// Reads a stamp; `nil` if it is none, or not one with this mark of a device, or none.
  init?(encoded: [UInt8], mark: String? = nil) {
    var place = 0
    guard encoded[Self.field(of: encoded, from: &place)] == [UInt8(ascii: "2")],
      let content = ContentHash(base64: encoded[Self.field(of: encoded, from: &place)])
    else { return nil }
    self.content = content
    predecessor = ContentHash(base64: encoded[Self.field(of: encoded, from: &place)])
    var name = encoded[Self.field(of: encoded, from: &place)]
    if let mark {
      guard name.suffix(mark.utf8.count + 1).elementsEqual("@\(mark)".utf8) else { return nil }
      name = name.dropLast(mark.utf8.count + 1)
    }
    isRestore = place < encoded.count
    guard !name.isEmpty, Self.isName(name), !isRestore || encoded[place...].elementsEqual(Self.restore.utf8) else {
      return nil
    }
    instance = String(decoding: name, as: UTF8.self)
  }

  /// Where the next field is; the place is behind the space after it, then.
  private static func field(of text: [UInt8], from place: inout Int) -> Range<Int> {
    let start = place
    var end = start
    while end < text.count, text[end] != UInt8(ascii: " ") { end += 1 }
    place = min(end + 1, text.count)
    return start..<end
  }

  /// Whether this can be the identity of an instance: it goes into messages, and others may have written it.
  private static func isName(_ text: ArraySlice<UInt8>) -> Bool {
    text.count <= 64
      && text.allSatisfy { byte in
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
          UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"), UInt8(ascii: "_"), UInt8(ascii: "."):
          true
        default: false
        }
      }
  }

  var encoded: [UInt8] { encoded(mark: nil) }

  /// As an attribute, with the mark of a device, if there is one.
  func encoded(mark: String?) -> [UInt8] {
    var text: [UInt8] = []
    text.reserveCapacity(64)
    text += "2 ".utf8
    content.writeBase64(to: &text)
    text += " ".utf8
    if let predecessor { predecessor.writeBase64(to: &text) } else { text += "-".utf8 }
    text += " ".utf8
    text += instance.utf8
    if let mark { text += "@\(mark)".utf8 }
    if isRestore { text += " \(Self.restore)".utf8 }
    return text
  }
}
