import StateJSON

/// Where an inspector's versions come from: the log of the file, or a recording.
protocol VersionSource {
  /// The versions, the newest first.
  func moments() throws -> [TimelinePane.Moment]
  /// What the file held in a version, and in the one before it; `nil` if the version isn't kept any more.
  func documents(of moment: TimelinePane.Moment) throws -> (new: JSONDocument, old: JSONDocument)?
}
