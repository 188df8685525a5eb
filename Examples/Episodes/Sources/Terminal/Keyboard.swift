import Dispatch
import Glibc
import Synchronization

/// Reads keys, without ever waiting for one on a thread that others need.
final class Keyboard {
  private let source: any DispatchSourceRead

  /// - Parameter handler: Called with what was pressed, on a queue of the keyboard's own; nil: the terminal is gone.
  init(_ handler: @escaping @Sendable ([Key]?) -> Void) {
    source = DispatchSource.makeReadSource(fileDescriptor: STDIN_FILENO, queue: DispatchQueue(label: "keyboard"))
    let parser = Mutex(KeyParser())
    source.setEventHandler {
      let bytes = [UInt8](unsafeUninitializedCapacity: 256) { buffer, count in
        count = max(0, read(STDIN_FILENO, buffer.baseAddress, buffer.count))
      }
      handler(bytes.isEmpty ? nil : parser.withLock { $0.keys(in: bytes) })
    }
    source.activate()
  }

  deinit { source.cancel() }
}
