// Texts and values.

@testable import StateJSON

/// A text.
func fuzzJSON(_ input: [UInt8]) {
  guard let document = try? JSONDocument(parsing: input) else { return }
  let value = document.value
  for bytes in [value.bytes(format: .compact), value.bytes(format: .pretty)] {
    require((try? JSONValue(parsing: bytes))?.isIdentical(to: value) == true, "what is written is read again")
  }
  let canonical = value.canonicalBytes
  let again = try? JSONValue(parsing: canonical)
  require(again == value, "the canonical form is equal")
  require(again?.canonicalBytes == canonical, "equal values have one canonical form")
  require(again?.hashValue == value.hashValue, "equal values have one hash")
  require(document.replacingValue(with: value).bytes == input, "no change changes no byte")
  checkCoders(document)
}

/// A type of any shape is read from a text and written to one as a value is.
private func checkCoders(_ document: JSONDocument) {
  guard let decoded = try? JSONValueDecoder().decode(AnyShape.self, from: document) else {
    return require(false, "what has any shape can be decoded")
  }
  require(decoded.value.isIdentical(to: document.value), "what is decoded is what the text says")
  guard let dump = try? JSONValueEncoder(limits: JSONLimits(depth: .max, size: .max)).dump(decoded) else {
    return require(false, "what was decoded can be encoded")
  }
  require(dump.value.isIdentical(to: document.value), "what is encoded is what was decoded")
  require(dump.document.bytes == document.value.bytes(), "a dump has no white space")
}

/// What is decoded and encoded after others is what it is by itself.
private func checkIncrements(_ documents: [JSONDocument]) {
  let encoder = JSONValueEncoder(limits: JSONLimits(depth: .max, size: .max))
  func check<Shape: Codable>(_ type: Shape.Type, _ documents: [JSONDocument], _ isSame: (Shape, JSONDocument) -> Bool) {
    let decoding = IncrementalDecoder(JSONValueDecoder(), minimumLength: 1)
    let encoding = IncrementalEncoder(encoder, minimumLength: 1)
    for document in documents {
      guard let decoded = try? decoding.decode(type, from: document) else {
        return require(false, "what can be decoded can be decoded after others")
      }
      require(isSame(decoded, document), "what is decoded after others is what the text says")
      let dump = try? encoding.dump(decoded)
      require(
        dump?.document.bytes == (try? encoder.dump(decoded).document.bytes), "nor do others change what is encoded")
    }
  }
  check(AnyShape.self, documents) { $0.value.isIdentical(to: $1.value) }
  let objects = documents.filter { if case .object = $0.value { true } else { false } }
  check([String: AnyShape].self, objects) { decoded, document in
    guard case .object(let object) = document.value else { return false }
    return object.count == decoded.count
      && object.members.allSatisfy { decoded[$0.key]?.value.isIdentical(to: $0.value) == true }
  }
}

/// A value that asks a coder for each of its parts.
private struct AnyShape: Codable {
  var value: JSONValue

  private struct Key: CodingKey {
    let stringValue: String
    var intValue: Int? { nil }
    init(stringValue: String) { self.stringValue = stringValue }
    init?(intValue: Int) { nil }
  }

  init(_ value: JSONValue) { self.value = value }

  init(from decoder: any Decoder) throws {
    let whole = try decoder.singleValueContainer().decode(JSONValue.self)
    switch whole {
    case .object:
      let container = try decoder.container(keyedBy: Key.self)
      var object = JSONObject()
      for key in container.allKeys {
        object.append(key.stringValue, try container.decode(Self.self, forKey: key).value)
      }
      value = .object(object)
    case .array:
      var container = try decoder.unkeyedContainer()
      var elements: [JSONValue] = []
      while !container.isAtEnd { elements.append(try container.decode(Self.self).value) }
      value = .array(elements)
    case .string:
      value = .string(try decoder.singleValueContainer().decode(String.self))
    case .number(let number):
      let double = try? decoder.singleValueContainer().decode(Double.self)  // `nil` beyond the largest
      require(double == (number.doubleValue.isFinite ? number.doubleValue : nil), "a number is the nearest there is")
      let integer = try? decoder.singleValueContainer().decode(Int.self)  // `nil` for what is none
      require(integer == number.exactly(Int.self), "an integer is read exactly")
      value = whole
    case .bool, .null: value = whole
    }
  }

  func encode(to encoder: any Encoder) throws {
    switch value {
    case .object(let object):
      var container = encoder.container(keyedBy: Key.self)
      for member in object.members { try container.encode(Self(member.value), forKey: Key(stringValue: member.key)) }
    case .array(let elements):
      var container = encoder.unkeyedContainer()
      for element in elements { try container.encode(Self(element)) }
    case .string(let string):
      var container = encoder.singleValueContainer()
      try container.encode(string)
    case .bool(let bool):
      var container = encoder.singleValueContainer()
      try container.encode(bool)
    case .null:
      var container = encoder.singleValueContainer()
      try container.encodeNil()
    case .number:
      var container = encoder.singleValueContainer()
      try container.encode(value)
    }
  }
}

/// A text, and what is to stand in it.
func fuzzSplice(_ input: [UInt8]) {
  let parts = input.parts(2)
  guard let document = try? JSONDocument(parsing: parts[0]) else { return }
  checkReparsing(parts[1], after: document)
  guard let wanted = try? JSONValue(parsing: parts[1]) else { return }
  let changed = document.replacingValue(with: wanted)
  checkReparsing(changed.bytes, after: document)
  require((try? JSONValue(parsing: changed.bytes))?.isIdentical(to: wanted) == true, "a splice says what was asked for")
  checkIncrements([document, changed, document, JSONDocument(formatting: wanted)])
  let back = changed.replacingValue(with: document.value)
  require((try? JSONValue(parsing: back.bytes))?.isIdentical(to: document.value) == true, "a splice can be taken back")
}

/// A text is what it is, whatever it is parsed after: also one that is mostly the same.
private func checkReparsing(_ text: [UInt8], after document: JSONDocument) {
  let middle = document.bytes.count / 2
  for text in [text, document.bytes[..<middle] + text + document.bytes[middle...], text + document.bytes] {
    let whole = Result { () throws(JSONParseError) in try JSONDocument(parsing: text) }
    let after = Result { () throws(JSONParseError) in try JSONSuccessor(parsing: text, after: document) }
    switch (whole, after) {
    case (.success(let whole), .success(let successor)):
      let after = successor.document
      require(successor.hasSameValue == (whole.value == document.value), "what differs is where it is looked for")
      require(whole.tape.entries == after.tape.entries, "a text has one tape")
      require(after.hasSameValue(as: document) == (whole.value == document.value), "texts are compared as values are")
      let patch = JSONPatch(from: document, to: after)
      require((try? document.value.applying(patch)) == whole.value, "the difference of texts is that of their values")
    case (.failure(let whole), .failure(let after)): require(whole == after, "a text has one error")
    default: require(false, "a text is valid or not")
    }
  }
}

/// A document, and a patch or a merge patch.
func fuzzPatch(_ input: [UInt8]) {
  let parts = input.parts(2)
  guard let old = try? JSONValue(parsing: parts[0]), let change = try? JSONValue(parsing: parts[1]) else { return }

  var merged = old
  merged.applyMergePatch(change)
  checkDifference(old, merged)

  guard let patch = try? JSONPatch(change) else { return }
  require((try? JSONPatch(patch.value)) == patch, "a patch is read as it was written")
  var undoable = old
  guard let new = try? old.applying(patch) else {
    require((try? undoable.applyUndoably(patch)) == nil, "both ways to apply agree on failure")
    require(undoable == old, "a patch that fails changes nothing")
    return
  }
  checkDifference(old, new)
  guard let undo = try? undoable.applyUndoably(patch) else { fatalError("both ways to apply agree on success") }
  require(undoable == new, "both ways to apply agree on the result")
  require((try? undoable.applying(undo)) == old, "what was done can be undone")
  require((try? JSONValue(parsing: new.bytes()))?.isIdentical(to: new) == true, "what a patch makes can be written")
}

private func checkDifference(_ old: JSONValue, _ new: JSONValue) {
  let difference = JSONPatch(from: old, to: new)
  require((try? old.applying(difference)) == new, "the difference, applied, gives the new value")
  if let patch = old.mergePatch(to: new) {
    var result = old
    result.applyMergePatch(patch)
    require(result == new, "the merge patch, applied, gives the new value")
  }
}

/// A base and two sides.
func fuzzMerge(_ input: [UInt8]) {
  let parts = input.parts(3)
  guard let base = try? JSONValue(parsing: parts[0]), let left = try? JSONValue(parsing: parts[1]),
    let right = try? JSONValue(parsing: parts[2])
  else { return }
  let merge = JSONMerge(base: base, left: left, right: right, newer: .right)
  let mirrored = JSONMerge(base: base, left: right, right: left, newer: .left)
  require(merge.value.isIdentical(to: mirrored.value), "a merge is symmetric")
  require(merge.conflicts.count == mirrored.conflicts.count, "so are its conflicts")
  require((try? JSONValue(parsing: merge.value.bytes())) == merge.value, "what a merge makes can be written")
  require(JSONMerge(base: base, left: base, right: right, newer: .left).value == right, "one side alone is taken")
  require(JSONMerge(base: base, left: left, right: left, newer: .left).value == left, "both alike are taken")
}

/// Two literals, and a pointer.
func fuzzNumber(_ input: [UInt8]) {
  let parts = input.parts(3).map { String(decoding: $0, as: UTF8.self) }
  if let pointer = try? JSONPointer(parsing: parts[2]) {
    require((try? JSONPointer(parsing: "\(pointer)")) == pointer, "a pointer is read as it was written")
  }
  guard let left = JSONNumber(parts[0]), let right = JSONNumber(parts[1]) else { return }
  require((left == right) == (left.canonicalLiteral == right.canonicalLiteral), "equal means one canonical literal")
  require(left != right || left.hashValue == right.hashValue, "equal means one hash")
  require(!(left < right) || left != right && !(right < left), "the order is strict")
  let sum = try? left.adding(right)
  require(sum == (try? right.adding(left)), "a sum has no order")
  if let sum { require(JSONNumber(sum.literal) == sum, "a sum is a number") }
}
