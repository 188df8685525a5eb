import Glibc
import RemoteControl

extension ByteStream {
  /// Whether the stream is a terminal. The corresponding C function is `isatty`.
  var isTerminal: Bool { isatty(descriptor) == 1 }
}
