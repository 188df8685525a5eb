import Glibc

/// The streams that every process is started with.
package enum StandardStream {
  package static let input = ByteStream(descriptor: STDIN_FILENO, name: "<stdin>")
  package static let output = ByteStream(descriptor: STDOUT_FILENO, name: "<stdout>")
  package static let error = ByteStream(descriptor: STDERR_FILENO, name: "<stderr>")
}
