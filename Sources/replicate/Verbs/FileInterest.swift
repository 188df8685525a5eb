/// What somebody wants of a file beside its newest state.
struct FileInterest: OptionSet, Sendable {
  let rawValue: Int

  /// To hear of each change, and not only of the newest.
  static let eachChange = FileInterest(rawValue: 1)
  /// To change the file: it is made again when it was deleted.
  static let writing = FileInterest(rawValue: 2)
  /// To go on when nobody reads standard output any more.
  static let silence = FileInterest(rawValue: 4)
}
