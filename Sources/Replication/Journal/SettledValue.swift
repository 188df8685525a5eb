import StateJSON

/// The contents of a line that says what an app makes of all that its writer had read.
package struct SettledValue: Sendable {
  /// The app that reduced the actions.
  package let app: AppVersion
  /// The value that they come to.
  package let value: JSONValue

  init(_ fields: LineFields) throws(JournalLineError) {
    app = try fields.required("app", AppVersion.expected) { AppVersion($0) }
    value = try fields.required("value", "a value") { $0 }
  }
}
