import Replication
import StateJSON

/// The actions that a version consists of, as they are encoded, where the file is shared with other devices.
///
/// They follow the version in its log, as a record of kind `actions` whose BEFORE is the version that they were done to; BODY is
/// like `{"actions":[["increment","/n",1]]}`, with the version and the name of an app, `"app":[3,"player"]`, if they are its. To
/// programs that share nothing that is a remark.
package struct RecordedActions: Sendable, Equatable {
  /// The app; `nil` for actions that every device knows.
  package let app: AppVersion?
  /// One after another.
  package let actions: [JSONValue]

  package init(app: AppVersion? = nil, actions: [JSONValue]) { (self.app, self.actions) = (app, actions) }

  private static let kind = "actions"

  /// The record that says them, its line feed included.
  func line(of version: Version, before: ContentHash?) -> [UInt8] {
    var body = JSONObject()
    body["actions"] = .array(actions)
    body["app"] = app?.value
    return VersionRecord(kind: .read, version: version, before: before, body: .object(body)).line(ofKind: Self.kind)
  }

  /// What a record says, if it is one and follows a version that was made of another one.
  init?(_ line: Range<Int>, of version: ContentHash, before: ContentHash?, in text: UnsafeRawBufferPointer) {
    var fields = VersionRecord.Fields(text[line])
    guard fields.areWhole(), fields.next().map({ $0.elementsEqual(Self.kind.utf8) }) == true,
      fields.next().flatMap(ContentHash.init(digits:)) == version, let old = fields.next(),
      ContentHash(digits: old) == before, fields.next() != nil, fields.next() != nil, fields.next() != nil,
      // The check says that it is what was written.
      case .object(let body) = try? JSONValue(parsing: Array(fields.rest)), case .array(let actions) = body["actions"]
    else { return nil }
    self.init(app: body["app"].flatMap { AppVersion($0) }, actions: actions)
  }
}
