import Replication
import StateJSON

/// How a store takes part where its file is shared with other devices.
///
///     let mirror = HotReload<App, AppAction>(
///       file: "app.json", sharing: Sharing(through: "/home/me/Sync/app", version: 3))
///
/// A file that `replicate share` shares needs none: each store that mirrors it takes part. Where its actions are `Codable`, other
/// devices that run the app reduce them, in one order: so its state is as if all had been reduced one after another. Actions
/// of other types are told by what they changed, and by what they added at the places that ``sums`` names.
public struct Sharing: Sendable, Hashable {
  /// The folder that something else keeps in sync; `nil` to share only what `replicate share` has shared.
  public let folder: String?
  /// What this device is to be called, if it is not shared yet; `nil` for the name of the machine.
  public let device: String?
  /// The name of the app, the same on all devices; `nil` for that of the program.
  public let app: String?
  /// Counts up with each release whose reducer, or actions, are others: the newest that is about says what actions come to.
  public let version: Int
  /// The places in the document with numbers that add up, such as `/visits`, where actions can't be encoded.
  public let sums: Set<JSONPointer>

  /// Makes it of its parts.
  ///
  /// - Parameters:
  ///   - folder: The path of a folder that something else keeps in sync, such as `/home/me/Sync/app`. The file, which must not
  ///     lie in it, is shared through it from then on, by all programs of this user. A folder that can't be used is a
  ///     problem with the code ``Problem/Code/cannotShare``, and the store goes on alone until it can be.
  ///   - device: The name of this device: up to 32 letters, digits, `-` and `_`.
  ///   - app: The name of the app.
  ///   - version: Which release of its reducer it is.
  ///   - sums: The places of numbers that add up: what several devices have added at once, by actions that can't be encoded, is
  ///     all added. Elsewhere the change counts that comes later. They lead through objects.
  public init(
    through folder: String? = nil, as device: String? = nil, app: String? = nil, version: Int = 0,
    sums: Set<JSONPointer> = []
  ) {
    (self.folder, self.device, self.app, self.version, self.sums) = (folder, device, app, version, sums)
  }
}

extension Sharing {
  var appVersion: AppVersion { AppVersion(version: version, name: app ?? ThisProcess.name) }
}
