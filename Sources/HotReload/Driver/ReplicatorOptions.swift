import Replication

package struct ReplicatorOptions: Sendable {
  package var replica: ReplicaOptions
  package var durability: Durability
  /// Whether changes of the file are looked for at all; a command that writes once and ends has no need.
  package var watches: Bool
  /// Where recent versions and redo records are kept.
  package var stateFolder: String
  /// The app, as other devices know it; `nil` for the command.
  package var app: AppVersion?
  /// How the program wants the file to be shared; `nil` for the command.
  package var sharing: Sharing?
  /// Whether the log of versions is to have what stands in the file before anything is drained, also if nobody could record it.
  var completesLog = false
  /// Up to so many bytes of the document the program's state is shared with the driver. Beyond that, actions are reduced
  /// again on a state of the driver's own, so that whoever dispatches never copies a large state.
  var sharedSize = 1 << 18

  package init(
    replica: ReplicaOptions, durability: Durability = .process, watches: Bool = true,
    stateFolder: String = StateFolder.path
  ) {
    self.replica = replica
    self.durability = durability
    self.watches = watches
    self.stateFolder = stateFolder
  }
}
