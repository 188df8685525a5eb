import StateJSON
import TestSupport

@testable import HotReload

/// Makes saves as people and programs make them: instances go on changing a document while an editor's buffer of it,
/// fresh or stale, is edited and saved.
struct SaveGenerator {
  struct Save {
    let history: VersionHistory
    /// How many versions older than the newest the buffer is.
    let age: Int
    /// What was saved.
    let value: JSONValue
    /// Exactly the user's changes, made to the newest version.
    let ideal: JSONValue
  }

  let document: JSONValue
  var random: SplitMix64
  /// So that who reads what changes nothing else.
  private var other = SplitMix64(seed: 7)
  private var serial = 0

  init(_ document: JSONValue, seed: UInt64) {
    self.document = document
    random = SplitMix64(seed: seed)
  }

  /// Which versions somebody has read: the one that the buffer was loaded from, and of others a part.
  enum Readers { case some, all }

  /// A save of a buffer that is a few versions old, up to 30; or a fresh one.
  mutating func save(isStale: Bool, readers: Readers = .all) -> Save {
    let age = isStale ? 1 + random.below(30) : 0
    var values = [document]
    var builder = VersionHistoryBuilder()
    builder.append(version(0), whole: document, lost: [])
    let count = age + 1 + random.below(15)
    for index in 1...count {
      let value = changed(values[index - 1], by: instanceChange)
      guard (try? builder.append(version(index), JSONPatch(from: values[index - 1], to: value), lost: [])) != nil else {
        preconditionFailure("a difference can be applied")
      }
      values.append(value)
      if readers == .all || index == count - age { builder.noteReader(of: version(index).hash) }
    }
    if readers == .some {
      for index in 0...count where other.oneIn(8) { builder.noteReader(of: version(index).hash) }
    }
    guard let history = builder.history else { preconditionFailure("there are versions") }
    let base = values[values.count - 1 - age]
    var saved = base
    while saved == base {
      for _ in 0..<(random.oneIn(2) ? 1 : 2 + random.below(4)) { saved = changed(saved, by: userChange) }
    }
    let merge = JSONMerge(base: base, left: history.value, right: saved, newer: .right)
    return Save(history: history, age: age, value: saved, ideal: merge.value)
  }

  private func version(_ index: Int) -> Version {
    Version(hash: ContentHash(high: 0, low: UInt64(index)), time: Int64(index), cause: .action, instance: "i")
  }

  /// The value after a change that changes something.
  private mutating func changed(
    _ value: JSONValue, by change: (inout SaveGenerator) -> (inout JSONValue) -> Void
  ) -> JSONValue {
    while true {
      var result = value
      change(&self)(&result)
      if result != value { return result }
    }
  }

  // MARK: What programs do

  private let instanceChange: (inout SaveGenerator) -> (inout JSONValue) -> Void = { generator in
    switch generator.random.below(10) {
    case 0, 1, 2: generator.increment(["show", "viewers"])
    case 3: generator.progress()
    case 4: generator.toggle([["loading", "episodes"], ["loading", "details"], ["loading", "comments"]])
    case 5: generator.text(["search", "query"])
    case 6: generator.addElement(["episodes"])
    case 7: generator.removeElement(["episodes"])
    case 8: generator.append(["search", "recent"])
    default: generator.toggleWatched()
    }
  }

  // MARK: What people do

  private let userChange: (inout SaveGenerator) -> (inout JSONValue) -> Void = { generator in
    switch generator.random.below(10) {
    case 0: generator.text(["show", "title"])
    case 1: generator.text(["session", "user", "name"])
    case 2: generator.toggle([["search", "isOpen"], ["search", "filter", "onlyUnwatched"], ["loading", "details"]])
    case 3: generator.elementText(["episodes"], "title")
    case 4: generator.append(["search", "filter", "tags"])
    case 5: generator.addElement(["episodes"])
    case 6: generator.removeElement(["episodes"])
    case 7: generator.text(["search", "query"])
    case 8: generator.newMember(["session"])
    default: generator.progress()
    }
  }

  // MARK: Changes

  private mutating func word() -> String {
    random.pick(["Nebel", "café", "雪", "Leuchtturm", "night", "rain", "Möwe", "harbour", "\"quoted\"", "ferry"])
  }

  private mutating func fresh() -> Int {
    serial += 1
    return 100_000 + serial
  }

  private mutating func increment(_ path: [String]) -> (inout JSONValue) -> Void {
    let amount = 1 + random.below(3)
    return { value in
      value.edit(path) { number in
        guard case .number(let old) = number, let int = old.exactly(Int.self) else { return }
        number = .number(JSONNumber(int + amount))
      }
    }
  }

  private mutating func toggle(_ paths: [[String]]) -> (inout JSONValue) -> Void {
    let path = random.pick(paths)
    return { $0.edit(path) { $0 = $0 == true ? false : true } }
  }

  /// Typing: the text grows or loses its end.
  private mutating func text(_ path: [String]) -> (inout JSONValue) -> Void {
    let word = word()
    let replaces = random.oneIn(3)
    return { value in
      value.edit(path) { text in
        guard case .string(let old) = text else { return }
        text = .string(replaces ? word : old + " " + word)
      }
    }
  }

  private mutating func progress() -> (inout JSONValue) -> Void {
    let value = JSONValue.number(JSONNumber(random.below(100)))
    return element(["episodes"]) { $0["progress"] = value }
  }

  private mutating func toggleWatched() -> (inout JSONValue) -> Void {
    element(["episodes"]) { $0["isWatched"] = $0["isWatched"] == true ? false : true }
  }

  private mutating func elementText(_ path: [String], _ key: String) -> (inout JSONValue) -> Void {
    let word = word()
    return element(path) { object in
      if case .string(let old) = object[key] { object[key] = .string(old + " " + word) }
    }
  }

  private mutating func element(
    _ path: [String], _ change: @escaping (inout JSONObject) -> Void
  ) -> (inout JSONValue) -> Void {
    let number = random.below(1 << 20)
    return { value in
      value.edit(path) { list in
        guard case .array(var elements) = list, !elements.isEmpty,
          case .object(var object) = elements[number % elements.count]
        else { return }
        change(&object)
        elements[number % elements.count] = .object(object)
        list = .array(elements)
      }
    }
  }

  private mutating func addElement(_ path: [String]) -> (inout JSONValue) -> Void {
    let id = fresh()
    let word = word()
    let number = random.below(1 << 20)
    return { value in
      value.edit(path) { list in
        guard case .array(var elements) = list else { return }
        let element: JSONValue = [
          "id": .number(JSONNumber(id)), "title": .string(word), "isWatched": false, "progress": 0, "tags": [],
        ]
        elements.insert(element, at: number % (elements.count + 1))
        list = .array(elements)
      }
    }
  }

  private mutating func removeElement(_ path: [String]) -> (inout JSONValue) -> Void {
    let number = random.below(1 << 20)
    return { value in
      value.edit(path) { list in
        guard case .array(var elements) = list, elements.count > 2 else { return }
        elements.remove(at: number % elements.count)
        list = .array(elements)
      }
    }
  }

  private mutating func append(_ path: [String]) -> (inout JSONValue) -> Void {
    let word = word()
    return { value in
      value.edit(path) { list in
        guard case .array(var elements) = list else { return }
        elements.append(.string(word))
        // A list of recent things is kept short.
        if elements.count > 6 { elements.removeFirst() }
        list = .array(elements)
      }
    }
  }

  private mutating func newMember(_ path: [String]) -> (inout JSONValue) -> Void {
    let key = "note\(random.below(5))"
    let word = word()
    return { value in
      value.edit(path) { object in
        guard case .object(var members) = object else { return }
        members[key] = .string(word)
        object = .object(members)
      }
    }
  }
}

extension JSONValue {
  fileprivate mutating func edit(_ path: [String], _ change: (inout JSONValue) -> Void) {
    let pointer = JSONPointer(path)
    guard var value = self[pointer] else { return }
    change(&value)
    do { try set(value, at: pointer) } catch { preconditionFailure("\(error)") }
  }
}
