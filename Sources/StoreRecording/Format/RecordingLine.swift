import StateJSON
import StoreCore

/// A line of a recording.
enum RecordingLine: Sendable {
  case header(RecordingHeader)
  case step(RecordingStep)
  /// An action is about to be reduced: should no step follow, the program died of it.
  case dispatched(RecordedDispatch)
  /// The recording ended in good order.
  case end(at: Duration)

  var value: JSONValue {
    switch self {
    case .header(let header): header.value
    case .step(let step): step.value
    case .dispatched(let dispatch):
      ["at": .seconds(dispatch.at), "type": .string(dispatch.type), "dispatched": dispatch.action]
    case .end(let at): ["at": .seconds(at), "end": true]
    }
  }

  /// The line, its line feed included.
  var bytes: [UInt8] { value.bytes(format: .compact) + [UInt8(ascii: "\n")] }
}

/// An action that was dispatched, and what it is called in the program.
public struct RecordedDispatch: Sendable {
  /// When it was dispatched, since the recording began.
  public var at: Duration
  /// The action's type: `Episodes.AppAction`.
  public var type: String
  /// The action.
  public var action: JSONValue
}
