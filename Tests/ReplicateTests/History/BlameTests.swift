import StateJSON
import TestSupport
import Testing

@testable import replicate

@Suite struct `The blame of a value` {
  /// What it says of a history of values, by the most obvious means: all leaves are carried along from the first version on.
  private struct Replay {
    indirect enum Node {
      case leaf(Int?)
      case array([Node])
      case object([(key: String, value: Node)])

      init(_ value: JSONValue, by version: Int?) {
        switch value {
        case .array(let elements) where !elements.isEmpty: self = .array(elements.map { Node($0, by: version) })
        case .object(let object) where !object.isEmpty:
          self = .object(object.members.map { ($0.key, Node($0.value, by: version)) })
        default: self = .leaf(version)
        }
      }

      func at(_ tokens: ArraySlice<String>) -> Node? {
        guard let token = tokens.first else { return self }
        switch self {
        case .leaf: return nil
        case .array(let elements):
          return Int(token).flatMap { elements.indices.contains($0) ? elements[$0].at(tokens.dropFirst()) : nil }
        case .object(let members): return members.first { $0.key == token }?.value.at(tokens.dropFirst())
        }
      }

      mutating func remove(_ tokens: ArraySlice<String>) { change(tokens) { _ in nil } }

      /// Puts a node into an object, or before an element.
      mutating func put(_ node: Node, _ tokens: ArraySlice<String>, isElementNew: Bool = true) {
        guard let token = tokens.first else { return self = node }
        switch self {
        case .array(var elements):
          let index = token == "-" ? elements.count : Int(token) ?? 0
          if tokens.count > 1 {
            elements[index].put(node, tokens.dropFirst(), isElementNew: isElementNew)
          } else if isElementNew {
            elements.insert(node, at: index)
          } else {
            elements[index] = node
          }
          self = .array(elements)
        case .object(var members):
          if let index = members.firstIndex(where: { $0.key == token }) {
            members[index].value.put(node, tokens.dropFirst(), isElementNew: isElementNew)
          } else {
            members.append((token, node))
          }
          self = .object(members)
        case .leaf:
          // An empty container until now.
          self = Int(token) != nil || token == "-" ? .array([]) : .object([])
          put(node, tokens, isElementNew: isElementNew)
        }
      }

      private mutating func change(_ tokens: ArraySlice<String>, _ body: (Node) -> Node?) {
        guard let token = tokens.first else { return }
        switch self {
        case .leaf: break
        case .array(var elements):
          guard let index = Int(token) else { return }
          if tokens.count == 1 { elements.remove(at: index) } else { elements[index].change(tokens.dropFirst(), body) }
          self = .array(elements)
        case .object(var members):
          guard let index = members.firstIndex(where: { $0.key == token }) else { return }
          if tokens.count == 1 {
            members.remove(at: index)
          } else {
            members[index].value.change(tokens.dropFirst(), body)
          }
          self = .object(members)
        }
      }

      var leaves: [Int?] {
        switch self {
        case .leaf(let version): [version]
        case .array(let elements): elements.flatMap(\.leaves)
        case .object(let members): members.flatMap(\.value.leaves)
        }
      }
    }

    var node: Node

    init(_ value: JSONValue) { node = Node(value, by: nil) }

    mutating func apply(_ patch: JSONPatch, by version: Int) {
      for operation in patch.operations {
        switch operation {
        case .add(let value, let place): node.put(Node(value, by: version), place.tokens[...])
        case .replace(let place, let value):
          node.put(Node(value, by: version), place.tokens[...], isElementNew: false)
        case .remove(let place): node.remove(place.tokens[...])
        case .move(let from, let place):
          guard let moved = node.at(from.tokens[...]) else { continue }
          node.remove(from.tokens[...])
          node.put(moved, place.tokens[...])
        case .copy, .test: break
        }
      }
    }

    /// The versions of the leaves, in the order of a value.
    func versions(of value: JSONValue) -> [Int?] { leaves(value, node) }

    private func leaves(_ value: JSONValue, _ node: Node?) -> [Int?] {
      switch value {
      case .array(let elements) where !elements.isEmpty:
        elements.indices.flatMap { leaves(elements[$0], node?.at(["\($0)"])) }
      case .object(let object) where !object.isEmpty:
        object.members.flatMap { leaves($0.value, node?.at([$0.key])) }
      default:
        // A container that has become empty was so by the version that took the last out; nobody put it there.
        if case .leaf(let version)? = node { [version] } else { [nil] }
      }
    }
  }

  private func value(depth: Int, _ random: inout SplitMix64) -> JSONValue {
    switch Int.random(in: 0..<(depth > 2 ? 4 : 7), using: &random) {
    case 0: return .null
    case 1: return .bool(Bool.random(using: &random))
    case 2: return .number(JSONNumber(Int.random(in: 0..<5, using: &random)))
    case 3: return .string(["a", "b", "c"].randomElement(using: &random) ?? "")
    case 4:
      let count = Int.random(in: 0..<4, using: &random)
      return .array((0..<count).map { _ in value(depth: depth + 1, &random) })
    case 5:
      let count = Int.random(in: 0..<4, using: &random)
      return .array((0..<count).map { ["id": .number(JSONNumber($0)), "v": value(depth: depth + 1, &random)] })
    default:
      var object = JSONObject()
      for key in ["a", "b", "0", "1"].shuffled(using: &random).prefix(3) {
        object[key] = value(depth: depth + 1, &random)
      }
      return .object(object)
    }
  }

  /// Something else at some place, or elements in another order.
  private func changed(_ old: JSONValue, depth: Int = 0, _ random: inout SplitMix64) -> JSONValue {
    if depth > 0, Int.random(in: 0..<4, using: &random) == 0 { return value(depth: depth, &random) }
    switch old {
    case .array(var elements) where !elements.isEmpty:
      let index = Int.random(in: 0..<elements.count, using: &random)
      switch Int.random(in: 0..<5, using: &random) {
      case 0: elements.remove(at: index)
      case 1: elements.insert(value(depth: depth + 1, &random), at: index)
      case 2: elements.shuffle(using: &random)
      default: elements[index] = changed(elements[index], depth: depth + 1, &random)
      }
      return .array(elements)
    case .object(var object) where !object.isEmpty:
      guard let key = object.keys.randomElement(using: &random), let member = object[key] else { return old }
      switch Int.random(in: 0..<4, using: &random) {
      case 0: object[key] = nil
      case 1: object["new\(Int.random(in: 0..<3, using: &random))"] = value(depth: depth + 1, &random)
      default: object[key] = changed(member, depth: depth + 1, &random)
      }
      return .object(object)
    default: return value(depth: depth, &random)
    }
  }

  @Test func `is that of a replay from the first version on, in ten thousand histories`() {
    var differing: [UInt64] = []
    var (blamed, old) = (0, 0)
    for seed in 1...10_000 as ClosedRange<UInt64> {
      var random = SplitMix64(seed: seed)
      let first = value(depth: 0, &random)
      var newest = first
      var patches: [(patch: JSONPatch, old: JSONValue)] = []
      for _ in 0..<Int.random(in: 1..<8, using: &random) {
        let next = changed(newest, &random)
        patches.append((JSONPatch(from: newest, to: next), newest))
        newest = next
      }
      var replay = Replay(first)
      for (index, step) in patches.enumerated() { replay.apply(step.patch, by: patches.count - 1 - index) }
      let blame = Blame(newest, changes: patches.reversed().map { ValueChange.list($0.patch, of: $0.old) })
      let found = blame.lines(of: newest).map(\.version)
      if found != replay.versions(of: newest) { differing.append(seed) }
      blamed += found.count { $0 != nil }
      old += found.count { $0 == nil }
    }
    #expect(differing.isEmpty)
    // Both sorts are there, or nothing was compared.
    #expect(blamed > 10_000 && old > 10_000)
  }

  @Test func `follows elements to where they stood, and says what was set with a container`() throws {
    let versions = try [
      #"{"list":["a","b"],"o":{"x":1}}"#, #"{"list":["new","a","b"],"o":{"x":1}}"#,
      #"{"list":["new","a","c"],"o":{"x":1}}"#, #"{"list":["new","a","c"],"o":{"x":1,"y":{"z":[]}}}"#,
    ].map { try JSONValue(parsing: $0) }
    let changes = zip(versions, versions.dropFirst()).map { ValueChange.list(JSONPatch(from: $0, to: $1), of: $0) }
    let lines = Blame(versions[3], changes: changes.reversed()).lines(of: versions[3])
    #expect(
      lines.map { "\($0.pointer) \($0.version.map { "\($0)" } ?? "before")" } == [
        "/list/0 2", "/list/1 before", "/list/2 1", "/o/x before", "/o/y/z 0",
      ])
  }
}
