import StateJSON

/// What a recording begins with, and then repeats now and then: the whole state, so that what stands before it can be
/// cut off.
public struct RecordingHeader: Sendable {
  /// The version of the format that this library writes, and the newest that it reads.
  public static let format = 1

  /// Where the state comes from.
  public enum Contents: Sendable {
    /// The state of a store.
    case state(JSONValue)
    /// The text of a file, byte for byte.
    case text(String)
  }

  /// The program, or the file, that was recorded.
  public var program: String?
  /// The version of the states and actions, as the program counts them.
  public var schema: Int
  /// When the recording began, in milliseconds since 1970.
  public var began: Int64
  /// How many steps led to the state.
  public var step: Int
  /// When it was so, since the beginning.
  public var at: Duration
  /// The state.
  public var contents: Contents
}

extension RecordingHeader {
  /// Whether the first bytes of a file are those of a recording that this library can read.
  static func isKnown(_ bytes: [UInt8]) -> Bool {
    let start = Array(#"{"recording":"#.utf8)
    guard bytes.starts(with: start) else { return false }
    let digits = bytes.dropFirst(start.count).prefix { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) }
    return (1...format).contains(Int(String(decoding: digits, as: UTF8.self)) ?? 0)
  }

  /// As a line of a recording.
  var value: JSONValue {
    var object = JSONObject(present: [
      "recording": JSONValue(Self.format), "program": program.map(JSONValue.string), "schema": JSONValue(schema),
      "began": JSONValue(began), "step": JSONValue(step), "at": .seconds(at),
    ])
    switch contents {
    case .state(let state): object["state"] = state
    case .text(let text): object["text"] = .string(text)
    }
    return .object(object)
  }
}
