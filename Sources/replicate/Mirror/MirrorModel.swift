import HotReload

/// How the command mirrors a whole document.
protocol MirrorModel: ReplicaModel {
  init()
  /// What a file counts as that is missing or empty.
  static var empty: State { get }
}
