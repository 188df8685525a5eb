/// A problem of several devices with each other, which no device can mend by itself.
package enum ShareError: Error, Sendable, Hashable {
  /// An app's reducer comes to different values from the same actions on this device and another one.
  case impureReducer(app: AppVersion, other: Writer)
}

extension ShareError: CustomStringConvertible {
  /// The problem and what to do next, ready to follow `replicate: `.
  package var description: String {
    switch self {
    case .impureReducer(let app, let other):
      "the reducer of \(app.name) \(app.version) is not pure: here and on \(other.device) the same actions came to "
        + "different states; it must depend on nothing but the state and the action"
    }
  }
}
