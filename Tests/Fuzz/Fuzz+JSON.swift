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
}

/// A text, and what is to stand in it.
func fuzzSplice(_ input: [UInt8]) {
  let parts = input.parts(2)
  guard let document = try? JSONDocument(parsing: parts[0]), let wanted = try? JSONValue(parsing: parts[1]) else {
    return
  }
  let changed = document.replacingValue(with: wanted)
  require((try? JSONValue(parsing: changed.bytes))?.isIdentical(to: wanted) == true, "a splice says what was asked for")
  let back = changed.replacingValue(with: document.value)
  require((try? JSONValue(parsing: back.bytes))?.isIdentical(to: document.value) == true, "a splice can be taken back")
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
