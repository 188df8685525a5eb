import StateJSON
import StoreCore

/// One change of the state: what caused it, what it changed, and what the state was from then on.
public struct RecordingStep: Sendable {
  /// Its place in the recording, counted from 1.
  public var number: Int
  /// When it was, since the recording began.
  public var at: Duration
  /// Where it came from.
  public var cause: Cause
  /// The action that was reduced; nil where the state was changed from outside.
  public var action: JSONValue?
  /// What it changed in the state.
  public var patch: JSONPatch
  /// The text that a file had from then on, where that doesn't follow from the patch: somebody laid it out anew.
  public var text: String?
  /// The hash of the state from then on: see ``StateJSON/JSONValue/recordingHash``.
  public var hash: String
}

extension RecordingStep {
  /// As a line of a recording.
  var value: JSONValue {
    .object(
      JSONObject(present: [
        "step": JSONValue(number), "at": .seconds(at), "cause": .string(cause.kind.rawValue),
        "instance": cause.instance.map(JSONValue.string), "action": action, "patch": patch.value,
        "text": text.map(JSONValue.string), "hash": .string(hash),
      ]))
  }
}

extension JSONValue {
  /// What a recording says of a state: the first sixteen digits of the SHA-256 hash of its canonical form.
  public var recordingHash: String { String(canonicalHash.description.prefix(16)) }

  /// Seconds, with microseconds behind the point.
  package static func seconds(_ duration: Duration) -> JSONValue {
    let (seconds, attoseconds) = duration.components
    let micros = "\(attoseconds / 1_000_000_000_000)"
    let literal = "\(seconds).\(String(repeating: "0", count: 6 - micros.count))\(micros)"
    // Durations since the beginning aren't negative, and such a literal is always a number.
    return .number(JSONNumber(literal) ?? JSONNumber(seconds))
  }

  /// As ``seconds(_:)`` writes them, or with fewer digits; nil for anything else.
  var seconds: Duration? {
    guard case .number(let number) = self, case let seconds = number.doubleValue, (0..<1e9).contains(seconds) else {
      return nil
    }
    return .microseconds(Int64((seconds * 1e6).rounded()))
  }
}
