import StateJSON

/// An app, as far as a fold has to do with it: what its actions make of a document.
package protocol ActionReducer: Sendable {
  /// Which app it is. It reduces actions of its own version and of earlier ones.
  var version: AppVersion { get }

  /// The document that actions make of one, one after another; `nil` is a document that isn't there. The same whenever it is
  /// asked.
  ///
  /// - Throws: If it doesn't know one of them. Then none of them counts, but what they changed where they were done.
  func reducing(_ document: JSONValue?, by actions: [JSONValue]) throws -> JSONValue?
}
