import StateJSON

/// The contents of a line that says what somebody saved in a file that lies in the shared folder, as its writer explains it.
///
/// Others may explain the same save by a version that is nearer to it: of several the one counts that costs least. A save that turns out
/// to be what some instance wrote counts for nothing.
package struct JournalSave: Sendable {
  /// What it was made from.
  package enum Base: Sendable {
    /// What some lines, and all that their writers had read, come to; what nothing comes to, if there are none.
    case lines([LineID])
    /// What another save held.
    case save(LineID)
  }

  /// What stood in the file.
  package let version: FileVersion
  /// When the file was written, or later, in microseconds since 1970: what keeps the folder in sync may have set the time of what it
  /// brought. Others tell by it what was saved before and after this one, as far as clocks can be trusted, and nothing else.
  package let modified: Int?
  /// How far the base is, by how much it is that the change says.
  package let cost: Int
  /// What it was made from.
  package let base: Base
  /// When it was found, by the clock of the device, and what it changed; with a label, if it says of a commit what is to be said.
  package let entry: JournalEntry
  /// How the contents of the save are found from what the base's lines come to, where its writer made the change from something that only
  /// it has; otherwise the change does that.
  package let contents: SparseChange?

  /// Whether somebody brought back on purpose what had stood in the file before.
  var isOnPurpose: Bool { cost == 0 }

  init(_ fields: LineFields) throws(JournalLineError) {
    base = fields.object["of"] == nil ? .lines(try fields.lineIDs("on")) : .save(try fields.lineID("of"))
    version = try fields.required("version", FileVersion.expected) { FileVersion($0) }
    modified = try fields.optionalInteger("modified", in: -JournalLimits.time...JournalLimits.time)
    cost = try fields.integer("cost", in: 0...JournalLimits.cost)
    entry = JournalEntry(
      time: try fields.integer("time"), upto: try fields.optionalLabel("upto"), change: try fields.change())
    contents = try fields.change(at: "content")
  }
}

/// The contents of a line that says which versions instances of its writer's device wrote.
package struct JournalWrites: Sendable {
  /// Which versions these are, in the order in which they were written.
  package let versions: [FileVersion]
  /// How the contents of the last one are found from what the line's past comes to, where they are something else: then something had
  /// been found in the file, or beside it, that was yet to be brought into it.
  package let contents: SparseChange?
  /// What had been found, and is in them, although the writer had read no line that says so.
  let finds: [FileVersion]

  init(_ fields: LineFields) throws(JournalLineError) {
    versions = try fields.versions("versions")
    contents = try fields.change(at: "content")
    finds = try fields.versions("found")
  }
}
