import Synchronization

/// What the text of a document says: made once it is asked for, and shared by all copies of the document.
final class DocumentContents: Sendable {
  private struct Made {
    var tape: JSONTape?
    var value: JSONValue?
  }

  private let bytes: [UInt8]
  private let made: Mutex<Made>

  /// The contents of a text that has been parsed to `tape`, or that a writer has made of `value`, or both.
  init(_ bytes: [UInt8], tape: JSONTape? = nil, value: JSONValue? = nil) {
    self.bytes = bytes
    made = Mutex(Made(tape: tape, value: value))
  }

  /// Where the values stand. The first who asks may have to wait for it, and others for them.
  var tape: JSONTape { made.withLock { tape(&$0) } }

  /// What the text says, in the same way.
  var value: JSONValue { makeValueOnce { $0.value(at: 0) } }

  /// The same; if it wasn't made yet, it shares what it can with that of another text, which is most likely the same in most places.
  func value(sharing other: DocumentContents) -> JSONValue {
    if self === other { return value }
    let (otherTape, otherValue) = (other.tape, other.value)
    return makeValueOnce { text in
      otherTape.with(other.bytes) { text.value(at: 0, sharing: PlacedValue(text: $0, entry: 0, value: otherValue)) }
    }
  }

  private func makeValueOnce(_ make: (TapedText) -> JSONValue) -> JSONValue {
    made.withLock { made in
      if let value = made.value { return value }
      let value = tape(&made).with(bytes, make)
      made.value = value
      return value
    }
  }

  /// What the text says, where that need not be found out, while where it says that would have to be.
  var cheapValue: JSONValue? { made.withLock { $0.tape == nil ? $0.value : nil } }

  /// Makes the tape of a text that has most likely become of an older one, for who will ask for it.
  func makeTape(after older: DocumentContents) {
    // Outside of the lock: two may be made after each other.
    if self === older || made.withLock({ $0.tape != nil }) { return }
    let limits = JSONLimits(depth: .max, size: .max)
    guard let tape = older.tape.reparsed(from: older.bytes, to: bytes, limits: limits)?.tape else { return }
    made.withLock { $0.tape = tape }
  }

  private func tape(_ made: inout Made) -> JSONTape {
    if let tape = made.tape { return tape }
    let tape = JSONParser.parse(written: bytes)
    made.tape = tape
    return tape
  }
}
