import Glibc

@testable import HotReload

/// A writer that keeps its file open until it is told to close it.
final class Editor {
  private var file: FileDescriptor?

  init(_ path: String) throws { file = try FileDescriptor(opening: path, O_WRONLY) }

  func write(_ text: String) throws { try file?.write(Array(text.utf8)) }

  func close() { file = nil }
}
