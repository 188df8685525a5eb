import StateJSON

/// The contents of a line that says what an app makes of all that its writer had read.
package struct SettledValue: Sendable {
  /// The app that reduced the actions.
  package let app: AppVersion
  /// The value that they come to.
  package let value: JSONValue

  init(_ fields: LineFields) throws(JSONDecodingError) {
    guard let app = try fields.optionalApp() else {
      throw LineFields.unexpected(nil, "a version and the name of an app", at: "app")
    }
    self.app = app
    value = try fields.required("value", "a value") { $0 }
  }
}
