/// A deliberately broken form of what devices make of a file in the folder itself, which the simulation must catch.
public enum FileVariant: String, CaseIterable, Sendable {
  /// Nobody says what instances wrote, so that each echo stays a save.
  case writesUnsaid
  /// What was found is named among what instances wrote before it is told, so that it is void by its own consequence.
  case findsNamedFirst
  /// Bytes that stood there before are an echo, whenever they were written.
  case identityByHash
  /// A save may have been made from what an instance wrote after it had been found.
  case laterBase
  /// What the contents of a version are that aren't what the lines come to is said by nobody.
  case contentsUnsaid
  /// A copy is gone before what it says is kept.
  case copyGoneFirst
}
