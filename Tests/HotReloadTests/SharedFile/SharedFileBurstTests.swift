import CLinux
import StateJSON
import TestSupport
import TestThreads
import Testing

@testable import HotReload

/// What an instance leaves that is killed in a burst: a file whose name doesn't tell what is in it, and its stamp does.
@Suite(.ownThreads) struct SharedFileBurstTests {
  let folder: TemporaryFolder
  let file: SharedFile

  init() throws {
    folder = try TemporaryFolder()
    file = try folder.sharedFile("x")
    try leave("newest", stamp("newest", over: "before"), as: "x")
  }

  func hash(_ text: String) -> ContentHash { ContentHash(Array(text.utf8)) }

  func stamp(_ text: String, over base: String) -> Stamp {
    Stamp(content: hash(text), predecessor: hash(base), instance: "dead")
  }

  var burstName: String { SharedFileName(burstOf: "dead").text(file.prefix) }

  /// Leaves a file, by default as the one that a burst swaps.
  func leave(_ text: String, _ stamp: Stamp?, as name: String? = nil) throws {
    try leave(text, attribute: stamp?.encoded, as: name)
  }

  func leave(_ text: String, attribute: [UInt8]?, as name: String? = nil) throws {
    try folder.write(text, to: "made")
    if let attribute {
      try FileDescriptor(opening: folder.path("made"), System.O_RDONLY).setAttribute(Stamp.attribute, attribute)
    }
    try folder.rename("made", to: name ?? burstName)
  }

  /// Recovers; what can't be looked after yet, while a child of another test has it open, is waited for.
  func recover() throws -> (saves: [Contents], evidence: [Evidence]) {
    var (saves, evidence) = try file.recoveredWithEvidence()
    _ = try eventually {
      if saves.isEmpty { saves = try file.retireDisplaced() }
      return !saves.isEmpty || !file.hasDisplaced
    }
    return (saves, evidence)
  }

  func expectNothing(_ evidence: [Evidence], sourceLocation: SourceLocation = #_sourceLocation) throws {
    let (saves, found) = try recover()
    #expect(saves == [], sourceLocation: sourceLocation)
    #expect(found == evidence, sourceLocation: sourceLocation)
    #expect(try folder.names == ["x"], sourceLocation: sourceLocation)
  }

  func expectSave(_ text: String, over base: String, sourceLocation: SourceLocation = #_sourceLocation) throws {
    let save = try #require(try recover().saves.first, sourceLocation: sourceLocation)
    #expect(save.text == text, sourceLocation: sourceLocation)
    #expect(file.origin(of: save)?.base == SharedFileName.short(hash(base)), sourceLocation: sourceLocation)
    try file.locked { try file.ingested(save) }
    #expect(try eventually { try file.retireDisplaced() == [] && !file.hasDisplaced }, sourceLocation: sourceLocation)
    #expect(try folder.names == ["x"], sourceLocation: sourceLocation)
  }

  /// It did, and who can have read it is not known.
  func gaveWay(_ text: String) -> [Evidence] {
    let digits = SharedFileName.short(hash(text))
    return [.gaveWay(digits), .wasRead(digits)]
  }

  @Test func `what was being written is nobody's`() throws {
    try leave("half of a", attribute: Stamp.unfinished)
    try expectNothing([])
  }

  @Test func `what was about to be swapped in is nobody's`() throws {
    try leave("next", stamp("next", over: "newest"))
    try expectNothing([])
  }

  @Test func `what the newest version has replaced is known`() throws {
    try leave("before", stamp("before", over: "earlier"))
    try expectNothing(gaveWay("before"))
  }

  @Test func `an editor's save in place is the one that it was, over what had been there`() throws {
    try leave("saved", stamp("before", over: "earlier"))
    try expectSave("saved", over: "before")
  }

  @Test func `an editor's file is a save over what the newest version has replaced`() throws {
    try leave("saved", nil)
    try expectSave("saved", over: "before")
  }

  /// Its instance may have lived on, and could not give it another name.
  @Test func `a version is no save, whatever its instance has written since`() throws {
    try leave("old", stamp("old", over: "older"))
    try expectNothing(gaveWay("old"))
  }

  @Test func `a save over the version that was about to be replaced leaves that known`() throws {
    try leave("saved since", nil, as: "x")
    try leave("before", stamp("before", over: "earlier"))
    try expectNothing(gaveWay("before"))
  }

  /// Whoever was there first could not look after it.
  @Test func `what others have committed since doesn't make a save of it`() throws {
    try leave("newer", Stamp(content: hash("newer"), predecessor: hash("newest"), instance: "other"), as: "x")
    try leave("before", stamp("before", over: "earlier"))
    try expectNothing(gaveWay("before"))
    try leave("newest", stamp("newest", over: "before"))
    try expectNothing(gaveWay("newest"))
  }

  @Test func `two saves, one after the other, are two`() throws {
    try leave("saved since", nil, as: "x")
    try leave("saved", stamp("before", over: "earlier"))
    try expectSave("saved", over: "before")
  }

  @Test func `what it is believed to be isn't known where nothing tells`() throws {
    try leave("saved since", nil, as: "x")
    try leave("saved", nil)
    let save = try #require(try recover().saves.first)
    #expect(save.text == "saved")
    #expect(file.origin(of: save)?.base == SharedFileName.short(nil))
  }

  @Test func `it is looked after where the file is missing`() throws {
    try folder.remove("x")
    try leave("saved", stamp("before", over: "earlier"))
    let save = try #require(try recover().saves.first)
    #expect(save.text == "saved")
    #expect(file.origin(of: save)?.base == SharedFileName.short(hash("before")))
  }

  @Test func `who reads what the killed instance wrote last is told to look`() throws {
    #expect(try !file.mayHaveOrphan(of: file.contentsNow()))
    try leave("before", stamp("before", over: "earlier"))
    #expect(try file.mayHaveOrphan(of: file.contentsNow()))
  }
}
