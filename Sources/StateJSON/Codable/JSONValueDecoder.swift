/// Turns JSON texts and values into `Decodable` values.
///
/// Numbers are read by their exact decimal value: `1.0` and `1e2` are integers, `1.5` is not, and integers of every size
/// up to 128 bits are exact. `URL`, `Date`, `Data` and `Decimal` are read from the form that Foundation's `JSONEncoder`
/// gives them by default. Errors name the place, what was expected there and what was found; ``JSONDecodingError`` puts
/// them into a sentence.
///
///     struct Episode: Decodable { var id: Int; var title: String? }
///     let episode = try JSONValueDecoder().decode(Episode.self, from: ["id": 1, "title": "Fog"])
public struct JSONValueDecoder: Sendable {
  /// What `init(from:)` finds as its decoder's `userInfo`.
  public var userInfo: [CodingUserInfoKey: any Sendable]

  /// Makes a decoder that hands types what they find as their decoder's `userInfo`.
  public init(userInfo: [CodingUserInfoKey: any Sendable] = [:]) {
    self.userInfo = userInfo
  }

  /// A value of a type, from its JSON form.
  ///
  /// - Throws: `DecodingError`, or what an `init(from:)` throws.
  public func decode<T: Decodable>(_ type: T.Type, from value: JSONValue) throws -> T {
    try decode(type, from: JSONDocument(compact: value))
  }

  /// A value of a type, from a text; the value that the text stands for isn't made for this.
  ///
  /// - Throws: `DecodingError`, or what an `init(from:)` throws.
  public func decode<T: Decodable>(_ type: T.Type, from document: JSONDocument) throws -> T {
    try DecodingText.decode(type, from: document, options: self)
  }
}
