/// A place in a value, as a chain from the place up to the root.
///
/// A coding path is an array, but almost none is ever looked at: containers share this chain, and build the array only
/// for an error or for somebody who asks.
indirect enum CodingPathNode {
  case root
  case key(any CodingKey, in: CodingPathNode)
  case index(Int, in: CodingPathNode)

  /// The keys from the root down to this place.
  var codingPath: [any CodingKey] {
    var keys: [any CodingKey] = []
    var node = self
    while true {
      switch node {
      case .root: return keys.reversed()
      case .key(let key, in: let parent):
        keys.append(key)
        node = parent
      case .index(let index, in: let parent):
        keys.append(AnyCodingKey(index))
        node = parent
      }
    }
  }
}

/// A key made at run time: a member's name, or the index of an array's element.
struct AnyCodingKey: CodingKey {
  let stringValue: String
  let intValue: Int?

  /// Where a class keeps what its superclass encodes, unless it names a key of its own.
  static let `super` = AnyCodingKey("super")

  init(_ string: String) { (stringValue, intValue) = (string, nil) }
  init(_ index: Int) { (stringValue, intValue) = ("\(index)", index) }
  init?(stringValue: String) { self.init(stringValue) }
  init?(intValue: Int) { self.init(intValue) }
}

extension JSONPointer {
  /// The place that a coding path of this or of Foundation's coders leads to.
  init(codingPath: [any CodingKey]) {
    self.init(
      codingPath.map { key in
        // Foundation's coders call the third element "Index 2".
        if let index = key.intValue, key.stringValue == "Index \(index)" { "\(index)" } else { key.stringValue }
      })
  }
}
