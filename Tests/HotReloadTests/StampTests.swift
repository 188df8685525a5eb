import StateJSON
import TestSupport
import TestThreads
import Testing

@testable import HotReload

/// The mark that tells what an instance wrote from what an editor saved.
@Suite(.ownThreads) struct StampTests {
  private static let hash = ContentHash(Array("1".utf8))

  @Test(arguments: [nil, ContentHash([])]) func `a stamp is understood as it was written`(predecessor: ContentHash?) {
    for isRestore in [false, true] {
      let stamp = Stamp(content: Self.hash, predecessor: predecessor, instance: "0a-B_c.d", isRestore: isRestore)
      #expect(Stamp(encoded: stamp.encoded) == stamp)
    }
  }

  @Test(arguments: ["a b", "a\nwhole", "\u{1b}[31m", "é", String(repeating: "a", count: 65)])
  func `a stamp that no instance writes is none`(instance: String) {
    #expect(Stamp(encoded: Array("2 \(Self.hash.base64) - \(instance)".utf8)) == nil)
    #expect(Stamp(encoded: Array("2 \(Self.hash.base64) - 0a-B_c.d".utf8))?.instance == "0a-B_c.d")
  }

  @Test(arguments: [
    "", "2", "1 HASH - me", "2 HASH -", "2 HASH me", "2 HAS - me", "2 - - me", "HASH - me", "2 HASH - me restored",
  ])
  func `what has another form is none`(text: String) {
    #expect(Stamp(encoded: Array(text.replacing("HASH", with: Self.hash.base64).utf8)) == nil)
  }

  /// The attribute stays with the file, whatever is written into it.
  @Test func `a save into what an instance wrote has no stamp, even of the same length`() throws {
    let folder = try TemporaryFolder()
    try folder.write("[1]", to: "x")
    let file = try SharedFile(path: folder.path("x"), instance: "me", stateFolder: folder.path("state"))
    try file.locked {
      let written = try file.replaced("[2]", file.contentsNow())
      #expect(try file.contentsNow().stamp == written.stamp)
      let editor = try Editor(folder.path("x"))
      try editor.write("[3]")
      editor.close()
      let saved = try file.contentsNow()
      #expect(saved.text == "[3]")
      #expect(saved.stamp == nil)
      // Written back as it was, it is an instance's again.
      try folder.write("[2]", to: "x")
      #expect(try file.contentsNow().stamp == written.stamp)
    }
  }
}

extension ContentHash {
  /// As it stands in a stamp.
  fileprivate var base64: String {
    var text: [UInt8] = []
    writeBase64(to: &text)
    return String(decoding: text, as: UTF8.self)
  }
}
