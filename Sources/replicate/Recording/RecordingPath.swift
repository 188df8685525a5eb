import HotReload

/// Where a recording is made, or played from.
enum RecordingPath {
  /// Refuses a recording that is the recorded file itself.
  static func refuse(_ path: String, as file: String) throws(Failure) {
    // One that isn't there is no other's name, and whatever else is wrong with either is told when it is opened.
    guard let recording = try? FileStatus(of: path), let other = try? FileStatus(of: file) else { return }
    guard recording.identity == other.identity else { return }
    throw .usage("'\(path)' is '\(file)' itself; give the recording a file of its own")
  }
}
