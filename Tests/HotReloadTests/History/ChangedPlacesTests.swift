import StateJSON
import Testing
import TestSupport

@testable import HotReload

@Suite struct ChangedPlacesTests {
  private static func patch(_ text: String) throws -> JSONPatch {
    let operations = text.split(separator: ";").map { words -> JSONPatch.Operation in
      let words = words.split(separator: " ").map(String.init)
      let places = words[1...].map { JSONPointer($0.split(separator: "/").map(String.init)) }
      return switch words[0] {
      case "add": .add(1, at: places[0])
      case "remove": .remove(at: places[0])
      case "move": .move(from: places[0], to: places[1])
      case "copy": .copy(from: places[0], to: places[1])
      case "test": .test(at: places[0], 1)
      default: .replace(at: places.first ?? .root, with: 1)
      }
    }
    return JSONPatch(operations)
  }

  @Test(arguments: [
    ("replace /a", "replace /b", true), ("replace /a", "replace /a", false), ("replace /a", "replace /a/b", false),
    ("replace /a/b", "replace /a", false), ("replace /a/b", "replace /a/c", true),
    ("replace /a/1/x", "replace /a/2/y", true),
    // Other elements may have the indices.
    ("add /a/1", "replace /a/2/y", false), ("remove /a/1", "replace /a/0", false),
    ("replace /a/1/x", "add /a/-", false),
    ("move /a/1 /a/2", "replace /a/7", false), ("move /a /b", "replace /b", false), ("move /a /b", "replace /a", false),
    ("copy /a /b/0", "replace /b/3", false), ("copy /a /b", "replace /a", true),
    // Members have names.
    ("add /a/x", "replace /a/y", true), ("remove /a/x", "add /a/y", true), ("add /a/x", "add /a/x", false),
    ("test /a", "replace /a", true), ("replace", "replace /a", false), ("replace /a", "replace", false),
    ("test /a", "replace", true),
  ])
  func `changes are apart where neither touches what the other does`(one: String, other: String, isApart: Bool) throws {
    let (one, other) = (try Self.patch(one), try Self.patch(other))
    for (one, other) in [(one, other), (other, one)]
    where other.operations.allSatisfy({ if case .test = $0 { false } else { true } }) {
      var places = ChangedPlaces()
      places.insert(one)
      #expect(places.areApart(from: other) == isApart)
    }
  }

  @Test func `a save that is apart from all versions is what it says`() throws {
    var generator = SaveGenerator(try JSONValue(parsing: SaveMergeTests.sampleState()), seed: 3)
    var (apart, fresh) = (0, 0)
    for number in 0..<600 {
      let isStale = number % 2 == 0
      let save = generator.save(isStale: isStale)
      let patch = JSONPatch(from: save.history.value, to: save.value)
      if !isStale { fresh += 1 }
      guard save.history.isApart(patch) else { continue }
      apart += 1
      Self.expectPlain(SaveMerge(save.value, onto: save.history), save.value, "save \(number)")
    }
    // Else nothing was tried.
    #expect(apart > fresh / 4)
  }

  private static func expectPlain(_ merge: SaveMerge, _ value: JSONValue, _ comment: Comment) {
    #expect(merge.value == value && merge.kept.isEmpty && merge.lost.isEmpty, comment)
    if case .restore = merge.meaning { Issue.record("\(merge.meaning): \(comment)") }
  }
}
