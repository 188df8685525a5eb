import Glibc
import RemoteControl

extension StandardStream {
  /// Makes using a stream that we were started without fail, as it should; to be called before anything is opened.
  ///
  /// Otherwise the next file to be opened takes its number, and what is meant for the reader goes into that file.
  static func reserveClosed() {
    for stream in [input, output, error] where fcntl(stream.descriptor, F_GETFD) < 0 {
      // Takes the lowest free number, which is this one. Opened for the other direction, so that using it is `EBADF`.
      _ = open("/dev/null", stream == StandardStream.input ? O_WRONLY : O_RDONLY)
    }
  }
}
