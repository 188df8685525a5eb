/// How much of what was committed survives a power cut. A crash of the program loses nothing either way.
public struct Durability: Sendable, Hashable {
  enum Kind: Sendable { case process, power }

  let kind: Kind

  /// What is committed survives the end of every process at once, and a power cut after about a second. The default.
  public static let process = Durability(kind: .process)
  /// What is committed survives a power cut at once; each commit waits for the disk.
  public static let power = Durability(kind: .power)
}
