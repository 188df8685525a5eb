import HotReload
import StateJSON
import StoreCore

/// Records what becomes of a file, version by version and byte by byte, as a ``Recorder`` does of a store.
package struct DocumentRecorder: ~Copyable {
  private let program: String
  private let path: String
  /// What the recording goes into, until there is a first version to begin with.
  private var file: RecordingFile?
  private var writer: RecordingWriter?

  /// Prepares a recording; one that is there already becomes the archive.
  ///
  /// - Parameters:
  ///   - path: Where it is written.
  ///   - program: What is recorded.
  /// - Throws: Where it can't be written there.
  package init(_ path: String, program: String) throws(RecordingFailure) {
    self.path = path
    self.program = program
    file = try .begin(path, limits: RecordingLimits())
  }

  /// Writes down what the file holds from now on.
  package mutating func note(_ document: JSONDocument, cause: Cause) throws(RecordingFailure) {
    do {
      if let file = file.take() {
        let start = ContinuousClock.now
        writer = try RecordingWriter(
          file, program: program, schema: 0, began: WallClock.now(), clock: { ContinuousClock.now - start },
          beginning: .text(document))
      } else {
        try writer?.note(cause: cause) { (.text(document), nil) }
      }
    } catch let error as SystemError {
      throw RecordingFailure(file: path, reason: error.reason)
    } catch {
      throw RecordingFailure(file: path, reason: "\(error)")
    }
  }

  /// Writes down that the recording ends in good order.
  package mutating func end() throws(RecordingFailure) {
    do throws(SystemError) {
      try writer?.end()
    } catch {
      throw RecordingFailure(file: path, reason: error.reason)
    }
  }
}
