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
  /// When it began, by both clocks.
  private let began: Int64
  private let start: ContinuousClock.Instant

  /// Prepares a recording; one that is there already becomes the archive.
  ///
  /// - Parameters:
  ///   - path: Where it is written.
  ///   - program: What is recorded.
  ///   - began: When the first of what is told was, in milliseconds since 1970, if that isn't now.
  /// - Throws: Where it can't be written there.
  package init(_ path: String, program: String, began: Int64? = nil) throws(RecorderError) {
    self.path = path
    self.program = program
    let now = WallClock.now()
    self.began = min(began ?? now, now)
    start = .now - .milliseconds(now - self.began)
    file = try .begin(path, limits: RecordingLimits())
  }

  /// Writes down what the file holds from now on, or held from an earlier time on, in milliseconds since 1970.
  package mutating func note(_ document: JSONDocument, cause: Cause, at time: Int64? = nil) throws(RecorderError) {
    let now = ContinuousClock.now - start
    let at = time.map { min(max(.zero, .milliseconds($0 - began)), now) }
    do {
      if let file = file.take() {
        let start = start
        writer = try RecordingWriter(
          file, program: program, schema: 0, began: began, clock: { ContinuousClock.now - start },
          beginning: .text(document), at: at)
      } else {
        try writer?.note(cause: cause, at: at) { (.text(document), nil) }
      }
    } catch {
      throw RecorderError(file: path, reason: (error as? SystemError)?.reason ?? "\(error)")
    }
  }

  /// Writes down that the recording ends in good order.
  package mutating func end() throws(RecorderError) {
    do throws(SystemError) {
      try writer?.end()
    } catch {
      throw RecorderError(file: path, reason: error.reason)
    }
  }
}
