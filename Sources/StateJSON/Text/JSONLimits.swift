/// Bounds on what a parser accepts, so that hostile input gives an error, never a crash.
public struct JSONLimits: Sendable, Hashable {
  /// How many arrays and objects may be nested in one another; more than ``maximumDepth`` counts as that.
  public var depth: Int
  /// How many bytes the text may have; more than 2 GiB less one counts as that.
  public var size: Int

  /// 512 levels and 1 GiB.
  public static let `default` = JSONLimits(depth: 512, size: 1 << 30)

  /// What a thread's stack bears, whatever ``depth`` says: values are parsed, compared and written recursively.
  public static let maximumDepth = 1_024

  /// Makes limits of their parts.
  public init(depth: Int, size: Int) {
    self.depth = depth
    self.size = size
  }
}
