import StateJSON
import StoreCore

/// What a watch tells of: a state, its version, and where it came from.
package struct WatchedState: Sendable {
  package var value: JSONValue
  /// `nil` while the state includes what has no version yet.
  package var version: String?
  package var cause: Cause

  package init(value: JSONValue, version: String?, cause: Cause) {
    self.value = value
    self.version = version
    self.cause = cause
  }
}

/// How a watch tells a state: whole, or as the patch from the one told before.
package enum StateFormat: String, CaseIterable, Sendable { case json, patch }
