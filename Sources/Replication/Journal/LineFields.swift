import StateJSON

/// The members of a line's body, each read as what it must be. What is wrong is said with its place.
struct LineFields {
  let object: JSONObject

  /// Reads a body.
  init(of body: [UInt8]) throws(JournalLineError) {
    let value: JSONValue
    do {
      value = try JSONValue(
        parsing: body, limits: JSONLimits(depth: JournalLimits.depth, size: JournalLimits.lineLength))
    } catch {
      throw .body("column \(error.column) of its JSON: \(error.message)")
    }
    guard case .object(let object) = value else { throw Self.unexpected(value, "an object") }
    self.object = object
  }

  /// The value of a member, read; `nil` if it is missing.
  func optional<Value>(
    _ key: String, _ expected: String, _ read: (JSONValue) -> Value?
  ) throws(JournalLineError) -> Value? {
    guard let value = object[key] else { return nil }
    guard let result = read(value) else { throw Self.unexpected(value, expected, at: [key]) }
    return result
  }

  /// The value of a member that must be there, read.
  func required<Value>(
    _ key: String, _ expected: String, _ read: (JSONValue) -> Value?
  ) throws(JournalLineError) -> Value {
    guard let result = try optional(key, expected, read) else { throw Self.unexpected(nil, expected, at: [key]) }
    return result
  }

  func optionalInteger(_ key: String) throws(JournalLineError) -> Int? {
    try optional(key, "an integer of 64 bits") { $0.asInteger }
  }

  func integer(_ key: String) throws(JournalLineError) -> Int {
    try required(key, "an integer of 64 bits") { $0.asInteger }
  }

  /// An integer within bounds, if the member is there.
  func optionalInteger(_ key: String, in range: ClosedRange<Int>) throws(JournalLineError) -> Int? {
    try optional(key, "an integer from \(range.lowerBound) to \(range.upperBound)") { value in
      value.asInteger.flatMap { range.contains($0) ? $0 : nil }
    }
  }

  /// An integer within bounds.
  func integer(_ key: String, in range: ClosedRange<Int>) throws(JournalLineError) -> Int {
    guard let number = try optionalInteger(key, in: range) else { return try integer(key) }
    return number
  }

  func string(_ key: String) throws(JournalLineError) -> String {
    try required(key, "a string") { $0.asString }
  }

  /// A string of at most ``JournalLimits/labelLength`` bytes.
  func label(_ key: String) throws(JournalLineError) -> String {
    try required(key, "a string of at most \(JournalLimits.labelLength) bytes") { $0.asLabel }
  }

  /// Such a string; `nil` if the member is missing.
  func optionalLabel(_ key: String) throws(JournalLineError) -> String? {
    try optional(key, "a string of at most \(JournalLimits.labelLength) bytes") { $0.asLabel }
  }

  /// A text as ``Writer/isName(_:)`` has it.
  func name(_ key: String) throws(JournalLineError) -> String {
    try required(key, "a name of at most \(JournalLimits.nameLength) letters, digits, '-' and '_'") {
      $0.asString.flatMap { Writer.isName($0) ? $0 : nil }
    }
  }

  func lineID(_ key: String) throws(JournalLineError) -> LineID {
    try required(key, "the name of a line") { $0.asLineID }
  }

  /// The name of the line before, or the empty string for none.
  func previous(_ key: String) throws(JournalLineError) -> LineID? {
    try required(key, "the name of a line or \"\"") { value -> LineID?? in
      if case .string("") = value { return .some(nil) }
      return value.asLineID.map { .some($0) }
    }
  }

  /// Names of lines, none if the member is missing.
  func lineIDs(_ key: String) throws(JournalLineError) -> [LineID] {
    try list(key, of: "names of lines", each: "the name of a line") { $0.asLineID }
  }

  /// Versions of a file, none if the member is missing.
  func versions(_ key: String) throws(JournalLineError) -> [FileVersion] {
    try list(key, of: "versions", each: FileVersion.expected) { FileVersion($0) }
  }

  /// The elements of a list, each read; none if the member is missing.
  private func list<Element>(
    _ key: String, of names: String, each expected: String, _ read: (JSONValue) -> Element?
  ) throws(JournalLineError) -> [Element] {
    guard let value = object[key] else { return [] }
    guard case .array(let values) = value else { throw Self.unexpected(value, "a list of \(names)", at: [key]) }
    guard values.count <= JournalLimits.readCount else { throw Self.tooMany(key, limit: JournalLimits.readCount) }
    var elements: [Element] = []
    for (place, value) in values.enumerated() {
      guard let element = read(value) else { throw Self.unexpected(value, expected, at: [key, "\(place)"]) }
      elements.append(element)
    }
    return elements
  }

  func change(at key: String = "change") throws(JournalLineError) -> SparseChange? {
    guard let value = object[key] else { return nil }
    do { return try SparseChange(value) } catch { throw JournalLineError(error.inside(key)) }
  }

  static func unexpected(_ value: JSONValue?, _ expected: String, at path: [String] = []) -> JournalLineError {
    JournalLineError(.unexpected(value, expected: expected, at: path))
  }

  static func tooMany(_ key: String, limit: Int) -> JournalLineError {
    .body("at /\(key): there are more than \(limit)")
  }
}

extension JSONValue {
  fileprivate var asInteger: Int? { if case .number(let number) = self { number.exactly(Int.self) } else { nil } }
  fileprivate var asString: String? { if case .string(let string) = self { string } else { nil } }
  fileprivate var asLineID: LineID? { asString.flatMap { LineID($0) } }
  fileprivate var asLabel: String? { asString.flatMap { $0.utf8.count <= JournalLimits.labelLength ? $0 : nil } }
}
