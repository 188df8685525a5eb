import StateJSON
import StoreCore

extension Cause {
  /// As a client is told it, `{"kind":"instance","instance":"…"}`.
  package var value: JSONValue {
    .object(JSONObject(present: ["kind": .string(kind.rawValue), "instance": instance.map(JSONValue.string)]))
  }
}
