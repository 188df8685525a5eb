import StateJSON

/// The members of a line's body, each read as what it must be. What is wrong is said with its place.
struct LineFields {
  let object: JSONObject

  init(_ body: JSONValue) throws(JSONDecodingError) {
    guard case .object(let object) = body else { throw Self.unexpected(body, "an object") }
    self.object = object
  }

  /// The value of a member, read; `nil` if it is missing.
  func optional<Value>(
    _ key: String, _ expected: String, _ read: (JSONValue) -> Value?
  ) throws(JSONDecodingError) -> Value? {
    guard let value = object[key] else { return nil }
    guard let result = read(value) else { throw Self.unexpected(value, expected, at: key) }
    return result
  }

  /// The value of a member that must be there, read.
  func required<Value>(
    _ key: String, _ expected: String, _ read: (JSONValue) -> Value?
  ) throws(JSONDecodingError) -> Value {
    guard let result = try optional(key, expected, read) else { throw Self.unexpected(nil, expected, at: key) }
    return result
  }

  func optionalInteger(_ key: String) throws(JSONDecodingError) -> Int? {
    try optional(key, "an integer of 64 bits") { $0.asInteger }
  }

  func integer(_ key: String) throws(JSONDecodingError) -> Int {
    try required(key, "an integer of 64 bits") { $0.asInteger }
  }

  /// An integer within bounds, if the member is there.
  func optionalInteger(_ key: String, in range: ClosedRange<Int>) throws(JSONDecodingError) -> Int? {
    try optional(key, "an integer from \(range.lowerBound) to \(range.upperBound)") { value in
      value.asInteger.flatMap { range.contains($0) ? $0 : nil }
    }
  }

  /// An integer within bounds.
  func integer(_ key: String, in range: ClosedRange<Int>) throws(JSONDecodingError) -> Int {
    guard let number = try optionalInteger(key, in: range) else { return try integer(key) }
    return number
  }

  func string(_ key: String) throws(JSONDecodingError) -> String {
    try required(key, "a string") { $0.asString }
  }

  /// A string of at most ``JournalLimits/labelLength`` bytes.
  func label(_ key: String) throws(JSONDecodingError) -> String {
    try required(key, "a string of at most \(JournalLimits.labelLength) bytes") { $0.asLabel }
  }

  /// Such a string; `nil` if the member is missing.
  func optionalLabel(_ key: String) throws(JSONDecodingError) -> String? {
    try optional(key, "a string of at most \(JournalLimits.labelLength) bytes") { $0.asLabel }
  }

  /// A text as ``Writer/isName(_:)`` has it.
  func name(_ key: String) throws(JSONDecodingError) -> String {
    try required(key, "a name of at most \(JournalLimits.nameLength) letters, digits, '-' and '_'") {
      $0.asString.flatMap { Writer.isName($0) ? $0 : nil }
    }
  }

  func lineID(_ key: String) throws(JSONDecodingError) -> LineID {
    try required(key, "the name of a line") { $0.asLineID }
  }

  /// The name of the line before, or the empty string for none.
  func previous(_ key: String) throws(JSONDecodingError) -> LineID? {
    try required(key, "the name of a line or \"\"") { value -> LineID?? in
      if case .string("") = value { return .some(nil) }
      return value.asLineID.map { .some($0) }
    }
  }

  /// Names of lines, none if the member is missing.
  func lineIDs(_ key: String) throws(JSONDecodingError) -> [LineID] {
    guard let value = object[key] else { return [] }
    guard case .array(let elements) = value else { throw Self.unexpected(value, "a list of names of lines", at: key) }
    guard elements.count <= JournalLimits.readCount else {
      throw Self.tooMany(key, limit: JournalLimits.readCount)
    }
    var ids: [LineID] = []
    for (place, element) in elements.enumerated() {
      guard let id = element.asLineID else { throw Self.unexpected(element, "the name of a line", at: key, "\(place)") }
      ids.append(id)
    }
    return ids
  }

  func optionalApp() throws(JSONDecodingError) -> AppVersion? {
    try optional("app", "a version and the name of an app") { AppVersion($0) }
  }

  func change(at key: String = "change") throws(JSONDecodingError) -> SparseChange? {
    guard let value = object[key] else { return nil }
    do {
      return try SparseChange(value)
    } catch {
      throw JSONDecodingError(
        code: error.code, pointer: JSONPointer([key] + error.pointer.tokens), message: error.message)
    }
  }

  /// Versions of a file, none if the member is missing.
  func versions(_ key: String) throws(JSONDecodingError) -> [FileVersion] {
    guard let value = object[key] else { return [] }
    guard case .array(let elements) = value else { throw Self.unexpected(value, "a list of versions", at: key) }
    guard elements.count <= JournalLimits.readCount else { throw Self.tooMany(key, limit: JournalLimits.readCount) }
    var versions: [FileVersion] = []
    for (place, element) in elements.enumerated() {
      guard let version = FileVersion(element) else {
        throw Self.unexpected(element, "the hash and the time of a version", at: key, "\(place)")
      }
      versions.append(version)
    }
    return versions
  }

  static func unexpected(_ value: JSONValue?, _ expected: String, at path: String...) -> JSONDecodingError {
    JSONDecodingError(
      code: value == nil ? .missing : .invalid, pointer: JSONPointer(path),
      message: "expected \(expected), found \(value?.foundDescription ?? "nothing")")
  }

  static func tooMany(_ key: String, limit: Int) -> JSONDecodingError {
    JSONDecodingError(code: .invalid, pointer: JSONPointer([key]), message: "there are more than \(limit)")
  }
}

extension JSONValue {
  fileprivate var asInteger: Int? { if case .number(let number) = self { number.exactly(Int.self) } else { nil } }
  fileprivate var asString: String? { if case .string(let string) = self { string } else { nil } }
  fileprivate var asLineID: LineID? { asString.flatMap { LineID($0) } }
  fileprivate var asLabel: String? { asString.flatMap { $0.utf8.count <= JournalLimits.labelLength ? $0 : nil } }
}
