import Replication

/// How a store takes part where its file is shared with other devices.
///
///     let mirror = HotReload<App, AppAction>(
///       file: "app.json", sharing: Sharing(through: "/home/me/Sync/app", version: 3))
///
/// A file that `replicate share` shares needs none: each store that mirrors it takes part. Where its actions are `Codable`, other
/// devices that run the app reduce them, in one order: so its state is as if all had been reduced one after another. Actions
/// of other types are told by what they changed.
public struct Sharing: Sendable, Hashable {
  /// The folder that something else keeps in sync; `nil` to share only what `replicate share` has shared.
  public let folder: String?
  /// What this device is to be called, if it is not shared yet; `nil` for the name of the machine.
  public let device: String?
  /// The name of the app, the same on all devices; `nil` for that of the program.
  public let app: String?
  /// Counts up with each release whose reducer, or actions, are others: the newest that is about says what actions come to.
  public let version: Int

  /// Makes it of its parts.
  ///
  /// - Parameters:
  ///   - folder: The path of a folder that something else keeps in sync, such as `/home/me/Sync/app`. The file, which must not
  ///     lie in it, is shared through it from then on, by all programs of this user. A folder that can't be used is a
  ///     problem with the code ``Problem/Code/cannotShare``, and the store goes on alone.
  ///   - device: The name of this device: up to 32 letters, digits, `-` and `_`.
  ///   - app: The name of the app.
  ///   - version: Which release of its reducer it is.
  public init(through folder: String? = nil, as device: String? = nil, app: String? = nil, version: Int = 0) {
    (self.folder, self.device, self.app, self.version) = (folder, device, app, version)
  }
}

extension Sharing {
  var appVersion: AppVersion { AppVersion(version: version, name: app ?? ThisProcess.name) }
}
